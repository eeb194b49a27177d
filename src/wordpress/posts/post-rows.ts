import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { PostRecord } from './post-record.js';

/** A row of `posts` under our names, without its meta. */
export type PostRow = Omit<PostRecord, 'meta'>;

const COLUMNS: Record<keyof PostRow, string> = {
  id: 'ID',
  author: 'post_author',
  date: 'post_date',
  dateGmt: 'post_date_gmt',
  modified: 'post_modified',
  modifiedGmt: 'post_modified_gmt',
  content: 'post_content',
  title: 'post_title',
  excerpt: 'post_excerpt',
  status: 'post_status',
  name: 'post_name',
  type: 'post_type',
  password: 'post_password',
  parent: 'post_parent',
  menuOrder: 'menu_order',
  mimeType: 'post_mime_type',
  guid: 'guid',
};

/** The columns of `posts p`, aliased to `PostRow`. */
export const POST_COLUMNS: Sql = raw(
  Object.entries(COLUMNS)
    .map(([name, column]) => `p.${column} AS ${name}`)
    .join(', '),
);

/** Groups meta rows, which come in the order of their ids, by post and key. */
export function metaByPost(
  rows: readonly { postId: number; key: string | null; value: string | null }[],
): Map<number, Map<string, string[]>> {
  const all = new Map<number, Map<string, string[]>>();
  for (const { postId, key, value } of rows) {
    if (key === null) continue;
    const own = all.get(postId) ?? new Map<string, string[]>();
    all.set(postId, own);
    const values = own.get(key);
    if (values) values.push(value ?? '');
    else own.set(key, [value ?? '']);
  }
  return all;
}

/** `column IN (…)`; an empty list matches nothing. */
export function inList(column: Sql, values: readonly (string | number)[]): Sql {
  return values.length === 0 ? sql`1 = 0` : sql`${column} IN (${join([...values])})`;
}

/** A `LIKE` pattern that finds the text anywhere, its own wildcards taken literally; goes with `ESCAPE '|'`. */
export function containing(text: string): string {
  return `%${text.replace(/[|%_]/g, '|$&')}%`;
}
