import { LOCALE_LETTERS, UNDECOMPOSED } from './data/accents.js';
import { phpStripTags } from './php-strings.js';

/** Converts a title to a slug of at most 200 bytes; the fallback (else `''`) when nothing remains. */
export function sanitizeTitle(title: string, site: { locale: string; fallback?: string }): string {
  return sanitizeTitleWithDashes(removeAccents(title, site.locale), 'save') || (site.fallback ?? '');
}

/** Converts the slug of a query: accents, quotes and dashes stay, percent-encoded. */
export function sanitizeTitleForQuery(title: string): string {
  return sanitizeTitleWithDashes(title);
}

const MAX_LENGTH = 200;

const STRAY_PERCENT = /%(?![0-9a-f]{2})/gi;
const NOT_IN_SLUGS = /[^%a-z0-9 _-]/g;

/** No-break space, en and em dash. */
const DASHES = anyEncoded('\u00a0\u2013\u2014', '&nbsp;|&#160;|&ndash;|&#8211;|&mdash;|&#8212;|/');
/** The typographic spaces. */
const SPACES = anyEncoded(
  '\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f',
);
/** Quotes, signs, the tone marks (acute, grave, macron, caron) and characters without width. */
const DROPPED = anyEncoded(
  '¡¿«»‹›\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f•©®°…™´\u0300\u0301\u0304\u030c\u00ad' +
    '\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\ufeff',
);
const TIMES = anyEncoded('×');

/** Converts a title to a slug of at most 200 bytes; `save` drops typographic signs, `display` encodes. */
export function sanitizeTitleWithDashes(title: string, context: 'save' | 'display' = 'display'): string {
  const plain = phpStripTags(title).replace(STRAY_PERCENT, '');
  // PHP's lower case has no final sigma.
  let slug = utf8UriEncode(plain.replaceAll('Σ', 'σ').toLowerCase());
  if (context === 'save') {
    slug = slug.replace(DASHES, '-').replace(DROPPED, '').replace(SPACES, '-').replace(TIMES, 'x');
  }
  return removeSpans(slug, '&', ';')
    .replaceAll('.', '-')
    .replace(NOT_IN_SLUGS, '')
    .replace(/[ -]+/g, '-')
    .replace(/^-|-$/g, '');
}

function anyEncoded(characters: string, ...more: string[]): RegExp {
  return new RegExp([...Array.from(characters, percentEncode), ...more].join('|'), 'g');
}

/** Percent-encodes non-ASCII characters in lower case, as many as fit into 200 bytes; `%` stays. */
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
/** Letters that lose their accents in slugs: Western, Vietnamese, pinyin and Romanian. */
const ACCENTED = /[\u00c0-\u017f\u01a0\u01a1\u01af\u01b0\u01cd-\u01dc\u0218-\u021b\u1ea0-\u1ef9]/;
const KNOWN = /l·l|[^\0-\x7f]/g;

/** Replaces accented Latin letters by ASCII ones as usual in the site's locale; other scripts stay. */
export function removeAccents(text: string, locale = 'en_US'): string {
  if (!NON_ASCII.test(text)) return text;
  const special = LOCALE_LETTERS[locale];
  return text
    .normalize('NFC')
    .replace(KNOWN, (letter) => special?.[letter] ?? UNDECOMPOSED.get(letter) ?? withoutAccent(letter));
}

function withoutAccent(letter: string): string {
  const base = ACCENTED.test(letter) ? letter.normalize('NFD').charAt(0) : letter;
  return NON_ASCII.test(base) ? letter : base;
}

/** Removes each `open` up to the next `close` on the same line with at least one character in between. */
export function removeSpans(text: string, open: '&' | '[', close: ';' | ']'): string {
  if (!text.includes(open)) return text;
  // Only up to the last `close` of a line, which keeps the search linear.
  const lines = new RegExp(`(?<![^\\n])[^\\n]*\\${close}`, 'g');
  const span = new RegExp(`\\${open}[^][^\\${close}]*\\${close}`, 'g');
  return text.replace(lines, (line) => line.replace(span, ''));
}
