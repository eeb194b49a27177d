import sql, { type Sql } from 'sql-template-tag';
import type { Database } from '../../database/database.js';
import type { ListJoin } from './list-order.js';

/** The highest id from which on a table is counted in halves. */
const LARGE = 100_000;

/**
 * Conditions that split a large joined table by the ids of its posts, so that two connections count concurrently; none for other
 * lists.
 */
export async function halves(database: Database, joined?: ListJoin): Promise<Sql[][]> {
  if (!joined?.first || database.dialect === 'sqlite') return [[]];
  const { post, table } = joined;
  const [row] = await database.query<{ id: number | string | null }>(
    sql`SELECT MAX(${post}) AS id FROM ${table}`,
  );
  const highest = Number(row?.id ?? 0);
  const middle = Math.floor(highest / 2);
  return highest < LARGE ? [[]] : [[sql`${post} <= ${middle}`], [sql`${post} > ${middle}`]];
}
