import sql, { join, type Sql } from 'sql-template-tag';
import type { PostRow } from './post-record.js';

/** The direction of a sort. */
export type Direction = 'ASC' | 'DESC';

export const WAYS = { ASC: sql`ASC`, DESC: sql`DESC` };

/** A condition, or a function that builds it: most lists are answered from memory and need none. */
export type Condition = Sql | (() => Sql);

/** A sort key of a list. */
export interface SortKey {
  key: Sql;
  direction: Direction;
  /** Whether it is a column of the joined table, where a post may have several rows: the first one counts. */
  isJoined: boolean;
}

/** The place of a row in a list with one sort key: its value, and the id. */
export interface Place {
  value: string | number;
  id: number;
}

/** A part of a list: so many rows after others, or after a place. */
export interface Slice {
  skip: number;
  take: number;
  after?: Place;
  /** Whether rows need their `position`. */
  isPlaced: boolean;
}

/** A row with its sort key as `position`, where a list starts after a place. */
export type PlacedRow = PostRow & { position?: string | number };

/** A row with the number of rows on all pages. */
export type CountedRow = PlacedRow & { total: number | string };

/** A further table that a list filters or sorts by; of several rows of a post the first one counts. */
export interface ListJoin {
  /** Table with alias, such as `wp_occurrences o`. */
  table: Sql;
  /** Its column with the post's id. */
  post: Sql;
  /** Conditions of its rows. */
  where: readonly Condition[];
  /** Whether it is read before posts: where nothing else narrows the list. */
  first: boolean;
}

/** Conditions for the rest of a list after a place: on posts `p`, and on rows of the joined table. */
export interface Rest {
  posts: readonly Sql[];
  rows: readonly Sql[];
}

/** The conditions for the rest of a list after a place; none without one. */
export function restAfter(place?: Place, sort?: SortKey, joined?: ListJoin): Rest {
  if (!place || !sort) return { posts: [], rows: [] };
  const { key, direction, isJoined } = sort;
  const { value, id } = place;
  const [beyond, before] = direction === 'ASC' ? [sql`>`, sql`<`] : [sql`<`, sql`>`];
  const reached = sql`${key} ${beyond}= ${value}`;
  if (!isJoined || !joined)
    return { posts: [reached, sql`(${key} ${beyond} ${value} OR p.ID > ${id})`], rows: [] };
  const rows = all([sql`p.ID = ${joined.post}`, ...joined.where]);
  const listed = sql`NOT EXISTS (SELECT 1 FROM ${joined.table} WHERE ${rows}
    AND (${key} ${before} ${value} OR (${key} = ${value} AND p.ID <= ${id})))`;
  return { posts: [listed], rows: [reached] };
}

/** The condition that a post `p` has a row in a table, which is not joined: posts are read first. */
export const hasRow = ({ table, post, where }: ListJoin): Sql =>
  sql`EXISTS (SELECT 1 FROM ${table} WHERE ${all([sql`${post} = p.ID`, ...where])})`;

/** The first of several rows of a post. */
export const firstOf = ({ key, direction }: SortKey): Sql =>
  direction === 'ASC' ? sql`MIN(${key})` : sql`MAX(${key})`;

/** The conjunction of conditions. */
export const all = (conditions: readonly Condition[]): Sql =>
  conditions.length === 0 ? sql`1 = 1` : join(conditions.map(built), ' AND ');

const built = (condition: Condition): Sql => (typeof condition === 'function' ? condition() : condition);
