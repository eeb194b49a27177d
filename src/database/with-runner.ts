import type { PoolConnection } from 'mysql2';
import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import { beyondHooks } from './hook-guard.js';
import { tableName } from './site-naming.js';

/**
 * Runs work on one connection, and rolls back a transaction that an error leaves open. Unlike TypeORM's `transaction`, destroys a
 * connection whose rollback fails: its next user would inherit the transaction.
 */
export async function withRunner<T>(
  source: DataSource,
  work: (runner: QueryRunner) => Promise<T>,
): Promise<T> {
  const runner = beyondHooks(() => source.createQueryRunner());
  const connection: Partial<PoolConnection> = await runner.connect();
  try {
    return await work(runner);
  } catch (error) {
    if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => connection.destroy?.());
    throw error;
  } finally {
    await runner.release();
  }
}

/** Whether a table exists; its name is without prefix. */
export const hasTable = (source: DataSource, name: string): Promise<boolean> =>
  withRunner(source, (runner) => runner.hasTable(tableName(source, name)));

/** A further manager of a connection, which keeps its own. */
export function managerOf(runner: QueryRunner): EntityManager {
  const { connection, manager } = runner;
  const further = connection.createEntityManager(runner);
  // TypeORM has made it that of the connection.
  Object.assign(runner, { manager });
  return further;
}

/** Makes all further use of a manager an error. */
export function closeManager(manager: EntityManager): void {
  Object.defineProperty(manager, 'queryRunner', {
    get: () => {
      throw new Error('The transaction is over.');
    },
  });
}
