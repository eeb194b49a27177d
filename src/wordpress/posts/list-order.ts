import sql, { join, type Sql } from 'sql-template-tag';
import type { PostRow } from './post-record.js';
import type { Database } from '../../database/database.js';
import { inList } from './post-rows.js';

export type Direction = 'ASC' | 'DESC';

export const WAYS = { ASC: sql`ASC`, DESC: sql`DESC` };

/** A condition, or a function that builds it: most lists are answered from memory and need none. */
export type Condition = Sql | (() => Sql);

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

export type CountedRow = PlacedRow & { total: number | string };

/** A further table that a list filters or sorts by; of several rows of a post the first one counts. */
export interface ListJoin {
  /** Table with alias, such as `wp_occurrences o`. */
  table: Sql;
  /** Its column with the post's id. */
  post: Sql;
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

export const all = (conditions: readonly Condition[]): Sql =>
  conditions.length === 0 ? sql`1 = 1` : join(conditions.map(built), ' AND ');

const built = (condition: Condition): Sql => (typeof condition === 'function' ? condition() : condition);

/** At most so many rows are named by their ids; more only by their last one. */
const MAX_IDS = 2000;

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
  { table, post, where }: Pick<ListJoin, 'table' | 'post' | 'where'>,
  { key, direction }: SortKey,
  reach: number,
): Promise<Beginning> {
  const skipped = reach > MAX_IDS ? reach - 1 : 0;
  const rows = await database.query<{ id: number; edge: string }>(
    sql`SELECT ${post} AS id, ${key} AS edge FROM ${table} WHERE ${all(where)}
        ORDER BY ${key} ${WAYS[direction]} LIMIT ${reach - skipped} OFFSET ${skipped}`,
  );
  const isAll = rows.length < reach - skipped;
  const edge = isAll ? [] : [sql`${key} ${direction === 'ASC' ? sql`<` : sql`>`} ${rows.at(-1)?.edge}`];
  const named = skipped > 0 ? [] : [inList(post, [...new Set(rows.map(({ id }) => id))])];
  return { near: [...named, ...edge], isAll };
}

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
