import { Injectable, Logger } from '@nestjs/common';
import type { PoolConnection } from 'mysql2';
import type { EntityManager, QueryRunner } from 'typeorm';
import { Environment } from '../config/env.js';
import { markCommitted, throwIfAborted, workToTheEnd } from '../common/context/abort.js';
import { getStore, runWith } from '../common/context/request-store.js';
import { RestException } from '../common/errors/rest-exception.js';
import { firstLine } from '../common/errors/first-line.js';
import { timed } from '../observability/logging/current-request.js';
import { TableVersions } from './table-versions.service.js';
import { Database } from './database.js';
import {
  hasTimedOut,
  isDatabaseUnavailable,
  isReadOnly,
  isDuplicateKey,
  isRetryable,
  notWritten,
  readOnly,
  unconfirmed,
} from './database-errors.js';
import { WriteLock } from './write-lock.js';

/** Work that a write does in one transaction; what it leaves for later runs once the rows are committed. */
export class Transaction {
  readonly actions: (() => void | Promise<void>)[] = [];
  /** Whether the work found that there is nothing to write. */
  isNoop = false;
  /** Whether the work goes on. */
  isOpen = true;

  constructor(
    readonly manager: EntityManager,
    private readonly turn: WriteLock,
  ) {}

  /** Runs after the commit, never when the transaction is rolled back; a failure is logged and changes nothing. */
  afterCommit(action: () => void | Promise<void>): void {
    this.actions.push(action);
  }

  /** Runs a part of the work: where it fails, what it wrote is taken back, and the rest of the transaction stands. */
  async savepoint<T>(work: () => Promise<T>): Promise<T> {
    const before = this.actions.length;
    await this.manager.query('SAVEPOINT part');
    try {
      const result = await work();
      await this.manager.query('RELEASE SAVEPOINT part');
      return result;
    } catch (error) {
      this.actions.length = before;
      // A deadlock has taken the whole transaction back, and is reported as such.
      await this.manager.query('ROLLBACK TO SAVEPOINT part').catch((lost: unknown) => {
        if (error instanceof RestException) throw lost;
      });
      throw error;
    }
  }

  /** Says that a record of the calendar was saved, at that time in epoch milliseconds. */
  async recordSave(savedAt: number): Promise<void> {
    await this.turn.save(savedAt);
  }
}

/** Longest wait for the turn to write, and longest time in which a write is tried again, in milliseconds. */
const MAX_WAIT_MS = 20_000;
/** Most writes that wait for their turn; whoever comes then is refused at once. */
const MAX_WAITING = 1000;
/** Most attempts of a write whose row is there already: a key that is taken for another reason stays so. */
const MAX_TAKEN = 3;
/** Longest pause between two attempts, in milliseconds. */
const MAX_PAUSE_MS = 200;

/**
 * Runs writes one at a time per site, each in one transaction. WordPress's tables have no unique keys for slugs, term
 * names or options, so a turn is the only thing that keeps two writers from taking the same one. The turn is a row
 * (`Turn`), between processes, servers and nodes of a cluster; within a process there is a queue before it, so that of all
 * who wait only the next one holds a connection.
 */
@Injectable()
export class Transactions {
  private last: Promise<unknown> = Promise.resolve();
  private waiting = 0;
  /** When the database last did not answer at all, by `performance.now()`. */
  private hungAt = Number.NEGATIVE_INFINITY;
  /** When a write last began, by `performance.now()`. */
  private begunAt = Number.NEGATIVE_INFINITY;
  private saysReadOnly = true;
  private readonly logger = new Logger('Transactions');

  constructor(
    private readonly database: Database,
    private readonly changes: TableVersions,
    private readonly env: Environment,
  ) {}

  /** Throws where nothing may be written, whoever asks: asked before a write does anything outside of the database. */
  checkWritable(): void {
    if (this.env.readOnly) throw readOnly();
  }

  /**
   * Commits what `work` did, or leaves nothing. What fails because of other transactions is tried again, the whole of it, for
   * twenty seconds. `savedAt`: the work will save a record of the calendar, at that time in epoch milliseconds; told
   * beforehand, it costs no statement.
   */
  async run<T>(work: (transaction: Transaction) => Promise<T>, savedAt?: number): Promise<T> {
    this.checkWritable();
    if (getStore()?.write?.isOpen)
      throw new Error(
        'A write that is begun within another one would wait for its own end: write by `manager`, or let it follow by `afterCommit`.',
      );
    if (this.waiting >= MAX_WAITING) throw notWritten('too many writes wait');
    const asked = performance.now();
    const before = this.last;
    let pass: () => void = () => undefined;
    this.last = new Promise<void>((resolve) => {
      pass = resolve;
    });
    this.waiting += 1;
    try {
      await this.inTime(before).finally(() => {
        this.waiting -= 1;
      });
      this.begunAt = performance.now();
      throwIfAborted();
      // It would take each of them as long to find out.
      if (this.hungAt > asked) throw notWritten('the write before was not answered');
      return await timed('db', () => this.attempt(() => this.once(work, savedAt, pass), pass));
    } finally {
      before.then(pass);
    }
  }

