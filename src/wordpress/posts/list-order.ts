import sql, { join, type Sql } from 'sql-template-tag';
import type { Database } from '../../database/database.js';
import type { PostRow } from './post-record.js';
import { inList } from './post-rows.js';

export type Direction = 'ASC' | 'DESC';

export const WAYS = { ASC: sql`ASC`, DESC: sql`DESC` };

/** A condition, or a function that builds it: most lists are answered from memory and need none. */
export type Condition = Sql | (() => Sql);

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

export type CountedRow = PlacedRow & { total: number | string };

/** A further table whose rows are the entries of a list: it filters or sorts by them. */
export interface ListJoin extends RowsOfPosts {
  /** Its primary key. */
  row: Sql;
  /** Whether it is read before posts: where nothing else narrows the list. */
  first: boolean;
  /** The condition that a post `p` has several rows: then each has an id of its own. */
  hasSeveral: Sql;
  /** The condition that any post has several. */
  anyHasSeveral: Sql;
  /** The id of a row of such a post. */
  entryId(row: number): number;
}

/** Rows of a table that belong to posts. */
export interface RowsOfPosts {
  /** Table with alias, such as `wp_occurrences o`. */
  table: Sql;
  /** Its column with the post's id. */
  post: Sql;
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

export const all = (conditions: readonly Condition[]): Sql =>
  conditions.length === 0 ? sql`1 = 1` : join(conditions.map(built), ' AND ');

const built = (condition: Condition): Sql => (typeof condition === 'function' ? condition() : condition);

/** At most so many rows are named by their ids; more only by their last one. */
const MAX_IDS = 2000;

/** How far each attempt to fill a page reads, as a multiple of the usual, before all rows are sorted. */
export const SHARES = [1, 16];

/** The first rows of a list. */
export interface Beginning {
  near: Sql[];
  /** Whether the list has no further rows. */
  isAll: boolean;
}

/**
 * So many first rows in a list's order: a page is full unless most of them do not match. Ties of the last row are left out, as some may
 * be missing.
 */
export async function firstRows(
  database: Database,
  { table, row, where }: { table: Sql; row: Sql; where: readonly Condition[] },
  { key, direction }: SortKey,
  reach: number,
): Promise<Beginning> {
  const skipped = reach > MAX_IDS ? reach - 1 : 0;
  const rows = await database.query<{ id: number; edge: string }>(
    sql`SELECT ${row} AS id, ${key} AS edge FROM ${table} WHERE ${all(where)}
        ORDER BY ${key} ${WAYS[direction]} LIMIT ${reach - skipped} OFFSET ${skipped}`,
  );
  const isAll = rows.length < reach - skipped;
  const edge = isAll ? [] : [sql`${key} ${direction === 'ASC' ? sql`<` : sql`>`} ${rows.at(-1)?.edge}`];
  const ids = rows.map(({ id }) => id);
  const named = skipped > 0 ? [] : [inList(row, ids)];
  return { near: [...named, ...edge], isAll };
}

/** Posts as such rows: type and status, the first conditions of a list, are in an index with the date. */
export const firstPosts = (table: Sql, conditions: readonly Condition[]) => ({
  table,
  row: sql`p.ID`,
  where: conditions.slice(0, 2),
});

/** The highest id from which on a table is counted in halves. */
const LARGE = 100_000;

/** Conditions that halve a large joined table by post ids, to count on two connections; else none. */
export async function halves(database: Database, joined?: ListJoin): Promise<Sql[][]> {
  if (!joined?.first || database.dialect === 'sqlite') return [[]];
  const { post, table } = joined;
  const [row] = await database.query<{ id: unknown }>(sql`SELECT MAX(${post}) AS id FROM ${table}`);
  const highest = Number(row?.id ?? 0);
  const middle = Math.floor(highest / 2);
  return highest < LARGE ? [[]] : [[sql`${post} <= ${middle}`], [sql`${post} > ${middle}`]];
}
