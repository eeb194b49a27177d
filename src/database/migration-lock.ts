import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { DataSource } from 'typeorm';
import { firstLine } from '../common/errors/first-line.js';
import { isRetryable } from './database-errors.js';
import { mysqlDriver } from './mysql-pool.js';
import { StartError } from './start-error.js';

/** Longest wait for somebody else's migrations, in seconds. */
const MAX_WAIT_MS = 60;

/**
 * Makes or migrates a site while nobody else does: whoever comes second waits, and then finds what is left to do. On MySQL that
 * is a named lock of the server, which goes with its connection, one of its own: a pool may have no second one. SQLite locks
 * the file, and refuses: there the work is done again.
 */
export async function withMigrationLock<T>(
  { options }: DataSource,
  work: () => Promise<T>,
  wait = MAX_WAIT_MS,
): Promise<T> {
  if (options.type !== 'mysql') return repeated(work, wait);
  const keeper = new DataSource({ ...options, driver: mysqlDriver(), entities: [], migrations: [] });
  try {
    await keeper.initialize();
    const site = sql`CONCAT('almanac-migrate:', LEFT(SHA2(CONCAT(DATABASE(), '/', ${options.entityPrefix ?? ''}), 256), 40))`;
    // The connection says nothing as long as migrations run.
    const lock = sql`SELECT GET_LOCK(${site}, ${wait}) AS got`;
    const runner = keeper.createQueryRunner();
    await runner.query('SET SESSION wait_timeout = 86400');
    const [row]: { got: number | null }[] = await runner.query(lock.sql, lock.values);
    if (row?.got !== 1)
      throw new StartError('Another process makes or migrates this site: try again when it is done.');
    return await work();
  } finally {
    if (keeper.isInitialized) await keeper.destroy();
  }
}

/** A table that somebody else has just made is no name for a new one, which SQLite says without a code. */
async function repeated<T>(work: () => Promise<T>, wait: number): Promise<T> {
  for (const giveUp = Date.now() + wait * 1000; ; await sleep(100))
    try {
      return await work();
    } catch (error) {
      const isInTheWay = isRetryable(error) || /already exists/.test(firstLine(error));
      if (!isInTheWay || Date.now() > giveUp) throw error;
    }
}
