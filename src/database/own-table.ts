import type { QueryRunner } from 'typeorm';
import { dialectOf, quoted } from './dialect.js';
import { tableName } from './site-naming.js';

/** A column's definition on MySQL and on SQLite. */
type Definition = readonly [mysql: string, sqlite: string];

/** A table of Almanac's own. */
export interface OwnTable {
  columns: Readonly<Record<string, Definition>>;
  /** The columns of the primary key; without them, a column is defined as it. */
  primary?: string;
  /** Columns of indexes by name; `UNIQUE` may precede the name. */
  keys?: Readonly<Record<string, string>>;
  /** MySQL's collation of texts; `utf8mb4_unicode_520_ci` by default. */
  collation?: string;
}

export const SERIAL: Definition = [
  'BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY',
  'INTEGER PRIMARY KEY AUTOINCREMENT',
];
export const UNSIGNED: Definition = ['BIGINT UNSIGNED NOT NULL', 'INTEGER NOT NULL'];

/** A text of ASCII that is compared byte by byte, such as a name, a kind, a date or a checksum. */
export const ascii = (length: number, rest = 'NOT NULL'): Definition => [
  `VARCHAR(${length}) CHARACTER SET ascii COLLATE ascii_bin ${rest}`,
  `TEXT ${rest}`,
];

/** A text that is empty by default. */
export const text = (length: number): Definition => [
  `VARCHAR(${length}) NOT NULL DEFAULT ''`,
  "TEXT NOT NULL DEFAULT ''",
];

/** Creates a table with its keys unless it exists; the name is without prefix. */
export async function createOwnTable(
  runner: QueryRunner,
  name: string,
  { columns, primary, keys = {}, collation = 'utf8mb4_unicode_520_ci' }: OwnTable,
): Promise<void> {
  const dialect = dialectOf(runner.connection);
  const isMysql = dialect === 'mysql';
  const full = tableName(runner.connection, name);
  const table = quoted(dialect, full);
  const lines = Object.entries(columns).map(([column, of]) => `${column} ${of[isMysql ? 0 : 1]}`);
  if (primary !== undefined) lines.push(`PRIMARY KEY (${primary})`);
  const indexes = Object.entries(keys).map(([key, list]) => {
    const [, unique = '', label = ''] = /^(UNIQUE )?(\w+)$/.exec(key) ?? [];
    return { unique, label, list };
  });
  // MySQL creates a table with its keys atomically; SQLite's index names are per database.
  if (isMysql) lines.push(...indexes.map(({ unique, label, list }) => `${unique}KEY ${label} (${list})`));
  const engine = isMysql ? ` ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=${collation}` : '';
  await runner.query(`CREATE TABLE IF NOT EXISTS ${table} (${lines.join(', ')})${engine}`);
  if (isMysql) return;
  for (const { unique, label, list } of indexes)
    await runner.query(
      `CREATE ${unique}INDEX IF NOT EXISTS ${quoted(dialect, `${full}_${label}`)} ON ${table} (${list})`,
    );
}

/** Drops tables by their names without prefix. */
export async function dropOwnTables(runner: QueryRunner, ...names: readonly string[]): Promise<void> {
  for (const name of names)
    await runner.query(
      `DROP TABLE ${quoted(dialectOf(runner.connection), tableName(runner.connection, name))}`,
    );
}
