import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dialectOf, quoted } from '../dialect.js';
import { tableName } from '../site-naming.js';

/** Creates the table of requests with an `Idempotency-Key`. */
export class CreateIdempotency1764000000002 implements MigrationInterface {
  name = 'CreateIdempotency1764000000002';

  async up(runner: QueryRunner): Promise<void> {
    const isMysql = dialectOf(runner.connection) === 'mysql';
    const digest = isMysql ? 'VARCHAR(43) CHARACTER SET ascii COLLATE ascii_bin NOT NULL' : 'TEXT NOT NULL';
    const text = isMysql ? 'MEDIUMTEXT' : 'TEXT';
    const engine = isMysql ? ' ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin' : '';
    const table = this.table(runner);
    const index = quoted(
      dialectOf(runner.connection),
      tableName(runner.connection, 'almanac_idempotency_age'),
    );
    await runner.query(
      `CREATE TABLE IF NOT EXISTS ${table} (id ${digest}, fingerprint ${digest}, results ${text} NOT NULL,
       response ${text} NULL, created_at ${isMysql ? 'BIGINT UNSIGNED' : 'INTEGER'} NOT NULL, PRIMARY KEY (id)
       )${engine}`,
    );
    await runner.query(`CREATE INDEX ${index} ON ${table} (created_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE ${this.table(runner)}`);
  }

  private table({ connection }: QueryRunner): string {
    return quoted(dialectOf(connection), tableName(connection, 'almanac_idempotency'));
  }
}
