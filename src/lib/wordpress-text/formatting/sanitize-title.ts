import { removeAccents } from './remove-accents.js';
import { sanitizeTitleWithDashes } from './sanitize-title-with-dashes.js';

/** How a slug is made: the site's locale decides the letters, the fallback stands for an empty result. */
export interface SanitizeTitleOptions {
  locale: string;
  fallback?: string;
}

/** The slug of a title, of at most 200 bytes; the fallback (else `''`) when nothing of the title remains. */
export function sanitizeTitle(title: string, { locale, fallback = '' }: SanitizeTitleOptions): string {
  return sanitizeTitleWithDashes(removeAccents(title, locale), 'save') || fallback;
}

/** The slug that a slug in a request means: accents are kept percent-encoded, quotes and dashes too. */
export function sanitizeTitleForQuery(title: string): string {
  return sanitizeTitleWithDashes(title);
}
