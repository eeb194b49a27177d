import sql, { join } from 'sql-template-tag';
import { RestException } from '../common/errors/rest-exception.js';
import type { Database } from '../database/database.js';
import { fromUtc } from '../lib/wordpress-text/dates/convert.js';
import { sanitizeTitleForQuery } from '../lib/wordpress-text/formatting/sanitize-title.js';
import type { PostQuery } from '../wordpress/posts/post-query.js';
import { containing, inList } from '../wordpress/posts/post-rows.js';
import type { CorePostListQuery } from './list.dto.js';

/** Applies the common filters and order of post lists; `zone` is that of the stored dates. */
export function applyCoreFilters(list: PostQuery, query: CorePostListQuery, zone: string): PostQuery {
  if (query.exclude) list.where(sql`NOT (${inList(sql`p.ID`, query.exclude)})`);
  if (query.slug) list.where(inList(sql`p.post_name`, query.slug.map(sanitizeTitleForQuery)));
  if (query.author) list.where(inList(sql`p.post_author`, query.author));
  if (query.author_exclude) list.where(sql`NOT (${inList(sql`p.post_author`, query.author_exclude)})`);
  const wall = (utc: string) => storableDate(fromUtc(utc, zone));
  if (query.after) list.where(sql`p.post_date > ${wall(query.after)}`);
  if (query.before) list.where(sql`p.post_date < ${wall(query.before)}`);
  if (query.modified_after) list.where(sql`p.post_modified > ${wall(query.modified_after)}`);
  if (query.modified_before) list.where(sql`p.post_modified < ${wall(query.modified_before)}`);
  applyOrder(list.page(query.page, query.per_page, query.offset), query);
  return query.include ? list.include(query.include) : list;
}

/** A wall clock within the years that columns have: as texts, a year of five digits is before 9999. */
function storableDate(wall: string): string {
  if (wall.startsWith('-')) return '0000-00-00 00:00:00';
  return /^\d{5}/.test(wall) ? '9999-12-31 23:59:59' : wall;
}

/** The rows on a page and the total; throws for a page past the end. */
export async function readPage(list: PostQuery, page: number) {
  const [rows, total] = await Promise.all([list.rows(), list.total()]);
  if (rows.length === 0 && page > 1)
    throw new RestException(
      'invalid',
      'rest_post_invalid_page_number',
      `There is no page ${page} of this list.`,
    );
  return { rows, total };
}

const COLUMNS = {
  author: sql`p.post_author`,
  date: sql`p.post_date`,
  id: sql`p.ID`,
  modified: sql`p.post_modified`,
  slug: sql`p.post_name`,
  title: sql`p.post_title`,
} as const;

function applyOrder(list: PostQuery, { orderby, order, include, search }: CorePostListQuery): void {
  if (orderby === 'include') {
    if (!include)
      throw new RestException(
        'invalid',
        'rest_orderby_include_missing_include',
        'orderby=include needs the parameter include.',
      );
    const places = include.map((id, place) => sql`WHEN ${id} THEN ${place}`);
    list.orderBy(sql`CASE p.ID ${join(places, ' ')} END`, 'ASC');
  } else if (orderby === 'relevance') {
    if (search === undefined)
      throw new RestException(
        'invalid',
        'rest_no_search_term_defined',
        'orderby=relevance needs the parameter search.',
      );
    // Posts with the whole text in their title come first.
    list
      .orderBy(sql`CASE WHEN p.post_title LIKE ${containing(search)} ESCAPE '|' THEN 0 ELSE 1 END`, 'ASC')
      .orderBy(COLUMNS.date, 'DESC');
  } else {
    list.orderBy(COLUMNS[orderby], order);
    // Among equal dates, higher ids are newer.
    if (orderby === 'date') list.orderBy(COLUMNS.id, order).inOrder();
  }
}

/** Whether comments and pings are open for a record. */
export interface Discussion {
  comments: string;
  pings: string;
}

/** The discussion settings of records by id; no other query reads these columns. */
export async function discussionOf(
  database: Database,
  ids: readonly number[],
): Promise<Map<number, Discussion>> {
  if (ids.length === 0) return new Map();
  const rows = await database.query<Discussion & { id: number }>(
    sql`SELECT p.ID AS id, p.comment_status AS comments, p.ping_status AS pings
        FROM ${database.table('posts')} p WHERE ${inList(sql`p.ID`, ids)}`,
  );
  return new Map(rows.map((row) => [row.id, row]));
}
