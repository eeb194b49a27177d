import { removeAccents } from './remove-accents.js';
import { sanitizeTitleWithDashes } from './sanitize-title-with-dashes.js';

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
