import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import sql from 'sql-template-tag';
import type { EntityManager, QueryRunner } from 'typeorm';
import { stillWanted } from './caller.js';
import { Database } from './database.js';

/** Work that a write does in one transaction; what it leaves for later runs once the rows are committed. */
export class Transaction {
  private readonly actions: (() => void | Promise<void>)[] = [];

  constructor(readonly manager: EntityManager) {}

  /** Runs after the commit; never when the transaction is rolled back. */
  afterCommit(action: () => void | Promise<void>): void {
    this.actions.push(action);
  }

  async committed(): Promise<void> {
    for (const action of this.actions) await action();
  }
}

/** The database could not take a write in time; answered with 503 and `Retry-After`. */
export class WriteBusy extends Error {}

const ATTEMPTS = 4;
/** Longest wait for the turn to write, in seconds. */
const LONGEST_WAIT = 20;
const RETRIED = new Set([
  'ER_LOCK_DEADLOCK',
  'ER_LOCK_WAIT_TIMEOUT',
  'ER_CHECKREAD',
  'SQLITE_BUSY',
  'SQLITE_LOCKED',
]);

/**
 * Runs writes one at a time per site, each in one transaction. WordPress's tables have no unique keys for slugs, term
 * names or options, so a turn is the only thing that keeps two writers from taking the same one. Within a process the turn
 * is a queue, so that waiting writers hold no connection; between processes it is a named lock of the server.
 */
@Injectable()
export class Transactions {
  private last: Promise<unknown> = Promise.resolve();
  private readonly lockName: string;

  constructor(private readonly database: Database) {
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
      if (Date.now() - asked > LONGEST_WAIT * 1000) throw new WriteBusy('the queue of writes is too long');
      return this.attempt(work);
    });
    this.last = turn.catch(() => undefined);
    return turn;
  }

  private async attempt<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.once(work);
      } catch (error) {
        if (!RETRIED.has((error as { code?: string }).code ?? '')) throw error;
        if (attempt === ATTEMPTS) throw new WriteBusy('the database kept refusing the locks');
        await new Promise((resolve) => setTimeout(resolve, 20 * attempt + Math.random() * 50));
      }
    }
  }

  private async once<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    const runner = this.database.source.createQueryRunner();
    try {
      await runner.connect();
      await this.lock(runner);
      await runner.startTransaction();
      const transaction = new Transaction(runner.manager);
      const result = await work(transaction);
      await runner.commitTransaction();
      await transaction.committed();
      return result;
    } catch (error) {
      if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
      throw error;
    } finally {
      await this.unlock(runner).catch(() => undefined);
      await runner.release();
    }
  }

  private async lock(runner: QueryRunner): Promise<void> {
    if (this.database.dialect !== 'mysql') return;
    const { sql: text, values } = sql`SELECT GET_LOCK(${this.lockName}, ${LONGEST_WAIT}) AS got`;
    const [row]: { got: number | null }[] = await runner.query(text, values);
    if (row?.got !== 1) throw new WriteBusy('another process is writing');
  }

  private async unlock(runner: QueryRunner): Promise<void> {
    if (this.database.dialect !== 'mysql' || runner.isReleased) return;
    const { sql: text, values } = sql`SELECT RELEASE_LOCK(${this.lockName})`;
    await runner.query(text, values);
  }
}
