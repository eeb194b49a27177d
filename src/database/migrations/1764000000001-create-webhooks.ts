import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dialectOf, quoted } from '../dialect.js';
import { tableName } from '../site-naming.js';

const SERIAL = ['BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY', 'INTEGER PRIMARY KEY AUTOINCREMENT'];
const NUMBER = ['BIGINT NOT NULL DEFAULT 0', 'INTEGER NOT NULL DEFAULT 0'];
const TEXT = ['TEXT NOT NULL', "TEXT NOT NULL DEFAULT ''"];
const text = (length: number) => [`VARCHAR(${length}) NOT NULL DEFAULT ''`, "TEXT NOT NULL DEFAULT ''"];
/** Names and ids, which are compared byte by byte. */
const ascii = (length: number) => [
  `VARCHAR(${length}) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT ''`,
  "TEXT NOT NULL DEFAULT ''",
];

interface Table {
  /** Definitions for MySQL and for SQLite, by name. */
  columns: Readonly<Record<string, readonly string[]>>;
  keys: Readonly<Record<string, string>>;
}

const TABLES: Readonly<Record<string, Table>> = {
  almanac_webhooks: {
    columns: {
      id: SERIAL,
      url: TEXT,
      types: TEXT,
      description: TEXT,
      secret: ascii(255),
      previous_secret: ascii(255),
      previous_until: NUMBER,
      is_enabled: NUMBER,
      disabled_reason: text(255),
      journal_id: ascii(32),
      journal_position: NUMBER,
      missed_changes: NUMBER,
      missed_at: NUMBER,
      delivered_messages: NUMBER,
      failed_attempts: NUMBER,
      delivered_at: NUMBER,
      created_at: NUMBER,
    },
    keys: {},
  },
  almanac_deliveries: {
    columns: {
      id: SERIAL,
      webhook_id: NUMBER,
      seq: ['BIGINT NULL', 'INTEGER NULL'],
      message_id: ascii(64),
      message_type: ascii(100),
      record_type: ascii(32),
      record_id: NUMBER,
      slug: text(200),
      modified: ascii(19),
      changed_at: NUMBER,
      status: ascii(10),
      attempts: NUMBER,
      next_at: NUMBER,
      last_status: NUMBER,
      last_error: text(255),
      attempted_at: NUMBER,
      created_at: NUMBER,
    },
    keys: {
      'UNIQUE entry': 'webhook_id, seq',
      due: 'webhook_id, status, next_at',
      record: 'webhook_id, record_type, record_id, status, seq',
      message: 'message_id',
    },
  },
};

/** Creates the tables of webhooks and of the messages to them. */
export class CreateWebhooks1764000000001 implements MigrationInterface {
  name = 'CreateWebhooks1764000000001';

  async up(runner: QueryRunner): Promise<void> {
    const { connection } = runner;
    const dialect = dialectOf(connection);
    const isMysql = dialect === 'mysql';
    for (const [name, { columns, keys }] of Object.entries(TABLES)) {
      const table = tableName(connection, name);
      const lines = Object.entries(columns).map(([column, of]) => `${column} ${of[isMysql ? 0 : 1]}`);
      const indexes = Object.entries(keys).map(([key, list]) => {
        const [, unique = '', label = ''] = /^(UNIQUE )?(\w+)$/.exec(key) ?? [];
        return { unique, label, list };
      });
      if (isMysql) lines.push(...indexes.map(({ unique, label, list }) => `${unique}KEY ${label} (${list})`));
      const engine = isMysql ? ' ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci' : '';
      await runner.query(
        `CREATE TABLE IF NOT EXISTS ${quoted(dialect, table)} (${lines.join(', ')})${engine}`,
      );
      if (isMysql) continue;
      for (const { unique, label, list } of indexes)
        await runner.query(
          `CREATE ${unique}INDEX IF NOT EXISTS ${quoted(dialect, `${table}_${label}`)} ON ${quoted(dialect, table)} (${list})`,
        );
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    const { connection } = runner;
    for (const name of Object.keys(TABLES))
      await runner.query(`DROP TABLE ${quoted(dialectOf(connection), tableName(connection, name))}`);
  }
}
