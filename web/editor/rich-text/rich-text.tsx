import { Editor } from '@tiptap/core';
import { useEffect, useRef, useState } from 'preact/hooks';
import { cleanPasted } from './pasted-html.js';
import { EXTENSIONS } from './schema.js';
import { canonical, formOf, renderedHtml, storedText } from './stored-html.js';
import { Toolbar } from './toolbar.js';

export { isFaithful } from './schema.js';

interface RichTextProps {
  id: string;
  labelledBy: string;
  describedBy: string;
  isInvalid: boolean;
  /** The stored text that it begins with; what it holds later comes from typing. */
  given: string;
  onChange: (value: string) => void;
}

/** An editor of formatted text, by Tiptap. */
export function RichText({ id, labelledBy, describedBy, isInvalid, given, onChange }: RichTextProps) {
  const host = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<Editor>();
  const [, redraw] = useState(0);
  const changed = useRef(onChange);
  changed.current = onChange;

  useEffect(() => {
    const created = new Editor({
      element: host.current,
      extensions: EXTENSIONS,
      content: renderedHtml(given),
      // The policy of the page allows no styles in scripts.
      injectCSS: false,
      editorProps: {
        transformPastedHTML: cleanPasted,
        attributes: {
          id,
          role: 'textbox',
          'aria-multiline': 'true',
          'aria-labelledby': labelledBy,
          dir: 'auto',
        },
      },
      onTransaction: () => redraw((count) => count + 1),
      onUpdate: () => {
        const html = storedText(created.getHTML(), formOf(given));
        // What was typed and taken back is no change.
        const isGiven = canonical(renderedHtml(html)) === canonical(renderedHtml(given));
        changed.current(isGiven ? given : html);
      },
    });
    setEditor(created);
    return () => created.destroy();
  }, []);

  useEffect(() => {
    const element = editor?.view.dom;
    element?.setAttribute('aria-describedby', describedBy);
    element?.setAttribute('aria-invalid', String(isInvalid));
  }, [editor, describedBy, isInvalid]);

  return (
    <div class="rich-text">
      {editor && <Toolbar editor={editor} id={id} />}
      <div ref={host} />
    </div>
  );
}
