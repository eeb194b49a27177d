import { WINDOWS_1252 } from '../../windows-1252.js';

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
