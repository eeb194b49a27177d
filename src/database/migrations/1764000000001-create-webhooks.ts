import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ascii, createOwnTable, dropOwnTables, type OwnTable, SERIAL, text } from '../own-table.js';

const NUMBER = ['BIGINT NOT NULL DEFAULT 0', 'INTEGER NOT NULL DEFAULT 0'] as const;
const TEXT = ['TEXT NOT NULL', "TEXT NOT NULL DEFAULT ''"] as const;
const word = (length: number) => ascii(length, "NOT NULL DEFAULT ''");

const TABLES: Readonly<Record<string, OwnTable>> = {
  almanac_webhooks: {
    columns: {
      id: SERIAL,
      url: TEXT,
      types: TEXT,
      description: TEXT,
      secret: word(255),
      previous_secret: word(255),
      previous_until: NUMBER,
      is_enabled: NUMBER,
      disabled_reason: text(255),
      journal_id: word(32),
      journal_position: NUMBER,
      missed_changes: NUMBER,
      missed_at: NUMBER,
      delivered_messages: NUMBER,
      failed_attempts: NUMBER,
      delivered_at: NUMBER,
      created_at: NUMBER,
    },
  },
  almanac_deliveries: {
    columns: {
      id: SERIAL,
      webhook_id: NUMBER,
      seq: ['BIGINT NULL', 'INTEGER NULL'],
      message_id: word(64),
      message_type: word(100),
      record_type: word(32),
      record_id: NUMBER,
      slug: text(200),
      modified: word(19),
      changed_at: NUMBER,
      status: word(10),
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
    for (const [name, table] of Object.entries(TABLES)) await createOwnTable(runner, name, table);
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropOwnTables(runner, ...Object.keys(TABLES));
  }
}
