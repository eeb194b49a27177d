import { BLANK, phpTrim } from './php-trim.js';
import { removeAccents } from './remove-accents.js';
import { removeSpans } from './remove-spans.js';
import { wpStripAllTags } from './wp-strip-all-tags.js';

const PERCENT_ESCAPE = /%[a-f0-9]{2}/gi;
const SPACES = new RegExp(`${BLANK}+`, 'g');

/** Sanitizes a login name for storage: no tags, accents, percent escapes, entities. */
export function sanitizeUser(login: string, locale: string): string {
  const text = removeAccents(wpStripAllTags(login), locale).replace(PERCENT_ESCAPE, '');
  return phpTrim(removeSpans(text, '&', ';')).replace(SPACES, ' ');
}
