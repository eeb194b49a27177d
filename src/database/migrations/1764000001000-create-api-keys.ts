import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ascii, createOwnTable, dropOwnTables, type OwnTable, UNSIGNED } from '../own-table.js';

/** The table of API keys, without prefix. */
export const API_KEYS = 'almanac_api_keys';

const TABLE: OwnTable = {
  columns: {
    key_id: ascii(16),
    secret_hash: ascii(64),
    name: ['VARCHAR(100) NOT NULL', 'TEXT NOT NULL'],
    user_id: UNSIGNED,
    capabilities: ['TEXT NULL', 'TEXT NULL'],
    created_at: UNSIGNED,
    expires_at: ['BIGINT UNSIGNED NULL', 'INTEGER NULL'],
    used_at: ['BIGINT UNSIGNED NULL', 'INTEGER NULL'],
  },
  primary: 'key_id',
};

/** Creates the table of API keys. */
export class CreateApiKeys1764000001000 implements MigrationInterface {
  name = 'CreateApiKeys1764000001000';

  async up(runner: QueryRunner): Promise<void> {
    await createOwnTable(runner, API_KEYS, TABLE);
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropOwnTables(runner, API_KEYS);
  }
}
