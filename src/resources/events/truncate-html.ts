import { truncate } from '../../lib/truncate.js';

/** Characters of a text that pages and feeds look through; a record may have millions, and others wait meanwhile. */
const MAX_LENGTH = 100_000;

/** The beginning of HTML, without half a tag. */
export function truncateHtml(html: string, most = MAX_LENGTH): string {
  if (html.length <= most) return html;
  const text = truncate(html, most);
  const tag = text.lastIndexOf('<');
  return tag > text.lastIndexOf('>') ? text.slice(0, tag) : text;
}

/** As much of a description as is looked through, made visible where something is missing; `change` is made to what is left. */
export function truncateShown(html: string, change = (text: string) => text): string {
  const text = change(truncateHtml(html));
  return html.length > MAX_LENGTH ? `${text}\n<p>…</p>` : text;
}
