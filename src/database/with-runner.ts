import type { PoolConnection } from 'mysql2';
import type { DataSource, QueryRunner } from 'typeorm';

/**
 * Runs work on one connection, and rolls back a transaction that an error leaves open. Unlike TypeORM's `transaction`, destroys a
 * connection whose rollback fails: its next user would inherit the transaction.
 */
export async function withRunner<T>(
  source: DataSource,
  work: (runner: QueryRunner) => Promise<T>,
): Promise<T> {
  const runner = source.createQueryRunner();
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
