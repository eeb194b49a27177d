import { SLUG_DASHES, SLUG_DROPPED, SLUG_SPACES } from './data/slug-characters.js';
import { phpStripTags } from './php-strip-tags.js';
import { removeSpans } from './remove-spans.js';

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
