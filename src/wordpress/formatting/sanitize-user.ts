import { phpTrim } from './php-trim.js';
import { removeAccents } from './remove-accents.js';
import { removeSpans } from './remove-spans.js';
import { wpStripAllTags } from './wp-strip-all-tags.js';

const PERCENT_ESCAPE = /%[a-f0-9]{2}/gi;
const NOT_STRICT = /[^A-Za-z0-9 _.@-]/g;
const SPACES = /[ \t\n\v\f\r]+/g;

/** A login name as stored: no tags, accents, percent escapes, entities; strict: only `A-Za-z0-9 _.@-`. */
export function sanitizeUser(login: string, strict = false, locale = 'en_US'): string {
  const text = removeAccents(wpStripAllTags(login), locale).replace(PERCENT_ESCAPE, '');
  const plain = removeSpans(text, '&', ';');
  return phpTrim(strict ? plain.replace(NOT_STRICT, '') : plain).replace(SPACES, ' ');
}
