import sql, { join, type Sql } from 'sql-template-tag';
import type { PostRow } from './post-record.js';
import { inList } from './post-rows.js';

/** The direction of a sort. */
export type Direction = 'ASC' | 'DESC';

export const WAYS = { ASC: sql`ASC`, DESC: sql`DESC` };

/** A condition, or a function that builds it: most lists are answered from memory and need none. */
export type Condition = Sql | (() => Sql);

/** A sort key of a list. */
export interface SortKey {
  key: Sql;
  direction: Direction;
  /** Whether it is a column of the joined table. */
  isJoined: boolean;
}

/** A post of a list; of a post with several entries, one of them by its row. */
export interface ListEntry {
  id: number;
  row?: number;
}

/** The place of an entry in a list with one sort key. */
export interface Place extends ListEntry {
  value: string | number;
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

/** A further table whose rows are the entries of a list: it filters or sorts by them. */
export interface ListJoin extends RowsOfPosts {
  /** Its primary key. */
  row: Sql;
  /** Whether it is read before posts: where nothing else narrows the list. */
  first: boolean;
  /** The condition that a post `p` has several rows: then each has an id of its own. */
  isRepeated: Sql;
  /** The condition that any post has. */
  hasRepeats: Sql;
  /** The id of a row of such a post. */
  entryId(row: number): number;
}

/** Rows of a table that belong to posts. */
export interface RowsOfPosts {
  /** Table with alias, such as `wp_occurrences o`. */
  table: Sql;
  /** Its column with the post's id. */
  post: Sql;
  /** Conditions of its rows. */
  where: readonly Condition[];
}

/** Conditions for the rest of a list after a place: for rows of the sorted table alone, and for all. */
export interface Rest {
  rows: readonly Sql[];
  all: readonly Sql[];
}

/** The conditions for the rest of a list after a place; none without one. `all` names the sort key as `key`, and the row. */
export function restAfter(
  place: Place | undefined,
  sort: SortKey | undefined,
  key = sort?.key,
  row?: Sql,
): Rest {
  if (!place || !sort || !key) return { rows: [], all: [] };
  const beyond = sort.direction === 'ASC' ? sql`>` : sql`<`;
  const { value, id } = place;
  const reached = (column: Sql) => sql`${column} ${beyond}= ${value}`;
  const isLater =
    row === undefined || place.row === undefined
      ? sql`p.ID > ${id}`
      : sql`(p.ID > ${id} OR (p.ID = ${id} AND ${row} > ${place.row}))`;
  const rows = [reached(sort.key)];
  if (!sort.isJoined) rows.push(sql`(${sort.key} ${beyond} ${value} OR p.ID >= ${id})`);
  return { rows, all: [reached(key), sql`(${key} ${beyond} ${value} OR ${isLater})`] };
}

/** The condition that a post `p` has a row in a table, which is not joined. */
export const hasRow = ({ table, post, where }: RowsOfPosts): Sql =>
  sql`EXISTS (SELECT 1 FROM ${table} WHERE ${all([sql`${post} = p.ID`, ...where])})`;

/** The first of several values of a post by its rows in a table, as a sort key. */
export const firstOf = (key: Sql, direction: Direction, { table, post, where }: RowsOfPosts): Sql =>
  sql`(SELECT ${direction === 'ASC' ? sql`MIN` : sql`MAX`}(${key}) FROM ${table} WHERE ${all([sql`${post} = p.ID`, ...where])})`;

/** The condition for entries, whose rows have this key. */
export function among(entries: readonly ListEntry[], row?: Sql): Sql {
  const [ids, rows] = [entries.map(({ id }) => id), entries.flatMap((entry) => entry.row ?? [])];
  const named = inList(sql`p.ID`, ids);
  if (!row || rows.length === 0) return named;
  const single = entries.flatMap((entry) => (entry.row === undefined ? entry.id : []));
  return sql`(${named} AND (${inList(sql`p.ID`, single)} OR ${inList(row, rows)}))`;
}

/** The conjunction of conditions. */
export const all = (conditions: readonly Condition[]): Sql =>
  conditions.length === 0 ? sql`1 = 1` : join(conditions.map(built), ' AND ');

const built = (condition: Condition): Sql => (typeof condition === 'function' ? condition() : condition);
