import { normalizeEntities } from './normalize-entities.js';
import { wpSlash, wpUnslash } from './slashes.js';

const SPECIAL = /[&<>"']/;
const ESCAPES: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#039;' };
const ESCAPED_ENTITY = /&amp;(?=#(?:\d+|[xX][\da-fA-F]+);)/g;

/** Escapes `& < > " '` for HTML text; entities that HTML 4 knows stay, numeric ones get at least three digits. */
export function escHtml(text: string): string {
  return SPECIAL.test(text) ? escapeAround(text, /[<>"']/g) : text;
}

/** Escapes text for an HTML attribute: the same rules as `escHtml`. */
export const escAttr = escHtml;

/** Escapes text for a quoted JavaScript string inside an HTML attribute; one layer of backslashes is dropped first. */
export function escJs(text: string): string {
  const escaped = escapeAround(text, /[<>"]/g).replace(/&#(?:0*39|x0*27);/g, "'");
  return wpSlash(wpUnslash(escaped).replaceAll('\r', '')).replaceAll('\n', '\\n');
}

/** A numeric entity that was escaped once is one again; HTML 4 has no `&apos;`, though entity normalisation knows it. */
function escapeAround(text: string, chars: RegExp): string {
  return normalizeEntities(text.replace(ESCAPED_ENTITY, '&'))
    .replaceAll('&apos;', '&amp;apos;')
    .replace(chars, (char) => ESCAPES[char] ?? char);
}
