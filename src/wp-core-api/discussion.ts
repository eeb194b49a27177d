import sql from 'sql-template-tag';
import type { Database } from '../database/database.js';
import { inList } from '../wordpress/posts/post-rows.js';

/** Whether comments and pings are open for a record. */
export interface Discussion {
  comments: string;
  pings: string;
}

/** The discussion settings of records by id; no other query reads these columns. */
export async function discussionOf(
  database: Database,
  ids: readonly number[],
): Promise<Map<number, Discussion>> {
  if (ids.length === 0) return new Map();
  const rows = await database.query<Discussion & { id: number }>(
    sql`SELECT p.ID AS id, p.comment_status AS comments, p.ping_status AS pings
        FROM ${database.table('posts')} p WHERE ${inList(sql`p.ID`, ids)}`,
  );
  return new Map(rows.map((row) => [row.id, row]));
}
