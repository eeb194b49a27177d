import { truncate } from '../../lib/truncate.js';

/** Characters of a text that pages and feeds process: a longer one would block other requests. */
const MAX_LENGTH = 100_000;

/** Truncates HTML without cutting a tag. */
export function truncateHtml(html: string, most = MAX_LENGTH): string {
  if (html.length <= most) return html;
  const text = truncate(html, most);
  const tag = text.lastIndexOf('<');
  return tag > text.lastIndexOf('>') ? text.slice(0, tag) : text;
}

/** Truncates a description and marks the omission with an ellipsis; `change` is applied to the remaining text. */
export function truncateWithEllipsis(html: string, change = (text: string) => text): string {
  const text = change(truncateHtml(html));
  return html.length > MAX_LENGTH ? `${text}\n<p>…</p>` : text;
}
