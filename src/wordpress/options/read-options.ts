import sql, { join } from 'sql-template-tag';
import type { EntityManager } from 'typeorm';
import type { Database } from '../../database/database.js';

/** The stored texts of those options that exist, by name and in its order. */
export async function readOptions(
  database: Database,
  names: readonly string[],
  manager?: EntityManager,
): Promise<Map<string, string>> {
  const rows = await database.query<{ name: string; value: string }>(
    sql`SELECT option_name AS name, option_value AS value FROM ${database.table('options')}
        WHERE option_name IN (${join([...names])}) ORDER BY option_name`,
    manager,
  );
  return new Map(rows.map(({ name, value }) => [name, value]));
}
