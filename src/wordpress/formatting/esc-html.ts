import { normalizeEntities } from './normalize-entities.js';

const SPECIAL = /[&<>"']/;
const HTML_ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#039;',
};
const SCRIPT_ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  "'": "\\'",
  '"': '\\"',
  '\0': '\\0',
};
const ESCAPED_ENTITY = /&amp;(?=#(?:\d+|[xX][\da-fA-F]+);)/g;
const DECODABLE = /&(?:(amp|lt|gt|quot)|#0*(34|38|39|60|62)|#[xX]0*(2[267]|3[cCeE]));/g;
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };

/** Escapes `& < > " '` for HTML text; entities that HTML 4 knows stay, numeric ones get at least three digits. */
export function escHtml(text: string): string {
  return SPECIAL.test(text) ? escapeAround(text, /[<>"']/g) : text;
}

/** Escapes text for an HTML attribute: the same rules as `escHtml`. */
export function escAttr(text: string): string {
  return escHtml(text);
}

/** Escapes text for a quoted JavaScript string inside an HTML attribute; one layer of backslashes is dropped first. */
export function escJs(text: string): string {
  return escapeAround(text, /[<>"]/g)
    .replace(/&#(?:0*39|x0*27);/g, "'")
    .replace(/\\([\s\S]?)/g, (_, next: string) => (next === '0' ? '\0' : next))
    .replace(/\r/g, '')
    .replace(/[\\'"\0]/g, (char) => SCRIPT_ESCAPES[char] ?? char)
    .replace(/\n/g, '\\n');
}

/** Escapes `& < > " '` for a text area: entities are escaped again, so that they show as typed. */
export function escTextarea(text: string): string {
  return text.replace(/[&<>"']/g, (char) => HTML_ESCAPES[char] ?? char);
}

/** Turns the entities of `& < > " '`, named or numeric, back into characters, once; `&apos;` is not one of them. */
export function specialcharsDecode(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(DECODABLE, (_, name?: string, decimal?: string, hex?: string) => {
    if (name !== undefined) return NAMED[name] ?? '';
    return String.fromCharCode(decimal !== undefined ? Number(decimal) : Number.parseInt(hex ?? '', 16));
  });
}

/** A numeric entity that was escaped once is one again; HTML 4 has no `&apos;`, though entity normalisation knows it. */
function escapeAround(text: string, chars: RegExp): string {
  return normalizeEntities(text.replace(ESCAPED_ENTITY, '&'))
    .replace(/&apos;/g, '&amp;apos;')
    .replace(chars, (char) => HTML_ESCAPES[char] ?? char);
}
