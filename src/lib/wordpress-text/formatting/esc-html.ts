import { normalizeEntities } from './normalize-entities.js';
import { wpSlash, wpUnslash } from './slashes.js';

const SPECIAL = /[&<>"']/;
const ESCAPES: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#039;' };
const ESCAPED_ENTITY = /&amp;(?=#(?:\d+|[xX][\da-fA-F]+);)/g;

/** Escapes `& < > " '` for HTML text; entities of HTML 4 stay, numeric ones get at least three digits. */
export function escHtml(text: string): string {
  return SPECIAL.test(text) ? escapeChars(text, /[<>"']/g) : text;
}

/** Escapes text for an HTML attribute: the same rules as `escHtml`. */
export const escAttr = escHtml;

/** Escapes text for a quoted JavaScript string in an HTML attribute, after removing one level of backslashes. */
export function escJs(text: string): string {
  const escaped = escapeChars(text, /[<>"]/g).replace(/&#(?:0*39|x0*27);/g, "'");
  return wpSlash(wpUnslash(escaped).replaceAll('\r', '')).replaceAll('\n', '\\n');
}

/** Escapes the given characters; numeric entities that were escaped are restored, and `&apos;` is no entity of HTML 4. */
function escapeChars(text: string, chars: RegExp): string {
  return normalizeEntities(text.replace(ESCAPED_ENTITY, '&'))
    .replaceAll('&apos;', '&amp;apos;')
    .replace(chars, (char) => ESCAPES[char] ?? char);
}