  /** Waits for what comes before, for as long as a write may wait: less where no other one begins, as the database hangs. */
  private async inTime(before: Promise<unknown>): Promise<void> {
    const asked = performance.now();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise((_, reject) => {
      const look = () => {
        const hungAt = Math.max(asked, this.begunAt) + this.env.databaseTimeout;
        const left = Math.min(asked + MAX_WAIT_MS, hungAt) - performance.now();
        if (left > 0) timer = setTimeout(look, left);
        else reject(notWritten('the queue of writes is too long'));
      };
      look();
    });
    await Promise.race([before, late]).finally(() => clearTimeout(timer));
  }

  private async attempt<T>(
    once: () => Promise<{ result: T; actions: Transaction['actions'] }>,
    pass: () => void,
  ): Promise<T> {
    const begun = performance.now();
    for (let attempt = 1; ; attempt++) {
      try {
        const { result, actions } = await once();
        markCommitted();
        this.saysReadOnly = true;
        // What comes after it may write, too.
        pass();
        for (const action of actions) await this.afterwards(action);
        return result;
      } catch (error) {
        if (isReadOnly(error)) throw this.readOnly(error);
        if (hasTimedOut(error)) this.hungAt = performance.now();
        // PHP, which knows of no turns, may have added the row since it was looked for: the next attempt sees it.
        const isSeenNext = isDuplicateKey(error) && attempt < MAX_TAKEN;
        if (!isSeenNext && !isRetryable(error))
          throw isDatabaseUnavailable(error) ? notWritten(firstLine(error)) : error;
        if (performance.now() - begun > MAX_WAIT_MS) throw notWritten('it kept refusing the locks');
        const pause = Math.min(20 * attempt, MAX_PAUSE_MS);
        await new Promise((resolve) => setTimeout(resolve, pause / 2 + Math.random() * pause));
      }
    }
  }

  /** Said once in the log, until a write succeeds. */
  private readOnly(error: unknown): RestException {
    if (this.saysReadOnly)
      this.logger.warn(`Writes are refused, the database may only be read: ${firstLine(error)}`);
    this.saysReadOnly = false;
    return readOnly();
  }

  /** The rows are there already: whatever happens now must not look like a failed write, nor repeat it. */
  private async afterwards(action: () => void | Promise<void>): Promise<void> {
    try {
      await workToTheEnd(async () => action());
    } catch (error) {
      this.logger.error(`After a write that was committed: ${error instanceof Error ? error.stack : error}`);
    }
  }

  /** `begun`: when the transaction did, which is when MariaDB says that the rows changed. */
  private async commit(runner: QueryRunner, begun: number): Promise<void> {
    try {
      await runner.commitTransaction();
    } catch (error) {
      // It may have come through all the same.
      await this.changes.bump();
      const isRefused = this.database.dialect === 'sqlite' || isRetryable(error) || isReadOnly(error);
      if (hasTimedOut(error)) this.hungAt = performance.now();
      throw isRefused ? error : unconfirmed(firstLine(error));
    }
    await this.changes.bump(performance.now() - begun);
  }

  private async once<T>(
    work: (transaction: Transaction) => Promise<T>,
    savedAt: number | undefined,
    pass: () => void,
  ) {
    const runner = this.database.source.createQueryRunner();
    const connection: Partial<PoolConnection> = await runner.connect();
    try {
      const begun = performance.now();
      const turn = new WriteLock(this.database, runner);
      await turn.begin(savedAt);
      // The next one waits at the row, and has it before this one's commit is on the disk. SQLite has one connection for all.
      if (this.database.dialect === 'mysql') pass();
      throwIfAborted();
      const transaction = new Transaction(runner.manager, turn);
      const { request, caller } = getStore() ?? {};
      const result = await runWith({ request, caller, write: transaction }, () => work(transaction)).finally(
        () => {
          transaction.isOpen = false;
        },
      );
      if (transaction.isNoop) {
        await runner.rollbackTransaction();
        return { result, actions: [] };
      }
      await turn.end();
      await this.commit(runner, begun);
      return { result, actions: transaction.actions };
    } catch (error) {
      // Half of a write would go to whoever gets the connection next.
      if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => connection.destroy?.());
      throw error;
    } finally {
      await runner.release();
    }
  }
}
