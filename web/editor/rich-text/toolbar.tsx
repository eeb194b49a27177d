import type { Editor } from '@tiptap/core';
import { useRef, useState } from 'preact/hooks';
import { TEXTS } from '../catalogue.js';
import { withScheme } from '../checks.js';

interface Tool {
  label: string;
  sign: string;
  isSlanted?: boolean;
  do: (editor: Editor) => void;
  /** Whether it applies at the cursor, of what is switched on and off. */
  isOn?: (editor: Editor) => boolean;
  isPossible?: (editor: Editor) => boolean;
}

/** Tiptap's own command focuses a frame later: what is typed until then would be lost. */
function chainOf(editor: Editor) {
  editor.view.focus();
  return editor.chain();
}

const heading = (level: 2 | 3 | 4, label: string): Tool => ({
  label,
  sign: `H${level}`,
  do: (editor) => chainOf(editor).toggleHeading({ level }).run(),
  isOn: (editor) => editor.isActive('heading', { level }),
});

const TOOLS: readonly Tool[] = [
  {
    label: TEXTS.richText.bold,
    sign: 'B',
    do: (editor) => chainOf(editor).toggleBold().run(),
    isOn: (editor) => editor.isActive('bold'),
  },
  {
    label: TEXTS.richText.italic,
    sign: 'I',
    isSlanted: true,
    do: (editor) => chainOf(editor).toggleItalic().run(),
    isOn: (editor) => editor.isActive('italic'),
  },
  heading(2, TEXTS.richText.heading),
  heading(3, TEXTS.richText.subheading),
  heading(4, TEXTS.richText.smallHeading),
  {
    label: TEXTS.richText.bullets,
    sign: '•',
    do: (editor) => chainOf(editor).toggleBulletList().run(),
    isOn: (editor) => editor.isActive('bulletList'),
  },
  {
    label: TEXTS.richText.numbers,
    sign: '1.',
    do: (editor) => chainOf(editor).toggleOrderedList().run(),
    isOn: (editor) => editor.isActive('orderedList'),
  },
  {
    label: TEXTS.richText.quote,
    sign: '❝',
    do: (editor) => chainOf(editor).toggleBlockquote().run(),
    isOn: (editor) => editor.isActive('blockquote'),
  },
];
const HISTORY: readonly Tool[] = [
  {
    label: TEXTS.richText.undo,
    sign: '↶',
    do: (editor) => chainOf(editor).undo().run(),
    isPossible: (editor) => editor.can().undo(),
  },
  {
    label: TEXTS.richText.redo,
    sign: '↷',
    do: (editor) => chainOf(editor).redo().run(),
    isPossible: (editor) => editor.can().redo(),
  },
];

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };

/** The buttons above a text: one stop of the tab key, moved through with the arrow keys. */
export function Toolbar({ editor, id }: { editor: Editor; id: string }) {
  const [at, setAt] = useState(0);
  const [link, setLink] = useState<string>();
  const bar = useRef<HTMLDivElement>(null);
  const linking: Tool = {
    label: TEXTS.richText.link,
    sign: TEXTS.richText.link,
    do: () => setLink(String(editor.getAttributes('link')['href'] ?? '')),
    isOn: () => editor.isActive('link'),
    isPossible: () => editor.isActive('link') || !editor.state.selection.empty,
  };
  const tools = [...TOOLS, linking, ...HISTORY];

  function onKeyDown(event: KeyboardEvent) {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const isReversed = getComputedStyle(event.currentTarget as Element).direction === 'rtl';
    const next = (at + (isReversed ? -step : step) + tools.length) % tools.length;
    setAt(next);
    bar.current?.querySelectorAll('button')[next]?.focus();
  }

  function close(address?: string) {
    setLink(undefined);
    const chain = chainOf(editor).extendMarkRange('link');
    if (address === undefined) return;
    if (address.trim() === '') return void chain.unsetLink().run();
    chain.setLink({ href: withScheme(address.trim()) }).run();
    // What is typed next stands behind the link.
    editor.commands.setTextSelection(editor.state.selection.to);
  }

  return (
    <>
      <div
        ref={bar}
        class="toolbar"
        role="toolbar"
        aria-label={TEXTS.richText.toolbar}
        aria-controls={id}
        onKeyDown={onKeyDown}
      >
        {tools.map(({ label, sign, isSlanted, do: run, isOn, isPossible }, index) => (
          <button
            key={label}
            type="button"
            class={isSlanted ? 'tool slanted' : 'tool'}
            title={label}
            data-sign={sign}
            aria-label={label}
            aria-pressed={isOn?.(editor)}
            // A disabled button could not be reached by the arrow keys.
            aria-disabled={isPossible?.(editor) === false}
            tabIndex={index === at ? 0 : -1}
            onFocus={() => setAt(index)}
            onClick={() => isPossible?.(editor) !== false && run(editor)}
          ></button>
        ))}
      </div>
      {link !== undefined && <LinkForm id={`${id}-link`} address={link} onDone={close} />}
    </>
  );
}

interface LinkFormProps {
  id: string;
  address: string;
  /** Called with the new address, an empty one to remove the link, or nothing. */
  onDone: (address?: string) => void;
}

function LinkForm({ id, address, onDone }: LinkFormProps) {
  const input = useRef<HTMLInputElement>(null);
  const apply = () => onDone(input.current?.value ?? '');
  return (
    <div class="link-form">
      <label for={id}>{TEXTS.richText.address}</label>
      <input
        id={id}
        ref={(element) => {
          if (element && input.current !== element) element.focus();
          input.current = element;
        }}
        inputMode="url"
        dir="ltr"
        autocomplete="off"
        defaultValue={address}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' && event.key !== 'Escape') return;
          event.preventDefault();
          if (event.key === 'Enter') apply();
          else onDone();
        }}
      />
      <button type="button" class="small primary" onClick={apply}>
        {TEXTS.richText.apply}
      </button>
      {address !== '' && (
        <button type="button" class="small" onClick={() => onDone('')}>
          {TEXTS.richText.unlink}
        </button>
      )}
      <button type="button" class="small" onClick={() => onDone()}>
        {TEXTS.frame.cancel}
      </button>
    </div>
  );
}
