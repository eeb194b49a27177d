import { WINDOWS_1252 } from '../../windows-1252.js';
import { HTML_ENTITIES } from './html-entity-decode.js';

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

const AMPERSAND = /&(?:#(\d+);|#[xX]([\da-fA-F]+);|([A-Za-z]\w{1,9});)?/g;
const LEADING_ZEROS = /^0+/;
/** Numbers of this many digits are no characters and slow to parse. */
const MAX_LENGTH = 8;
/** The `Char` production of XML 1.0. */
const XML_CHARACTER = /^[\t\n\r -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]$/u;

/** Escapes every `&` that starts no valid entity; decimal entities get at least three digits, hex ones lose leading zeros. */
export function normalizeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(AMPERSAND, (found, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined && (name === 'apos' || HTML_ENTITIES.has(name))) return found;
    const digits = (decimal ?? hex ?? '').replace(LEADING_ZEROS, '');
    if (!isXmlCharacter(digits, hex === undefined ? 10 : 16)) return `&amp;${found.slice(1)}`;
    return hex === undefined ? `&#${digits.padStart(3, '0')};` : `&#x${digits};`;
  });
}

function isXmlCharacter(digits: string, base: number): boolean {
  const code = digits.length < MAX_LENGTH ? Number.parseInt(digits, base) : Number.NaN;
  return code <= 0x10ffff && XML_CHARACTER.test(String.fromCodePoint(code));
}

/** Removes one level of backslashes: `\x` → `x`, `\\` → `\`, `\0` → NUL. */
export function wpUnslash(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(/\\([\s\S]?)/g, (_, char: string) => (char === '0' ? '\0' : char));
}

/** Adds a backslash before quotes and backslashes, and writes NUL as `\0`. */
export function wpSlash(text: string): string {
  return text.replace(/[\\'"]/g, '\\$&').replaceAll('\0', '\\0');
}

// WordPress skips one character after the ampersand, so `& amp;` counts as an entity too, as recorded.
const BARE_AMPERSAND = /&([^#])(?![a-z1-4]{1,8};)/gi;

const WINDOWS_1252_ENTITY = /&#(1[2-5]\d);/g;

/** Escapes ampersands that start no entity as `&#038;`, except at the end of the text. */
export function convertChars(text: string): string {
  return text.includes('&') ? text.replace(BARE_AMPERSAND, '&#038;$1') : text;
}

/** Replaces `&#128;` to `&#159;`, which mean Windows-1252, by Unicode entities; unassigned ones are removed. */
export function convertInvalidEntities(text: string): string {
  if (!text.includes('&#1')) return text;
  return text.replace(WINDOWS_1252_ENTITY, (entity, code: string) => {
    const unicode = WINDOWS_1252.charCodeAt(Number(code) - 128);
    if (Number.isNaN(unicode)) return entity;
    return unicode === Number(code) ? '' : `&#${unicode};`;
  });
}
