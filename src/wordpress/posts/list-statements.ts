import sql, { empty, join, type Sql } from 'sql-template-tag';
import type { Database } from '../../database/database.js';
import { straightJoin } from '../../database/dialect.js';
import { all, type Condition, type ListJoin, type SortKey, WAYS } from './list-order.js';

/** How the tables of a list are read. */
interface Reading {
  /** Selects the ids of the few posts that match: these are read first. */
  few?: Sql;
  /** For a page: conditions of the rows to sort, and their key unless posts are sorted. */
  rows?: { near: readonly Sql[]; key?: Sql };
  /** For a total: conditions of the rows to count. */
  part?: readonly Sql[];
}

/** The tables of a list with a joined table, whose rows are `j` where they are read first. */
export function joinedTables(
  { dialect }: Database,
  posts: Sql,
  { table, post, row, where, first }: ListJoin,
  { few, rows, part = [] }: Reading,
): Sql {
  const straight = straightJoin(dialect);
  const on = all([sql`p.ID = ${post}`, ...where]);
  if (few) return sql`(${few}) f ${straight} ${posts} ON p.ID = f.post_id ${straight} ${table} ON ${on}`;
  if (!first) return sql`${posts} JOIN ${table} ON ${on}`;
  if (rows && !rows.key) return sql`${posts} ${straight} ${table} ON ${on}`;
  // Read by themselves first: mostly in the order of posts, which are then looked up.
  const key = rows?.key ? sql`, ${rows.key} AS sort_1` : empty;
  const conditions = all([...where, ...(rows?.near ?? part)]);
  return sql`(SELECT DISTINCT ${post} AS post_id, ${row} AS row_id${key} FROM ${table} WHERE ${conditions}) j
    ${straight} ${posts} ON p.ID = j.post_id`;
}

/** The key of an entry's row, and the condition that its post has several. */
export interface Entries {
  row: Sql;
  hasSeveral: Sql;
}

/** The parts of the statement that reads a page. */
interface PageParts {
  columns: Sql;
  posts: Sql;
  from: Sql;
  where: readonly Condition[];
  order: readonly SortKey[];
  entries?: Entries;
  /** Whether rows bear the number of all matches. */
  isCounted: boolean;
  /** Whether rows bear their sort key. */
  isPlaced: boolean;
  limit: { take: number; skip: number };
}

/** Reads a page: its ids first, so that long texts are not sorted. */
export function pageStatement(parts: PageParts): Sql {
  const { columns, posts, from, where, order, entries, isCounted, isPlaced, limit } = parts;
  const keys = order.map(({ key }, at) => sql`, ${key} AS ${SORT_KEYS[at]}`);
  const ways = order.map(({ direction }, at) => sql`${SORT_KEYS[at]} ${WAYS[direction]}`);
  const [row, rows] = entries ? [sql`, ${entries.row} AS row_id`, [sql`row_id`]] : [empty, []];
  const total = isCounted ? sql`, COUNT(*) OVER () AS total` : empty;
  const extra = [
    isCounted ? sql`, x.total` : empty,
    isPlaced ? sql`, x.sort_1 AS position` : empty,
    entries ? sql`, CASE WHEN ${entries.hasSeveral} THEN x.row_id END AS entryRow` : empty,
  ];
  return sql`SELECT ${columns}${join(extra, '')} FROM (SELECT p.ID AS id${join(keys, '', '', '')}${row}${total}
      FROM ${from} WHERE ${all(where)} ORDER BY ${join([...ways, sql`p.ID`, ...rows])} LIMIT ${limit.take} OFFSET ${limit.skip}) x
      JOIN ${posts} ON p.ID = x.id ORDER BY ${join([...ways, sql`x.id`, ...rows])}`;
}

const SORT_KEYS = [sql`sort_1`, sql`sort_2`];
