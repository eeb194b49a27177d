import { truncate } from '../../lib/truncate.js';

/** Characters of a text that pages and feeds look through; a record may have millions, and others wait meanwhile. */
const LONGEST = 100_000;

/** The beginning of HTML, without half a tag. */
export function beginningOf(html: string, most = LONGEST): string {
  if (html.length <= most) return html;
  const text = truncate(html, most);
  const tag = text.lastIndexOf('<');
  return tag > text.lastIndexOf('>') ? text.slice(0, tag) : text;
}

/** As much of a description as is looked through, made visible where something is missing; `change` is made to what is left. */
export function shownBeginning(html: string, change = (text: string) => text): string {
  const text = change(beginningOf(html));
  return html.length > LONGEST ? `${text}\n<p>…</p>` : text;
}
