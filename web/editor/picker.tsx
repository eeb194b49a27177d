import { useEffect, useRef, useState } from 'preact/hooks';
import { fill } from '../../src/pages/texts/fill.js';
import { TEXTS } from './catalogue.js';
import { type Choice, type Kind, type Resource, resourceOf } from './model.js';
import { nounOf, nounsFor, nounsOf } from './nouns.js';
import { problemOf } from './problem.js';
import { recordsOf } from './records.js';
import { mayCreate } from './rights.js';
import type { Session } from './session.js';
import { useShell } from './shell.js';
import { titleOf } from './texts.js';

interface PickerProps {
  id: string;
  of: Kind | 'images' | 'authors';
  many: boolean;
  /** Whether it narrows a list: then it offers no new records. */
  isFilter?: boolean;
  /** A record that may not be chosen: the one that is edited. */
  without?: number;
  value: readonly Choice[];
  describedBy: string;
  isInvalid: boolean;
  onChange: (value: readonly Choice[]) => void;
}

/** What the list below the input offers: a record, or to make one of what was typed. */
type Option = Choice | 'make';

const PAUSE_MS = 200;
const SHOWN = 10;

/** Chooses records by typing: a combobox with a list, as ARIA describes it, and what was chosen above it. */
export function Picker({
  id,
  of,
  many,
  isFilter,
  without,
  value,
  describedBy,
  isInvalid,
  onChange,
}: PickerProps) {
  const shell = useShell();
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const resource = resourceOf(shell.resources, of);
  const found = useFound(resource ?? of, text.trim(), isOpen);
  const plural = resource ? nounsOf(resource) : nounsFor(of);
  const input = useRef<HTMLInputElement>(null);

  const chosen = new Set([without, ...value.map((choice) => choice.id)]);
  const matches = (found?.choices ?? []).filter((choice) => !chosen.has(choice.id));
  const name = text.trim();
  const isKnown = (found?.choices ?? []).some(({ label }) => label.toLowerCase() === name.toLowerCase());
  // Before all that fits is listed nobody knows that there is none.
  const isListedAll = found?.text === name;
  const creatable = resource && !isFilter && mayCreate(shell.session, resource) ? resource : undefined;
  const mayMake = creatable && name !== '' && isListedAll && !isKnown;
  const options: readonly Option[] = mayMake ? [...matches, 'make'] : matches;

  async function choose(option: Option) {
    setOpen(false);
    const choice = option !== 'make' ? option : creatable && (await shell.makeBeside(creatable, name));
    if (choice) {
      setText('');
      onChange(many ? [...value.filter((other) => other.id !== choice.id), choice] : [choice]);
      shell.say(fill(TEXTS.list.isChosen, { label: choice.label }));
    }
    input.current?.focus();
  }

  function remove(choice: Choice) {
    onChange(value.filter((other) => other.id !== choice.id));
    shell.say(fill(TEXTS.list.isRemoved, { label: choice.label }));
    input.current?.focus();
  }

  function onKeyDown(event: KeyboardEvent) {
    const last = value.at(-1);
    const option = options[active];
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setOpen(true);
      const next = active < 0 && step < 0 ? options.length - 1 : active + step;
      setActive(options.length === 0 ? -1 : (next + options.length) % options.length);
    } else if (event.key === 'Enter') {
      // It must not send the form while something is typed here.
      event.preventDefault();
      if (isOpen && option) choose(option);
    } else if (event.key === 'Escape' && (isOpen || text !== '')) {
      event.preventDefault();
      if (!isOpen) setText('');
      setOpen(false);
    } else if (event.key === 'Backspace' && text === '' && last) remove(last);
  }

  const isListed = isOpen && (options.length > 0 || found !== undefined);
  return (
    <div class="picker">
      {value.length > 0 && (
        <ul class="chips" aria-label={TEXTS.list.chosen}>
          {value.map((choice) => (
            <li key={choice.id}>
              {choice.label}
              <button
                type="button"
                aria-label={fill(TEXTS.list.remove, { label: choice.label })}
                onClick={() => remove(choice)}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
      <input
        id={id}
        ref={input}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isListed}
        aria-controls={`${id}-list`}
        aria-activedescendant={isListed && active >= 0 ? `${id}-${active}` : undefined}
        aria-describedby={describedBy}
        aria-invalid={isInvalid}
        autocomplete="off"
        value={text}
        placeholder={fill(TEXTS.list.searchMany, { many: plural })}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setOpen(true);
          setActive(-1);
        }}
        onClick={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
      />
      <div class="options" hidden={!isListed}>
        <div id={`${id}-list`} role="listbox" aria-label={fill(TEXTS.list.foundMany, { many: plural })}>
          {options.map((option, index) => (
            <div
              key={option === 'make' ? option : option.id}
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              // The focus stays in the input.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(option)}
              onKeyDown={onKeyDown}
            >
              {option !== 'make' && option.picture && (
                <img src={option.picture} alt="" referrerpolicy="no-referrer" />
              )}
              {option === 'make'
                ? fill(TEXTS.list.create, { one: creatable ? nounOf(creatable) : '', name })
                : option.label}
            </div>
          ))}
        </div>
        {options.length === 0 && <p class="muted">{found?.problem ?? TEXTS.list.nothingFound}</p>}
      </div>
      {!isOpen && name !== '' && (
        <p class="warning">
          {fill(creatable ? TEXTS.list.notChosenOrCreated : TEXTS.list.notChosen, { name })}
        </p>
      )}
    </div>
  );
}

interface Found {
  /** What was looked for. */
  text: string;
  choices: readonly Choice[];
  problem?: string;
}

/** What the interface finds for a text, a moment after it was typed; images without a kind of record. */
function useFound(of: Resource | Kind, text: string, isWanted: boolean): Found | undefined {
  const { session } = useShell();
  const [found, setFound] = useState<Found>();
  useEffect(() => {
    if (!isWanted) return;
    const abort = new AbortController();
    const timer = setTimeout(async () => {
      try {
        const choices = await (typeof of === 'object' ? records(of) : of === 'authors' ? authors : images)(
          session,
          text,
          abort.signal,
        );
        setFound({ text, choices });
      } catch (error) {
        if (!abort.signal.aborted) setFound({ text, choices: [], problem: problemOf(error).message });
      }
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [session, of, text, isWanted]);
  return found;
}

type Find = (session: Session, text: string, signal: AbortSignal) => Promise<Choice[]>;

const authors: Find = async (session, text, signal) => {
  const query = { per_page: String(SHOWN), ...(text !== '' && { search: text }) };
  return (await session.authors(query, signal)).map(({ id, name }) => ({ id, label: name }));
};

const images: Find = async (session, text, signal) =>
  (await session.images(text, signal)).map((row) => ({ ...row, label: titleOf({ ...row }, 'title') }));

const records =
  (of: Resource): Find =>
  async ({ client }, text, signal) => {
    const { title, tabs, found = tabs[0]?.query() } = of;
    const query = { per_page: SHOWN, ...found, ...(text !== '' && { search: text }) };
    const { items } = await recordsOf(client, of).list(query, { signal });
    return items.map((row) => ({ id: row.id, label: titleOf(row, title) }));
  };
