import { ACCENTED_RANGES, LOCALE_LETTERS, UNDECOMPOSED } from './data/accents.js';

const NON_ASCII = /[^\0-\x7f]/;
const LETTERS = accentTable();
const KNOWN = /l·l|[^\0-\x7f]/g;

/** Replaces accented Latin letters by ASCII ones as usual in the site's locale; other scripts stay. */
export function removeAccents(text: string, locale = 'en_US'): string {
  if (!NON_ASCII.test(text)) return text;
  const special = LOCALE_LETTERS[locale];
  return text.normalize('NFC').replace(KNOWN, (letter) => special?.[letter] ?? LETTERS.get(letter) ?? letter);
}

function accentTable(): ReadonlyMap<string, string> {
  const table = new Map(UNDECOMPOSED);
  for (const [first, last] of ACCENTED_RANGES) {
    for (let code = first; code <= last; code++) {
      const letter = String.fromCodePoint(code);
      const base = letter.normalize('NFD').charAt(0);
      if (base !== letter && !NON_ASCII.test(base)) table.set(letter, base);
    }
  }
  return table;
}
