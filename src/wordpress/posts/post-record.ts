import type { Post, PostMeta } from './post.entity.js';

/** Columns that are never read. */
export const UNREAD = [
  'commentStatus',
  'pingStatus',
  'toPing',
  'pinged',
  'contentFiltered',
  'commentCount',
] as const satisfies readonly (keyof Post)[];

/** A row of `posts` as it is read, without its meta. */
export type PostRow = Omit<Post, (typeof UNREAD)[number]>;

/** The meta rows of one post or term: key to values, in row order (lowest meta id first). */
export type MetaMap = ReadonlyMap<string, readonly string[]>;

/** One row of the posts table with its meta, as stored; dates are `YYYY-MM-DD HH:MM:SS` (zero dates included). */
export interface PostRecord extends PostRow {
  meta: MetaMap;
  /** The meta rows, if the record was read for a change. */
  metaRows?: readonly PostMeta[];
}

/** The value of a single-valued meta key: its first row. */
export function firstMeta(post: Pick<PostRecord, 'meta'>, key: string): string | undefined {
  return post.meta.get(key)?.[0];
}
