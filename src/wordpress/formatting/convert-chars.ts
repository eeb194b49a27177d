// The recorded answers look past the character behind the ampersand, so `& amp;` counts as an entity too.
const BARE_AMPERSAND = /&([^#])(?![a-z1-4]{1,8};)/gi;

const WINDOWS_1252_ENTITY = /&#(1[2-5]\d);/g;
const FIRST = 128;
const REPLACEMENTS = [
  8364, 0, 8218, 402, 8222, 8230, 8224, 8225, 710, 8240, 352, 8249, 338, 0, 381, 0, 0, 8216, 8217, 8220, 8221,
  8226, 8211, 8212, 732, 8482, 353, 8250, 339, 0, 382, 376,
];

/** The text with `&#038;` for every ampersand that begins nothing like an entity and is not its last character. */
export function convertChars(text: string): string {
  return text.includes('&') ? text.replace(BARE_AMPERSAND, '&#038;$1') : text;
}

/** The text with proper entities for `&#128;` to `&#159;`, which mean Windows-1252; unassigned ones vanish. */
export function convertInvalidEntities(text: string): string {
  if (!text.includes('&#1')) return text;
  return text.replace(WINDOWS_1252_ENTITY, (entity, code: string) => {
    const replacement = REPLACEMENTS[Number(code) - FIRST];
    if (replacement === undefined) return entity;
    return replacement === 0 ? '' : `&#${replacement};`;
  });
}
