import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ascii, createOwnTable, dropOwnTables, type OwnTable, SERIAL, text, UNSIGNED } from '../own-table.js';

const NAME = 'almanac_jobs';
const TABLE: OwnTable = {
  columns: {
    id: SERIAL,
    name: ascii(100),
    period_of: ascii(100, 'NULL UNIQUE'),
    payload: ['LONGTEXT NOT NULL', 'TEXT NOT NULL'],
    due_at: UNSIGNED,
    attempts: ['INT UNSIGNED NOT NULL DEFAULT 0', 'INTEGER NOT NULL DEFAULT 0'],
    failed_at: ['BIGINT UNSIGNED NOT NULL DEFAULT 0', 'INTEGER NOT NULL DEFAULT 0'],
    last_error: text(500),
  },
  keys: { due: 'failed_at, name, due_at' },
};

/** Creates the queue of plugins' jobs. */
export class CreateJobs1764100000000 implements MigrationInterface {
  name = 'CreateJobs1764100000000';

  async up(runner: QueryRunner): Promise<void> {
    await createOwnTable(runner, NAME, TABLE);
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropOwnTables(runner, NAME);
  }
}
