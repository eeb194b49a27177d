import sql, { join, type Sql } from 'sql-template-tag';
import type { Database } from '../../database/database.js';
import { Post } from './post.entity.js';
import { UNREAD } from './post-record.js';

/** The columns of `posts p` that make a `PostRow`. */
export function postColumns(database: Database): Sql {
  return database.columns(Post, 'p', UNREAD);
}

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
