import { wpUnslash } from '../../lib/wordpress-text/formatting/slashes.js';
import { stopWords } from './data/stop-words.js';

/** A phrase in double quotes (the last one may stay open), or a word between blanks, commas and plus signs. */
const PARTS = /"[^"]*"?|[^\s",+]+/g;
const SINGLE_QUOTES_AROUND = /^'+|(?<!')'+$/g;

/** A search text taken apart: what must be found and what must not. */
export interface SearchTerms {
  wanted: string[];
  unwanted: string[];
}

/**
 * Splits a search, without its line breaks: blanks, commas and plus signs separate, double quotes hold a phrase together, a leading `-`
 * excludes; one layer of backslashes, quotes around a term, stop words of the site's language, single letters and lone dashes are dropped.
 * When nothing is left, or ten terms or more, the whole text is one term; of an empty text nothing is asked
 * (docs/behaviour/lists.md#search-for-events).
 */
export function searchTerms(sent: string, locale = 'en_US'): SearchTerms {
  const text = wpUnslash(sent).replace(/[\r\n]+/g, '');
  const ignored = stopWords(locale);
  const parts = text.match(PARTS) ?? [];
  const kept = parts.flatMap((part) => {
    const phrase = part.startsWith('"');
    const term = part.replaceAll('"', '').trim().replace(SINGLE_QUOTES_AROUND, '');
    if (term === '' || term === '-') return [];
    if (!phrase && (/^[a-z]$/i.test(term) || ignored.has(term.toLowerCase()))) return [];
    return [term];
  });
  const terms = kept.length === 0 || kept.length >= 10 ? [text] : kept;
  return {
    wanted: terms.filter((term) => term !== '' && !term.startsWith('-')),
    unwanted: terms.filter((term) => term.startsWith('-')).map((term) => term.slice(1)),
  };
}

/**
 * The different pieces of a search for venues and organizers: everything but letters, digits and `-` of ASCII separates
 * them (docs/behaviour/lists.md#search-for-venues-and-organizers).
 */
export function searchPieces(text: string): string[] {
  return [...new Set(text.split(/[^A-Za-z0-9-]+/))].filter((piece) => piece !== '' && piece !== '0');
}
