import { createConnection } from 'mysql2/promise';
import type { Ask } from './invariants.js';

/** Queries a database over a new connection each time. */
export function askOf(url: string): Ask {
  return async (sql) => (await query(url, sql)) as Awaited<ReturnType<Ask>>;
}

/** Runs statements over a new connection. */
export async function query(url: string, sql: string): Promise<unknown> {
  const options = { charset: 'utf8mb4', dateStrings: true, multipleStatements: true, connectTimeout: 2000 };
  const connection = await createConnection({ uri: url, ...options });
  try {
    const [rows] = await connection.query(sql);
    return rows;
  } finally {
    connection.destroy();
  }
}
