import type { Editor } from '@tiptap/core';
import { useRef, useState } from 'preact/hooks';
import { withScheme } from '../checks.js';

const TEXTS = {
  toolbar: 'Formatting',
  bold: 'Bold',
  italic: 'Italic',
  heading: 'Heading',
  subheading: 'Subheading',
  bullets: 'Bulleted list',
  numbers: 'Numbered list',
  quote: 'Quote',
  link: 'Link',
  undo: 'Undo typing',
  redo: 'Redo typing',
  address: 'Address of the link',
  apply: 'Apply',
  unlink: 'Remove link',
  cancel: 'Cancel',
} as const;

interface Tool {
  label: string;
  sign: string;
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

const heading = (level: 2 | 3, label: string): Tool => ({
  label,
  sign: `H${level}`,
  do: (editor) => chainOf(editor).toggleHeading({ level }).run(),
  isOn: (editor) => editor.isActive('heading', { level }),
});

const TOOLS: readonly Tool[] = [
  {
    label: TEXTS.bold,
    sign: 'B',
    do: (editor) => chainOf(editor).toggleBold().run(),
    isOn: (editor) => editor.isActive('bold'),
  },
  {
    label: TEXTS.italic,
    sign: 'I',
    do: (editor) => chainOf(editor).toggleItalic().run(),
    isOn: (editor) => editor.isActive('italic'),
  },
  heading(2, TEXTS.heading),
  heading(3, TEXTS.subheading),
  {
    label: TEXTS.bullets,
    sign: '•',
    do: (editor) => chainOf(editor).toggleBulletList().run(),
    isOn: (editor) => editor.isActive('bulletList'),
  },
  {
    label: TEXTS.numbers,
    sign: '1.',
    do: (editor) => chainOf(editor).toggleOrderedList().run(),
    isOn: (editor) => editor.isActive('orderedList'),
  },
  {
    label: TEXTS.quote,
    sign: '❝',
    do: (editor) => chainOf(editor).toggleBlockquote().run(),
    isOn: (editor) => editor.isActive('blockquote'),
  },
];
const HISTORY: readonly Tool[] = [
  {
    label: TEXTS.undo,
    sign: '↶',
    do: (editor) => chainOf(editor).undo().run(),
    isPossible: (editor) => editor.can().undo(),
  },
  {
    label: TEXTS.redo,
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
    label: TEXTS.link,
    sign: TEXTS.link,
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
        aria-label={TEXTS.toolbar}
        aria-controls={id}
        onKeyDown={onKeyDown}
      >
        {tools.map(({ label, sign, do: run, isOn, isPossible }, index) => (
          <button
            key={label}
            type="button"
            class="tool"
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
      <label for={id}>{TEXTS.address}</label>
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
        {TEXTS.apply}
      </button>
      {address !== '' && (
        <button type="button" class="small" onClick={() => onDone('')}>
          {TEXTS.unlink}
        </button>
      )}
      <button type="button" class="small" onClick={() => onDone()}>
        {TEXTS.cancel}
      </button>
    </div>
  );
}
