/** The meta rows of one record: key to values, in row order (lowest meta id first). */
export type PostMetaMap = ReadonlyMap<string, readonly string[]>;

/** One row of the posts table with its meta, as stored; dates are `YYYY-MM-DD HH:MM:SS` (zero dates included). */
export interface PostRecord {
  id: number;
  author: number;
  date: string;
  dateGmt: string;
  modified: string;
  modifiedGmt: string;
  content: string;
  title: string;
  excerpt: string;
  status: string;
  name: string;
  type: string;
  password: string;
  parent: number;
  menuOrder: number;
  mimeType: string;
  guid: string;
  meta: PostMetaMap;
}

/** The first row of a meta key, undefined when there is none: only that row counts for single-valued keys. */
export function firstMeta(post: Pick<PostRecord, 'meta'>, key: string): string | undefined {
  return post.meta.get(key)?.[0];
}
