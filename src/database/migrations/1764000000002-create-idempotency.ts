import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ascii, createOwnTable, dropOwnTables, type OwnTable, UNSIGNED } from '../own-table.js';

const NAME = 'almanac_idempotency';
const TABLE: OwnTable = {
  columns: {
    id: ascii(43),
    fingerprint: ascii(43),
    results: ['MEDIUMTEXT NOT NULL', 'TEXT NOT NULL'],
    response: ['MEDIUMTEXT NULL', 'TEXT NULL'],
    created_at: UNSIGNED,
  },
  primary: 'id',
  keys: { age: 'created_at' },
  collation: 'utf8mb4_bin',
};

/** Creates the table of requests with an `Idempotency-Key`. */
export class CreateIdempotency1764000000002 implements MigrationInterface {
  name = 'CreateIdempotency1764000000002';

  async up(runner: QueryRunner): Promise<void> {
    await createOwnTable(runner, NAME, TABLE);
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropOwnTables(runner, NAME);
  }
}
