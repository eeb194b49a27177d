import { sanitizeTextField } from './sanitize-text-field.js';
import { sanitizeTitle } from './sanitize-title.js';
import { wpSlash } from './slashes.js';
import { wpKses } from './wp-kses.js';

/** Most characters of a term's name. */
export const MAX_TERM_NAME_LENGTH = 200;

/** A term's name as stored: one line without tags and percent escapes, `& < >` as entities; quotes stay. */
export function preTermName(name: string): string {
  return wpKses(sanitizeTextField(name), 'data').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** A term's description as stored: links and inline tags only, whoever writes. */
export function preTermDescription(description: string): string {
  return wpKses(description, 'pre_term_description');
}

/** A term's slug as stored; it is made of slashed text, which shows in NUL only (`0`). */
export function preTermSlug(slug: string, locale: string): string {
  return sanitizeTitle(wpSlash(slug), { locale });
}
