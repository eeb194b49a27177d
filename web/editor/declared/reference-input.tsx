import { useEffect, useState } from 'preact/hooks';
import { fill } from '../../../src/pages/texts/fill.js';
import { TEXTS } from '../catalogue.js';
import { idOf, Required } from '../fields.js';
import { type Choice, type InputProps, resourceOf } from '../model.js';
import { Picker } from '../picker.js';
import { recordsOf } from '../records.js';
import { useShell } from '../shell.js';
import { titleOf } from '../texts.js';

/** Records that a value names by their ids, chosen by typing. */
export function ReferenceInput({
  field,
  prefix,
  value,
  describedBy,
  isInvalid,
  onChange,
  children,
}: InputProps) {
  const { of: to = '', many = false } = field;
  const ids = (typeof value === 'string' ? [value] : (value as readonly string[])).filter((id) => id !== '');
  const [labels, learn] = useLabels(to, ids);
  const id = idOf(prefix, field.name);

  function choose(choices: readonly Choice[]) {
    learn(choices);
    const chosen = choices.map((choice) => String(choice.id));
    onChange(many ? chosen : (chosen[0] ?? ''));
  }

  return (
    <div class="field">
      <label for={id}>
        {field.label}
        {field.required && <Required />}
      </label>
      <Picker
        id={id}
        of={to}
        many={many}
        value={ids.map((one) => ({
          id: Number(one),
          label: labels[one] ?? fill(TEXTS.frame.number, { id: one }),
        }))}
        describedBy={describedBy}
        isInvalid={isInvalid}
        onChange={choose}
      />
      {children}
    </div>
  );
}

type Labels = Readonly<Record<string, string>>;

/** What the records are called, and a way to say so of some. */
function useLabels(to: string, ids: readonly string[]) {
  const { session, resources } = useShell();
  const [labels, setLabels] = useState<Labels>({});
  const resource = resourceOf(resources, to);
  const unknown = ids.filter((id) => labels[id] === undefined).join();
  useEffect(() => {
    if (!resource || unknown === '') return;
    const abort = new AbortController();
    const records = recordsOf(session.client, resource);
    for (const id of unknown.split(','))
      records.read(Number(id), abort.signal).then(
        (row) => setLabels((known) => ({ ...known, [id]: titleOf(row, resource.title) })),
        // What is gone keeps its number.
        () => undefined,
      );
    return () => abort.abort();
  }, [session, resource, unknown]);
  const learn = (choices: readonly Choice[]) =>
    setLabels((known) => ({ ...known, ...Object.fromEntries(choices.map(({ id, label }) => [id, label])) }));
  return [labels, learn] as const;
}
