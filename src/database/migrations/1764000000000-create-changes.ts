import { randomBytes } from 'node:crypto';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dialectOf, quoted } from '../dialect.js';
import { ascii, createOwnTable, dropOwnTables, type OwnTable, text, UNSIGNED } from '../own-table.js';
import { tableName } from '../site-naming.js';

/** What both tables say of a record. */
const RECORD = {
  record_type: ascii(32),
  record_id: UNSIGNED,
  slug: text(200),
  status: text(20),
  author: ['BIGINT UNSIGNED NOT NULL DEFAULT 0', 'INTEGER NOT NULL DEFAULT 0'],
  modified: ascii(19, "NOT NULL DEFAULT ''"),
} as const;

const TABLES: Readonly<Record<string, OwnTable>> = {
  almanac_changes: {
    columns: {
      seq: UNSIGNED,
      ...RECORD,
      change_kind: ascii(12),
      status_before: text(20),
      changed_at: UNSIGNED,
      source: ascii(8),
    },
    primary: 'seq',
    // Tells whether a record has later entries.
    keys: { record: 'record_id, record_type, seq' },
  },
  almanac_records: {
    columns: {
      ...RECORD,
      dates: ascii(40, "NOT NULL DEFAULT ''"),
      checksum: ascii(32, "NOT NULL DEFAULT ''"),
    },
    // Ranges of ids are compared with those of the posts table.
    primary: 'record_id, record_type',
  },
};

/** Creates the journal of changes and the last known state of each record; the row `0, ''` identifies the journal. */
export class CreateChanges1764000000000 implements MigrationInterface {
  name = 'CreateChanges1764000000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, table] of Object.entries(TABLES)) await createOwnTable(runner, name, table);
    const { connection } = runner;
    const dialect = dialectOf(connection);
    const ignore = dialect === 'mysql' ? 'IGNORE' : 'OR IGNORE';
    await runner.query(
      `INSERT ${ignore} INTO ${quoted(dialect, tableName(connection, 'almanac_records'))}
       (record_type, record_id, checksum) VALUES ('', 0, '${randomBytes(8).toString('hex')}')`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropOwnTables(runner, ...Object.keys(TABLES));
  }
}
