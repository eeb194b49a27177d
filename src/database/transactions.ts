import { createHash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import type { PoolConnection } from 'mysql2';
import sql from 'sql-template-tag';
import type { EntityManager, QueryRunner } from 'typeorm';
import { stillWanted, workForAll } from './caller.js';
import { Changes } from './changes.js';
import { Database } from './database.js';
import { databaseAway, isReadOnly, isWorthRepeating, readOnly } from './database-errors.js';
import { isSessionMode, setUpSession } from './mysql-session.js';

/** Work that a write does in one transaction; what it leaves for later runs once the rows are committed. */
export class Transaction {
  readonly actions: (() => void | Promise<void>)[] = [];

  constructor(readonly manager: EntityManager) {}

  /** Runs after the commit, never when the transaction is rolled back; a failure is logged and changes nothing. */
  afterCommit(action: () => void | Promise<void>): void {
    this.actions.push(action);
  }
}

const ATTEMPTS = 4;
/** Longest wait for the turn to write, in seconds. */
const LONGEST_WAIT = 20;

/**
 * Runs writes one at a time per site, each in one transaction. WordPress's tables have no unique keys for slugs, term
 * names or options, so a turn is the only thing that keeps two writers from taking the same one. Within a process the turn
 * is a queue, so that waiting writers hold no connection; between processes it is a named lock of the server.
 */
@Injectable()
export class Transactions {
  private last: Promise<unknown> = Promise.resolve();
  private readonly lockName: string;
  private readonly logger = new Logger('Transactions');

  constructor(
    private readonly database: Database,
    private readonly changes: Changes,
  ) {
    const { database: name, entityPrefix } = database.source.options;
    const site = createHash('sha1')
      .update(`${String(name)}/${entityPrefix ?? ''}`)
      .digest('hex');
    this.lockName = `almanac:${site}`;
  }

  /** Commits what `work` did, or leaves nothing; deadlocks and lock timeouts are tried again up to three times. */
  run<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    const asked = Date.now();
    const turn = this.last.then(() => {
      stillWanted();
      if (Date.now() - asked > LONGEST_WAIT * 1000) throw databaseAway('the queue of writes is too long');
      return this.attempt(work);
    });
    this.last = turn.catch(() => undefined);
    return turn;
  }

  private async attempt<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        // Also when it failed: a commit may have come through all the same.
        const { result, actions } = await this.once(work).finally(() => this.changes.committed());
        for (const action of actions) await this.afterwards(action);
        return result;
      } catch (error) {
        if (isReadOnly(error)) throw readOnly();
        if (!isWorthRepeating(error)) throw error;
        if (attempt === ATTEMPTS) throw databaseAway('it kept refusing the locks');
        await new Promise((resolve) => setTimeout(resolve, 20 * attempt + Math.random() * 50));
      }
    }
  }

  /** The rows are there already: whatever happens now must not look like a failed write, nor repeat it. */
  private async afterwards(action: () => void | Promise<void>): Promise<void> {
    try {
      await workForAll(async () => action());
    } catch (error) {
      this.logger.error(`After a write that was committed: ${error instanceof Error ? error.stack : error}`);
    }
  }

  private async once<T>(work: (transaction: Transaction) => Promise<T>) {
    const runner = this.database.source.createQueryRunner();
    const connection: Partial<PoolConnection> = await runner.connect();
    try {
      await this.lock(runner);
      await runner.startTransaction();
      const transaction = new Transaction(runner.manager);
      const result = await work(transaction);
      await runner.commitTransaction();
      this.changes.expectTrace();
      return { result, actions: transaction.actions };
    } catch (error) {
      if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => connection.destroy?.());
      throw error;
    } finally {
      // A connection that kept the turn, or half of a write, would hand it to whoever gets it next.
      await this.unlock(runner).catch(() => connection.destroy?.());
      await runner.release();
    }
  }

  private async lock(runner: QueryRunner): Promise<void> {
    if (this.database.dialect !== 'mysql') return;
    const [row] = await this.database.query<{ got: number | null; mode: string }>(
      sql`SELECT GET_LOCK(${this.lockName}, ${LONGEST_WAIT}) AS got, @@SESSION.sql_mode AS mode`,
      runner.manager,
    );
    if (row?.got !== 1) throw databaseAway('another process is writing');
    // A proxy may have reset the session since it was set up.
    if (!isSessionMode(row.mode)) await setUpSession(await runner.connect());
  }

  private async unlock(runner: QueryRunner): Promise<void> {
    if (this.database.dialect !== 'mysql' || runner.isReleased) return;
    await this.database.query(sql`SELECT RELEASE_LOCK(${this.lockName})`, runner.manager);
  }
}
