import { WINDOWS_1252 } from './data/windows-1252.js';

// The recorded answers look past the character behind the ampersand, so `& amp;` counts as an entity too.
const BARE_AMPERSAND = /&([^#])(?![a-z1-4]{1,8};)/gi;

const WINDOWS_1252_ENTITY = /&#(1[2-5]\d);/g;
const FIRST = 128;

/** The text with `&#038;` for every ampersand that begins nothing like an entity and is not its last character. */
export function convertChars(text: string): string {
  return text.includes('&') ? text.replace(BARE_AMPERSAND, '&#038;$1') : text;
}

/** The text with proper entities for `&#128;` to `&#159;`, which mean Windows-1252; unassigned ones vanish. */
export function convertInvalidEntities(text: string): string {
  if (!text.includes('&#1')) return text;
  return text.replace(WINDOWS_1252_ENTITY, (entity, code: string) => {
    const replacement = WINDOWS_1252[Number(code) - FIRST];
    if (replacement === undefined) return entity;
    return replacement === 0 ? '' : `&#${replacement};`;
  });
}
