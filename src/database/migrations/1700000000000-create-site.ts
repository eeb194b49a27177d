import type { MigrationInterface, QueryRunner } from 'typeorm';
import { quoted } from '../dialect.js';
import { tableName } from '../site-naming.js';
import { KINDS, TABLES } from './data/site-tables.js';

/** The names of a site's tables, without prefix. */
export const SITE_TABLES = Object.keys(TABLES);

/** Creates the schema of a site as WordPress and the plugin do, only in a database of Almanac's own; existing tables stay. */
export class CreateSite1700000000000 implements MigrationInterface {
  name = 'CreateSite1700000000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const name of SITE_TABLES) await createTable(runner, name);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of [...SITE_TABLES].reverse())
      await runner.query(`DROP TABLE ${tableName(runner.connection, name)}`);
  }
}

/** Creates a table with its keys unless it exists. */
export async function createTable(runner: QueryRunner, name: string): Promise<void> {
  const mysql = runner.connection.options.type === 'mysql';
  const prefix = runner.connection.options.entityPrefix ?? '';
  const q = (text: string) => quoted(mysql ? 'mysql' : 'sqlite', text);
  const { columns, primary, keys = {}, unique = {} } = TABLES[name] ?? { columns: '' };
  const table = q(tableName(runner.connection, name));
  const lines = columns.split(',').map((column) => {
    const [field = '', kind = ''] = column.trim().split(' ');
    return `${q(field)} ${definition(kind)[mysql ? 0 : 1]}`;
  });
  if (primary) lines.push(`PRIMARY KEY (${primary})`);
  const indexes = Object.entries({ ...keys, ...unique });
  const kindOf = (key: string) => (key in unique ? 'UNIQUE ' : '');
  // MySQL creates a table with its keys atomically: an interrupted start can continue.
  if (mysql) lines.push(...indexes.map(([key, list]) => `${kindOf(key)}KEY ${q(key)} (${list})`));
  const options = mysql ? ' ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci' : '';
  await runner.query(`CREATE TABLE IF NOT EXISTS ${table} (${lines.join(', ')})${options}`);
  if (mysql) return;
  for (const [key, list] of indexes) {
    // SQLite's index names are per database; it has no prefix lengths.
    const index = q(`${prefix}${name}_${key}`);
    await runner.query(`CREATE ${kindOf(key)}INDEX ${index} ON ${table} (${list.replace(/\(\d+\)/g, '')})`);
  }
  // For date lists of the embedded database; MySQL has the plugin's own keys.
  if (name === 'tec_occurrences')
    await runner.query(`CREATE INDEX "${prefix}occurrences_start" ON ${table} (start_date, post_id)`);
}

/** The definition of a column in both dialects. */
function definition(kind: string): readonly [mysql: string, sqlite: string] {
  if (kind in KINDS) return KINDS[kind as keyof typeof KINDS];
  const [type, fallback = ''] = kind.split('=');
  const rest = `NOT NULL DEFAULT '${fallback}'`;
  return [`${type} ${rest}`, `TEXT ${rest} COLLATE NOCASE`];
}
