import { SLUG_DASHES, SLUG_DROPPED, SLUG_SPACES } from './data/slug-characters.js';
import { phpStripTags } from './php-strings.js';
import { ACCENTED_RANGES, LOCALE_LETTERS, UNDECOMPOSED } from './data/accents.js';

/** Options of `sanitizeTitle`: the site's locale, and the slug for an empty result. */
interface SanitizeTitleOptions {
  locale: string;
  fallback?: string;
}

/** Converts a title to a slug of at most 200 bytes; the fallback (else `''`) when nothing remains. */
export function sanitizeTitle(title: string, { locale, fallback = '' }: SanitizeTitleOptions): string {
  return sanitizeTitleWithDashes(removeAccents(title, locale), 'save') || fallback;
}

/** Converts the slug of a query: accents, quotes and dashes stay, percent-encoded. */
export function sanitizeTitleForQuery(title: string): string {
  return sanitizeTitleWithDashes(title);
}

const MAX_LENGTH = 200;

const STRAY_PERCENT = /%(?![0-9a-f]{2})/gi;
const NOT_IN_SLUGS = /[^%a-z0-9 _-]/g;

const DASHES = anyEncoded(SLUG_DASHES, '&nbsp;|&#160;|&ndash;|&#8211;|&mdash;|&#8212;|/');
const SPACES = anyEncoded(SLUG_SPACES);
const DROPPED = anyEncoded(SLUG_DROPPED);
const TIMES = anyEncoded('×');

/**
 * Converts a title to a slug of `%`, `a-z`, `0-9`, `_` and `-`, at most 200 bytes, possibly empty. Context `save` also
 * turns typographic dashes and spaces into `-` and drops quotes and similar signs, which `display` encodes.
 */
export function sanitizeTitleWithDashes(title: string, context: 'save' | 'display' = 'display'): string {
  const plain = phpStripTags(title).replace(STRAY_PERCENT, '');
  let slug = utf8UriEncode(lowerCase(plain));
  if (context === 'save') {
    slug = slug.replace(DASHES, '-').replace(DROPPED, '').replace(SPACES, '-').replace(TIMES, 'x');
  }
  return removeSpans(slug, '&', ';')
    .replaceAll('.', '-')
    .replace(NOT_IN_SLUGS, '')
    .replace(/[ -]+/g, '-')
    .replace(/^-|-$/g, '');
}

/** PHP's lower case, which has no final sigma. */
function lowerCase(text: string): string {
  return text.replaceAll('Σ', 'σ').toLowerCase();
}

function anyEncoded(characters: string, ...more: string[]): RegExp {
  return new RegExp([...Array.from(characters, percentEncode), ...more].join('|'), 'g');
}

/**
 * Percent-encodes non-ASCII characters in lower case, up to the last one that fits into 200 bytes; ASCII, also `%`, stays.
 */
function utf8UriEncode(text: string): string {
  let out = '';
  for (const char of text) {
    const piece = char <= '\x7f' ? char : percentEncode(char);
    if (out.length + piece.length > MAX_LENGTH) break;
    out += piece;
  }
  return out;
}

/** Every UTF-8 byte of the text as `%xx` in lower case. */
function percentEncode(text: string): string {
  return Buffer.from(text, 'utf8').toString('hex').replace(/../g, '%$&');
}

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

/** Removes each `open` up to the next `close` on the same line with at least one character in between. */
export function removeSpans(text: string, open: '&' | '[', close: ';' | ']'): string {
  if (!text.includes(open)) return text;
  // Only up to the last `close` of a line, which keeps the search linear.
  const lines = new RegExp(`(?<![^\\n])[^\\n]*\\${close}`, 'g');
  const span = new RegExp(`\\${open}[^][^\\${close}]*\\${close}`, 'g');
  return text.replace(lines, (line) => line.replace(span, ''));
}
