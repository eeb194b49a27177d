import sql, { type Sql } from 'sql-template-tag';
import { type Dialect, likePrefilter } from '../../database/dialect.js';
import { containing } from './post-rows.js';
import { searchTerms } from './search-terms.js';

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
