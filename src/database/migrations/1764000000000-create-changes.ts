import { randomBytes } from 'node:crypto';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dialectOf, quoted } from '../dialect.js';
import { tableName } from '../site-naming.js';

/** MySQL's type of names, kinds, dates and checksums, which are compared byte by byte. */
const ascii = (length: number) => `VARCHAR(${length}) CHARACTER SET ascii COLLATE ascii_bin NOT NULL`;
const text = (length: number) => `VARCHAR(${length}) NOT NULL DEFAULT ''`;

/** What both tables say of a record. */
const RECORD = [
  ['record_type', ascii(32), 'TEXT NOT NULL'],
  ['record_id', 'BIGINT UNSIGNED NOT NULL', 'INTEGER NOT NULL'],
  ['slug', text(200), "TEXT NOT NULL DEFAULT ''"],
  ['status', text(20), "TEXT NOT NULL DEFAULT ''"],
  ['author', 'BIGINT UNSIGNED NOT NULL DEFAULT 0', 'INTEGER NOT NULL DEFAULT 0'],
  ['modified', `${ascii(19)} DEFAULT ''`, "TEXT NOT NULL DEFAULT ''"],
] as const;

const TABLES = {
  almanac_changes: {
    columns: [
      ['seq', 'BIGINT UNSIGNED NOT NULL', 'INTEGER NOT NULL'],
      ...RECORD,
      ['change_kind', ascii(12), 'TEXT NOT NULL'],
      ['status_before', text(20), "TEXT NOT NULL DEFAULT ''"],
      ['changed_at', 'BIGINT UNSIGNED NOT NULL', 'INTEGER NOT NULL'],
      ['source', ascii(8), 'TEXT NOT NULL'],
    ],
    primary: 'seq',
  },
  almanac_records: {
    columns: [
      ...RECORD,
      ['dates', `${ascii(40)} DEFAULT ''`, "TEXT NOT NULL DEFAULT ''"],
      ['checksum', `${ascii(32)} DEFAULT ''`, "TEXT NOT NULL DEFAULT ''"],
    ],
    // Ranges of ids are compared with those of the posts table.
    primary: 'record_id, record_type',
  },
} as const;

/** Creates the journal of changes and the last known state of each record; the row `0, ''` identifies the journal. */
export class CreateChanges1764000000000 implements MigrationInterface {
  name = 'CreateChanges1764000000000';

  async up(runner: QueryRunner): Promise<void> {
    const { connection } = runner;
    const dialect = dialectOf(connection);
    const engine =
      dialect === 'mysql' ? ' ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci' : '';
    for (const [name, { columns, primary }] of Object.entries(TABLES)) {
      const lines = columns.map(
        ([column, mysql, sqlite]) => `${column} ${dialect === 'mysql' ? mysql : sqlite}`,
      );
      const table = quoted(dialect, tableName(connection, name));
      await runner.query(
        `CREATE TABLE IF NOT EXISTS ${table} (${lines.join(', ')}, PRIMARY KEY (${primary}))${engine}`,
      );
    }
    const ignore = dialect === 'mysql' ? 'IGNORE' : 'OR IGNORE';
    await runner.query(
      `INSERT ${ignore} INTO ${quoted(dialect, tableName(connection, 'almanac_records'))}
       (record_type, record_id, checksum) VALUES ('', 0, '${randomBytes(8).toString('hex')}')`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    const { connection } = runner;
    for (const name of Object.keys(TABLES))
      await runner.query(`DROP TABLE ${quoted(dialectOf(connection), tableName(connection, name))}`);
  }
}
