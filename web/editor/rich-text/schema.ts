import { getSchema } from '@tiptap/core';
import { DOMSerializer, DOMParser as DocumentParser } from '@tiptap/pm/model';
import { StarterKit } from '@tiptap/starter-kit';
import { canonical, shownHtml, storedText } from './stored-html.js';

/** What a text may consist of. */
export const EXTENSIONS = [
  StarterKit.configure({
    heading: { levels: [2, 3, 4] },
    link: { openOnClick: false, autolink: false, HTMLAttributes: { target: null, rel: null } },
    code: false,
    codeBlock: false,
    trailingNode: false,
  }),
];

const schema = getSchema(EXTENSIONS);

/** Whether the editor shows all of a stored text, and keeps it when it is saved. */
export function isFaithful(stored: string): boolean {
  const shown = shownHtml(stored);
  const { body } = new DOMParser().parseFromString(shown, 'text/html');
  const host = document.implementation.createHTMLDocument('').createElement('div');
  const parsed = DocumentParser.fromSchema(schema).parse(body);
  host.append(
    DOMSerializer.fromSchema(schema).serializeFragment(parsed.content, { document: host.ownerDocument }),
  );
  return canonical(shownHtml(storedText(host.innerHTML, true))) === canonical(shown);
}
