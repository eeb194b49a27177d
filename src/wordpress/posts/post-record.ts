import type { Post } from './post.entity.js';
import type { PostMeta } from './post-meta.entity.js';

/** Columns that no record is shown or decided by. */
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
  /** The rows that the meta was made of, where it was read to be changed. */
  metaRows?: readonly PostMeta[];
}

/** The first row of a meta key, undefined when there is none: only that row counts for single-valued keys. */
export function firstMeta(post: Pick<PostRecord, 'meta'>, key: string): string | undefined {
  return post.meta.get(key)?.[0];
}
