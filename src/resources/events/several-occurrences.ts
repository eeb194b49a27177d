import sql, { type Sql } from 'sql-template-tag';
import type { EntityManager } from 'typeorm';
import type { Database } from '../../database/database.js';

/** How long the next occurrence of an event stays the same for readers, in milliseconds. */
export const STEP_MS = 60_000;

/** The post of an id, which may be that of an occurrence. */
export type PostOf = (id: number) => number;

/** The condition that occurrence `o` is the last one of its post. */
export const isLast = (database: Database): Sql =>
  sql`NOT EXISTS (SELECT 1 FROM ${database.table('tec_occurrences')} r WHERE r.post_id = o.post_id AND (r.start_date_utc > o.start_date_utc
    OR (r.start_date_utc = o.start_date_utc AND r.occurrence_id > o.occurrence_id)))`;

/** The condition that a post has several occurrences. */
export const hasSeveral = (database: Database, post: Sql): Sql =>
  sql`(SELECT 1 FROM ${database.table('tec_occurrences')} r WHERE r.post_id = ${post} LIMIT 1 OFFSET 1) IS NOT NULL`;

/** Whether an event takes place on several dates. */
export async function hasSeveralOccurrences(
  database: Database,
  postId: number,
  manager?: EntityManager,
): Promise<boolean> {
  const [row] = await database.query<{ count: number | string }>(
    sql`SELECT COUNT(*) AS count FROM ${database.table('tec_occurrences')} WHERE post_id = ${postId}`,
    manager,
  );
  return Number(row?.count) > 1;
}
