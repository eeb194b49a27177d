import sql, { type Sql } from 'sql-template-tag';
import type { Database } from '../../database/database.js';
import { all, type Condition, type SortKey, WAYS } from './list-order.js';
import { inList } from './post-rows.js';

/** At most so many rows are named by their keys; more only by their last one. */
const MAX_IDS = 2000;

/** How far each attempt to fill a page reads, as a multiple of the usual, before all rows are sorted. */
export const SHARES = [1, 16];

/** The first rows of a list. */
export interface Beginning {
  /** Conditions for them. */
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
  const named =
    skipped > 0
      ? []
      : [
          inList(
            row,
            rows.map(({ id }) => id),
          ),
        ];
  return { near: [...named, ...edge], isAll };
}

/** Posts as such rows: type and status, the first conditions of a list, are in an index with the date. */
export const firstPosts = (table: Sql, conditions: readonly Condition[]) => ({
  table,
  row: sql`p.ID`,
  where: conditions.slice(0, 2),
});
