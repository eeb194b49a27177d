import type { Post } from './post.entity.js';
import type { PostMeta } from './post-meta.entity.js';

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
export type PostRow = Omit<Post, (typeof UNREAD)[number]> & {
  /** Set where lists show the post once per row of a joined table: which of its entries this is. */
  entry?: PostEntry;
};

/** One of several list entries of a post. */
export interface PostEntry {
  /** The id that responses show. */
  id: number;
  /** The key of its row in the joined table. */
  row: number;
  /** What its address adds to the post's, such as `{ eventDate: '2027-05-18' }`: path segments, or query arguments. */
  address?: Readonly<Record<string, string>>;
}

/** The id by which responses name a post, or its entry. */
export const entryId = ({ id, entry }: Pick<PostRow, 'id' | 'entry'>): number => entry?.id ?? id;

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
