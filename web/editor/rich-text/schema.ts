import { getSchema } from '@tiptap/core';
import { DOMSerializer, DOMParser as DocumentParser } from '@tiptap/pm/model';
import { StarterKit } from '@tiptap/starter-kit';
import { canonical, elementsOf, formOf, renderedHtml, storedText } from './stored-html.js';

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

/** Whether the editor renders all of a stored text, and keeps it when it is saved. */
export function isFaithful(stored: string): boolean {
  const rendered = renderedHtml(stored);
  const { content } = DocumentParser.fromSchema(schema).parse(elementsOf(rendered));
  const { body: host } = document.implementation.createHTMLDocument('');
  host.append(DOMSerializer.fromSchema(schema).serializeFragment(content, { document: host.ownerDocument }));
  return canonical(renderedHtml(storedText(host.innerHTML, formOf(stored)))) === canonical(rendered);
}
