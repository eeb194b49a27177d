import { isPhpEmpty } from '../../lib/wordpress-text/formatting/php-empty.js';
import { compareLoosely } from '../../lib/wordpress-text/formatting/php-number.js';
import type { ExcerptSource } from '../../lib/wordpress-text/formatting/tribe-post-excerpt.js';
import { asInteger, asMap, unserialize } from '../../lib/wordpress-text/php-serialize.js';
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

/** The key of a post, or of its entry, whose id may be that of another post. */
export const entryKey = ({ id, entry }: Pick<PostRow, 'id' | 'entry'>): string =>
  entry ? `${id}/${entry.row}` : String(id);

/** The meta rows of one post or term: key to values, in row order (lowest meta id first). */
export type MetaMap = ReadonlyMap<string, readonly string[]>;

/** One row of the posts table with its meta, as stored; dates are `YYYY-MM-DD HH:MM:SS` (zero dates included). */
export interface PostRecord extends PostRow {
  meta: MetaMap;
  /** The meta rows, if the record was read for a change. */
  metaRows?: readonly PostMeta[];
  /** Its terms and dates, if they were read with it. */
  relations?: readonly string[];
}

/** The value of a single-valued meta key: its first row. */
export function firstMeta(post: Pick<PostRecord, 'meta'>, key: string): string | undefined {
  return post.meta.get(key)?.[0];
}

/** Whether a record has a password; "0" counts as empty in PHP. */
export function hasPassword({ password }: { password: string }): boolean {
  return !isPhpEmpty(password);
}

/** The ids of linked records in a meta key, in row order with duplicates; a row may be a serialised list. */
export function linkedIds(post: Pick<PostRecord, 'meta'>, key: string): number[] {
  return (post.meta.get(key) ?? []).flatMap(idsIn);
}

/** The record linked by the first row of a key: false if invisible, undefined without a positive id. */
export function firstLink<T extends { id: number }>(
  post: Pick<PostRecord, 'meta'>,
  key: string,
  visible: readonly T[],
): T | false | undefined {
  const row = firstMeta(post, key) ?? '';
  if (compareLoosely(row, '0') <= 0) return undefined;
  const [id] = idsIn(row);
  return visible.find((record) => record.id === id) ?? false;
}

/** The id in `_thumbnail_id`, else 0. */
export function thumbnailId(post: Pick<PostRecord, 'meta'>): number {
  return Number.parseInt(post.meta.get('_thumbnail_id')?.[0] ?? '', 10) || 0;
}

function idsIn(row: string): number[] {
  const ids = row.startsWith('a:')
    ? [...asMap(unserialize(row)).values()].map(asInteger)
    : [Number.parseInt(row, 10)];
  return ids.filter((id) => id > 0);
}

/** The columns and meta of a record that structured data reads. */
export type JsonLdSource = Pick<PostRecord, 'title' | 'content' | 'excerpt' | 'status' | 'password' | 'meta'>;

/** The texts of a record's structured data, rendered and escaped for a script. */
export interface JsonLdTexts {
  /** The title with its English prefix (R7). */
  name: string;
  /** The excerpt, or the first words of the content, as HTML. */
  description: string;
}

/** The stored title with its prefix, the source of `name`. */
export function jsonLdTitle(post: Pick<PostRecord, 'title' | 'status' | 'password'>): string {
  return prefixOf(post) + post.title;
}

/** The source of `description`: the excerpt, else the content. */
export function jsonLdExcerpt({ excerpt, content }: Pick<PostRecord, 'excerpt' | 'content'>): ExcerptSource {
  const isExcerpt = !isPhpEmpty(excerpt);
  return { text: isExcerpt ? excerpt : content, isExcerpt };
}

function prefixOf({ password, status }: Pick<PostRecord, 'status' | 'password'>): string {
  if (hasPassword({ password })) return 'Protected: ';
  return status === 'private' ? 'Private: ' : '';
}
