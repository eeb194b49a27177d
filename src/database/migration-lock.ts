import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { DataSource } from 'typeorm';
import { firstLine } from '../common/errors/first-line.js';
import { isRetryable } from './database-errors.js';
import { mysqlDriver } from './mysql-pool.js';
import { StartError } from './start-error.js';

/** How long to wait for migrations of another process, in seconds. */
const MAX_WAIT_SECONDS = 60;

/**
 * Runs migrations exclusively; a second process waits, then finds what is left to do. On MySQL it takes a named lock on a
 * connection of its own, as the pool may have only one. SQLite locks the file and fails, so the work is retried.
 */
export async function withMigrationLock<T>(
  { options }: DataSource,
  work: () => Promise<T>,
  wait = MAX_WAIT_SECONDS,
): Promise<T> {
  if (options.type !== 'mysql') return retried(work, wait);
  const lockSource = new DataSource({ ...options, driver: mysqlDriver(), entities: [], migrations: [] });
  try {
    await lockSource.initialize();
    const site = sql`CONCAT('almanac-migrate:', LEFT(SHA2(CONCAT(DATABASE(), '/', ${options.entityPrefix ?? ''}), 256), 40))`;
    // The connection is idle while migrations run.
    const lock = sql`SELECT GET_LOCK(${site}, ${wait}) AS got`;
    const runner = lockSource.createQueryRunner();
    await runner.query('SET SESSION wait_timeout = 86400');
    const [row]: { got: number | null }[] = await runner.query(lock.sql, lock.values);
    if (row?.got !== 1)
      throw new StartError('Another process is creating or migrating this site: try again when it is done.');
    return await work();
  } finally {
    if (lockSource.isInitialized) await lockSource.destroy();
  }
}

/** Retries on a lock, and on a table created meanwhile, an error without a code on SQLite. */
async function retried<T>(work: () => Promise<T>, wait: number): Promise<T> {
  for (const giveUp = Date.now() + wait * 1000; ; await sleep(100))
    try {
      return await work();
    } catch (error) {
      const isConflict = isRetryable(error) || /already exists/.test(firstLine(error));
      if (!isConflict || Date.now() > giveUp) throw error;
    }
}
