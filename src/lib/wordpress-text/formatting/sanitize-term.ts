import { sanitizeTextField } from './sanitize-text-field.js';
import { sanitizeTitle } from './sanitize-title.js';
import { wpSlash } from './slashes.js';
import { wpKses } from './wp-kses.js';

/** In characters. */
export const MAX_TERM_NAME_LENGTH = 200;

/** Sanitizes a term's name for storage: one line without tags and percent escapes, `& < >` as entities; quotes stay. */
export function preTermName(name: string): string {
  return wpKses(sanitizeTextField(name), 'data').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Sanitizes a term's description for storage: links and inline tags only, for every author. */
export function preTermDescription(description: string): string {
  return wpKses(description, 'pre_term_description');
}

/** Sanitizes a term's slug for storage; WordPress slashes the text first, which turns NUL into `0`. */
export function preTermSlug(slug: string, locale: string): string {
  return sanitizeTitle(wpSlash(slug), { locale });
}
