import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dialectOf, quoted } from '../dialect.js';
import { tableName } from '../site-naming.js';

/** The table of API keys, without prefix. */
export const API_KEYS = 'almanac_api_keys';

/** Creates the table of API keys. */
export class CreateApiKeys1764000001000 implements MigrationInterface {
  name = 'CreateApiKeys1764000001000';

  async up(runner: QueryRunner): Promise<void> {
    const dialect = dialectOf(runner.connection);
    const table = quoted(dialect, tableName(runner.connection, API_KEYS));
    const isServer = dialect === 'mysql';
    const ascii = (length: number) =>
      isServer ? `VARCHAR(${length}) CHARACTER SET ascii COLLATE ascii_bin NOT NULL` : 'TEXT NOT NULL';
    const number = isServer ? 'BIGINT UNSIGNED' : 'INTEGER';
    await runner.query(
      `CREATE TABLE IF NOT EXISTS ${table} (
         key_id ${ascii(16)} PRIMARY KEY,
         secret_hash ${ascii(64)},
         name ${isServer ? 'VARCHAR(100)' : 'TEXT'} NOT NULL,
         user_id ${number} NOT NULL,
         capabilities TEXT NULL,
         created_at ${number} NOT NULL,
         expires_at ${number} NULL,
         used_at ${number} NULL
       )${isServer ? ' ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci' : ''}`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `DROP TABLE ${quoted(dialectOf(runner.connection), tableName(runner.connection, API_KEYS))}`,
    );
  }
}
