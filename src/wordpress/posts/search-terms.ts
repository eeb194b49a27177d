import sql, { type Sql } from 'sql-template-tag';
import { type Dialect, likePrefilter } from '../../database/dialect.js';
import { wpUnslash } from '../../lib/wordpress-text/formatting/esc-html.js';
import { stopWords } from './data/stop-words.js';
import { containing } from './post-rows.js';

/** A phrase in double quotes (the last one may be unclosed), or a word between spaces, commas and plus signs. */
const PARTS = /"[^"]*"?|[^\s",+]+/g;
const SINGLE_QUOTES_AROUND = /^'+|(?<!')'+$/g;

/** The parsed search: required and excluded terms. */
export interface SearchTerms {
  wanted: string[];
  unwanted: string[];
}

/**
 * Parses a search (docs/behaviour/lists.md#search-for-events): spaces, commas and plus signs separate terms, double quotes
 * join a phrase, a leading `-` excludes. It drops one level of backslashes, quotes around a term, stop words, single
 * letters and lone dashes. Without terms, or with ten or more, the whole text is one term.
 */
export function searchTerms(sent: string, locale = 'en_US'): SearchTerms {
  const text = wpUnslash(sent).replace(/[\r\n]+/g, '');
  const ignored = stopWords(locale);
  const parts = text.match(PARTS) ?? [];
  const significant = parts.flatMap((part) => {
    const phrase = part.startsWith('"');
    const term = part.replaceAll('"', '').trim().replace(SINGLE_QUOTES_AROUND, '');
    if (term === '' || term === '-') return [];
    if (!phrase && (/^[a-z]$/i.test(term) || ignored.has(term.toLowerCase()))) return [];
    return [term];
  });
  const terms = significant.length === 0 || significant.length >= 10 ? [text] : significant;
  return {
    wanted: terms.filter((term) => term !== '' && !term.startsWith('-')),
    unwanted: terms.filter((term) => term.startsWith('-')).map((term) => term.slice(1)),
  };
}

/** The unique pieces of a search (docs/behaviour/lists.md#search-for-venues-and-organizers). */
export function searchPieces(text: string): string[] {
  return [...new Set(text.split(/[^A-Za-z0-9-]+/))].filter((piece) => piece !== '' && piece !== '0');
}

/** The conditions of a search on posts `p`. `open`: where excerpt and content count; `locale`: the site's, for its stop words. */
export function searchConditions(dialect: Dialect, text: string, open: Sql, locale?: string): Sql[] {
  const { wanted, unwanted } = searchTerms(text, locale);
  const contains = (term: string) => {
    const holds = (column: Sql) =>
      sql`(${likePrefilter(dialect, column, term)}${column} LIKE ${containing(term)} ESCAPE '|')`;
    return sql`(${holds(sql`p.post_title`)} OR (${open} AND (${holds(sql`p.post_excerpt`)} OR ${holds(sql`p.post_content`)})))`;
  };
  return [...wanted.map(contains), ...unwanted.map((term) => sql`NOT ${contains(term)}`)];
}
