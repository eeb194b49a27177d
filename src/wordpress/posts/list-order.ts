import sql, { join, type Sql } from 'sql-template-tag';
import type { PostRow } from './post-record.js';

/** Which way a list is sorted. */
export type Direction = 'ASC' | 'DESC';

/** A condition, or how to make it: most lists are answered from memory, and need none. */
export type Condition = Sql | (() => Sql);

/** What a list is sorted by. */
export interface SortKey {
  key: Sql;
  direction: Direction;
  /** Whether it is of the joined table, of which a post may have several rows: it stands where its first one does. */
  isJoined: boolean;
}

/** Where a row stands in a list that is sorted by one key: what that is, and the id. */
export interface Place {
  value: string | number;
  id: number;
}

/** A part of a list: so many rows after others, or after a place. */
export interface Slice {
  skip: number;
  take: number;
  after?: Place;
  /** Whether each row has to say its place. */
  isPlaced: boolean;
}

/** A row that says by `position` what it is sorted by, where it was asked to. */
export type PlacedRow = PostRow & { position?: string | number };

/** A row that knows how many there are on all pages. */
export type CountedRow = PlacedRow & { total: number | string };

/** A further table that a list filters or sorts by; a post with several rows in it stands where its first one does. */
export interface ListJoin {
  /** Table with alias, such as `wp_occurrences o`. */
  table: Sql;
  /** Its column with the post's id. */
  post: Sql;
  /** What its rows must be. */
  where: readonly Condition[];
  /** Read it first, before posts: set when nothing else narrows the list down. */
  first: boolean;
}

/** What follows a place: conditions on posts `p`, and those on rows of the joined table. */
export interface Rest {
  posts: readonly Sql[];
  rows: readonly Sql[];
}

/** What is left of a list after a place; all of it without one. */
export function restAfter(place?: Place, sort?: SortKey, singleFlight?: ListJoin): Rest {
  if (!place || !sort) return { posts: [], rows: [] };
  const { key, direction, isJoined } = sort;
  const { value, id } = place;
  const [beyond, before] = direction === 'ASC' ? [sql`>`, sql`<`] : [sql`<`, sql`>`];
  const reached = sql`${key} ${beyond}= ${value}`;
  if (!isJoined || !singleFlight)
    return { posts: [reached, sql`(${key} ${beyond} ${value} OR p.ID > ${id})`], rows: [] };
  const rows = all([sql`p.ID = ${singleFlight.post}`, ...singleFlight.where]);
  const listed = sql`NOT EXISTS (SELECT 1 FROM ${singleFlight.table} WHERE ${rows}
    AND (${key} ${before} ${value} OR (${key} = ${value} AND p.ID <= ${id})))`;
  return { posts: [listed], rows: [reached] };
}

/** That a post `p` has a row in a table that is not joined then: posts are read first, and looked up there. */
export const hasRow = ({ table, post, where }: ListJoin): Sql =>
  sql`EXISTS (SELECT 1 FROM ${table} WHERE ${all([sql`${post} = p.ID`, ...where])})`;

/** The first of several rows of a post. */
export const firstOf = ({ key, direction }: SortKey): Sql =>
  direction === 'ASC' ? sql`MIN(${key})` : sql`MAX(${key})`;

/** That all conditions hold. */
export const all = (conditions: readonly Condition[]): Sql =>
  conditions.length === 0 ? sql`1 = 1` : join(conditions.map(made), ' AND ');

const made = (condition: Condition): Sql => (typeof condition === 'function' ? condition() : condition);
