import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dialectOf, quoted } from '../dialect.js';
import { tableName } from '../site-naming.js';

const COLUMNS = [
  ['id', 'BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY', 'INTEGER PRIMARY KEY AUTOINCREMENT'],
  ['name', 'VARCHAR(100) CHARACTER SET ascii COLLATE ascii_bin NOT NULL', 'TEXT NOT NULL'],
  ['period_of', 'VARCHAR(100) CHARACTER SET ascii COLLATE ascii_bin NULL UNIQUE', 'TEXT NULL UNIQUE'],
  ['payload', 'LONGTEXT NOT NULL', 'TEXT NOT NULL'],
  ['due_at', 'BIGINT UNSIGNED NOT NULL', 'INTEGER NOT NULL'],
  ['attempts', 'INT UNSIGNED NOT NULL DEFAULT 0', 'INTEGER NOT NULL DEFAULT 0'],
  ['failed_at', 'BIGINT UNSIGNED NOT NULL DEFAULT 0', 'INTEGER NOT NULL DEFAULT 0'],
  ['last_error', "VARCHAR(500) NOT NULL DEFAULT ''", "TEXT NOT NULL DEFAULT ''"],
] as const;

/** Creates the queue of plugins' jobs. */
export class CreateJobs1764100000000 implements MigrationInterface {
  name = 'CreateJobs1764100000000';

  async up(runner: QueryRunner): Promise<void> {
    const { connection } = runner;
    const dialect = dialectOf(connection);
    const isMysql = dialect === 'mysql';
    const table = quoted(dialect, tableName(connection, 'almanac_jobs'));
    const columns = COLUMNS.map(([name, mysql, sqlite]) => `${name} ${isMysql ? mysql : sqlite}`);
    const key = quoted(dialect, tableName(connection, 'almanac_jobs_due'));
    const due = '(failed_at, name, due_at)';
    const index = isMysql ? `, KEY ${key} ${due}` : '';
    const engine = isMysql ? ' ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci' : '';
    await runner.query(`CREATE TABLE IF NOT EXISTS ${table} (${columns.join(', ')}${index})${engine}`);
    if (!isMysql) await runner.query(`CREATE INDEX IF NOT EXISTS ${key} ON ${table} ${due}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    const { connection } = runner;
    await runner.query(`DROP TABLE ${quoted(dialectOf(connection), tableName(connection, 'almanac_jobs'))}`);
  }
}
