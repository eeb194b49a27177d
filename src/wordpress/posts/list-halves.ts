import sql, { type Sql } from 'sql-template-tag';
import type { Database } from '../../database/database.js';
import type { ListJoin } from './list-order.js';

/** From such an id of a post on its table takes long enough to be counted in halves. */
const LARGE = 100_000;

/**
 * Conditions that cut a large table that is read before posts in two, by the ids of its posts, so that two connections count at
 * once; none for all other lists.
 */
export async function halves(database: Database, singleFlight?: ListJoin): Promise<Sql[][]> {
  if (!singleFlight?.first || database.dialect === 'sqlite') return [[]];
  const { post, table } = singleFlight;
  const [row] = await database.query<{ id: number | string | null }>(
    sql`SELECT MAX(${post}) AS id FROM ${table}`,
  );
  const highest = Number(row?.id ?? 0);
  const middle = Math.floor(highest / 2);
  return highest < LARGE ? [[]] : [[sql`${post} <= ${middle}`], [sql`${post} > ${middle}`]];
}
