import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager, QueryRunner } from 'typeorm';
import { markCommitted, throwIfAborted, workToTheEnd } from '../common/context/abort.js';
import { getStore, runWith } from '../common/context/request-store.js';
import { firstLine } from '../common/errors/first-line.js';
import { RestException, validated } from '../common/errors/rest-exception.js';
import { Environment } from '../config/env.js';
import { errorText } from '../observability/logging/error-text.js';
import { timed } from '../observability/logging/timings.js';
import { Database } from './database.js';
import {
  hasTimedOut,
  isDatabaseUnavailable,
  isDuplicateKey,
  isReadOnly,
  isRetryable,
  notWritten,
  readOnly,
  unconfirmed,
} from './database-errors.js';
import { TableVersions } from './table-versions.service.js';
import { closeManager, managerOf, withRunner } from './with-runner.js';
import { WriteLock } from './write-lock.js';

export type TouchedKind = 'post' | 'term';

/** Runs before the commit of each transaction that writes, within it; a failure rolls it back. */
export type CommitHook = (transaction: Transaction) => Promise<void>;

/** One write transaction, with actions to run after its commit. */
export class Transaction {
  readonly actions: (() => void | Promise<void>)[] = [];
  /** Ids of the records that were written, also of those whose savepoint was rolled back. */
  readonly touched: Readonly<Record<TouchedKind, Set<number>>> = { post: new Set(), term: new Set() };
  /** Ids of written posts that got further dates of their series, which are no change of them. */
  readonly extended = new Set<number>();
  /** Whether there is nothing to write: the transaction is rolled back. */
  isNoop = false;
  /** Whether caches stay valid, as only tables of Almanac's own are written. */
  keepsCaches = false;
  /** Whether the work is still running. */
  isOpen = true;
  readonly manager: EntityManager;

  constructor(
    private readonly runner: QueryRunner,
    private readonly lock: WriteLock,
    /** Whether touched records are compared before the commit. */
    readonly isJournaled: boolean,
  ) {
    this.manager = managerOf(runner);
  }

  /** Records that rows of a post or a term are written, so that the journal compares them before the commit. */
  readonly touch = (kind: TouchedKind, id: number): void => {
    this.touched[kind].add(Number(id));
  };

  /** The same of records that change with another one; of very many, the journal finds the rest after the commit. */
  touchAll(kind: TouchedKind, ids: readonly number[]): void {
    for (const id of ids.slice(0, MAX_TOUCHED)) this.touch(kind, id);
  }

  /** Runs an action after the commit, never after a rollback; a failure is only logged. */
  afterCommit(action: () => void | Promise<void>): void {
    this.actions.push(action);
  }

  /** The same transaction for one piece of code; `close` ends the use by this code alone. */
  branch(): Transaction {
    const manager = managerOf(this.runner);
    return Object.create(this, { manager: { value: manager }, isOpen: { value: true, writable: true } });
  }

  /** Ends it: code that goes on, such as a hook past its time limit, must not write any more. */
  close(): void {
    this.isOpen = false;
    closeManager(this.manager);
  }

  /** Runs work within a savepoint: if it fails, only its own writes are rolled back. */
  async savepoint<T>(work: () => Promise<T>): Promise<T> {
    const before = this.actions.length;
    await this.manager.query('SAVEPOINT part');
    try {
      const result = await work();
      await this.manager.query('RELEASE SAVEPOINT part');
      return result;
    } catch (error) {
      this.actions.length = before;
      // A deadlock has rolled back the whole transaction; then its error is reported.
      await this.manager.query('ROLLBACK TO SAVEPOINT part').catch((lost: unknown) => {
        if (error instanceof RestException) throw lost;
      });
      throw error;
    }
  }

  /** Records that a calendar record was saved, at epoch milliseconds. */
  async recordSave(savedAt: number): Promise<void> {
    await this.lock.save(savedAt);
  }
}

/** The maximum of records that are compared as they change with another one. */
export const MAX_TOUCHED = 1000;

/** How long to wait for the write lock, and how long to retry a write, in milliseconds. */
const MAX_WAIT_MS = 20_000;
/** The maximum of queued writes; further ones fail at once. */
const MAX_WAITING = 1000;
/** The maximum of attempts after a duplicate key, which may be permanent. */
const MAX_DUPLICATE_ATTEMPTS = 3;
/** The maximum pause between two attempts, in milliseconds. */
const MAX_PAUSE_MS = 200;

/**
 * Runs writes one at a time per site, each in one transaction. WordPress's tables have no unique keys for slugs, term
 * names or options, so only a lock keeps two writers from taking the same one. The lock is a row (`WriteLock`), valid
 * between processes, servers and nodes of a cluster; a queue in each process ensures that only the next write holds a
 * connection.
 */
@Injectable()
export class Transactions {
  private last: Promise<unknown> = Promise.resolve();
  private waiting = 0;
  /** When the database last timed out, by `performance.now()`. */
  private hungAt = Number.NEGATIVE_INFINITY;
  /** When a write last began, by `performance.now()`. */
  private begunAt = Number.NEGATIVE_INFINITY;
  private logsReadOnly = true;
  private readonly commitHooks: CommitHook[] = [];
  private readonly logger = new Logger('Transactions');

  constructor(
    private readonly database: Database,
    private readonly changes: TableVersions,
    private readonly env: Environment,
  ) {}

  /** Registers work that each transaction does before its commit. */
  beforeCommit(hook: CommitHook): void {
    this.commitHooks.push(hook);
  }

  /** Throws in read-only mode; called before a write has effects outside of the database. */
  checkWritable(): void {
    if (this.env.readOnly) throw readOnly();
    if (getStore()?.request?.validatesOnly) throw validated();
  }

  /**
   * Commits the work or rolls it back. Conflicts with other transactions are retried for twenty seconds, so `work` may run
   * several times. `savedAt`: the work will save a calendar record, at epoch milliseconds; passing it saves a statement.
   */
  async run<T>(work: (transaction: Transaction) => Promise<T>, savedAt?: number): Promise<T> {
    this.checkWritable();
    if (getStore()?.write?.isOpen)
      throw new Error(
        'A write that is begun within another one would wait for its own end: write by `manager`, or let it follow by `afterCommit`.',
      );
    const repeated = getStore()?.results?.begin(work) ?? { work };
    if ('result' in repeated) {
      markCommitted();
      return repeated.result;
    }
    if (this.waiting >= MAX_WAITING) throw notWritten('too many writes wait');
    const start = performance.now();
    const before = this.last;
    let releaseQueue: () => void = () => undefined;
    this.last = new Promise<void>((resolve) => {
      releaseQueue = resolve;
    });
    this.waiting += 1;
    try {
      await this.waitFor(before).finally(() => {
        this.waiting -= 1;
      });
      this.begunAt = performance.now();
      throwIfAborted();
      // The database is hung; fail fast.
      if (this.hungAt > start) throw notWritten('the write before was not answered');
      return await timed('db', () =>
        this.attempt(() => this.once(repeated.work, savedAt, releaseQueue), releaseQueue),
      );
    } finally {
      // If this write gave up early, the next one still waits for the one before.
      before.then(releaseQueue);
    }
  }

  /** Waits for the previous write up to the limit; less when no write begins meanwhile, as the database is hung. */
  private async waitFor(before: Promise<unknown>): Promise<void> {
    const start = performance.now();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise((_, reject) => {
      const check = () => {
        const hungAt = Math.max(start, this.begunAt) + this.env.databaseTimeout;
        const left = Math.min(start + MAX_WAIT_MS, hungAt) - performance.now();
        if (left > 0) timer = setTimeout(check, left);
        else reject(notWritten('the queue of writes is too long'));
      };
      check();
    });
    await Promise.race([before, late]).finally(() => clearTimeout(timer));
  }

  private async attempt<T>(
    once: () => Promise<{ result: T; actions: Transaction['actions'] }>,
    releaseQueue: () => void,
  ): Promise<T> {
    const begun = performance.now();
    for (let attempt = 1; ; attempt++) {
      try {
        const { result, actions } = await once();
        markCommitted();
        this.logsReadOnly = true;
        // After-commit actions may start transactions.
        releaseQueue();
        for (const action of actions) await this.runAction(action);
        return result;
      } catch (error) {
        if (isReadOnly(error)) throw this.readOnly(error);
        if (hasTimedOut(error)) this.hungAt = performance.now();
        // PHP, which does not take the lock, may have added the row meanwhile: the next attempt finds it.
        const isDuplicate = isDuplicateKey(error) && attempt < MAX_DUPLICATE_ATTEMPTS;
        if (!isDuplicate && !isRetryable(error))
          throw isDatabaseUnavailable(error) ? notWritten(firstLine(error)) : error;
        if (performance.now() - begun > MAX_WAIT_MS) throw notWritten('it kept refusing the locks');
        const pause = Math.min(20 * attempt, MAX_PAUSE_MS);
        await new Promise((resolve) => setTimeout(resolve, pause / 2 + Math.random() * pause));
      }
    }
  }

  /** Logs read-only errors once until a write succeeds. */
  private readOnly(error: unknown): RestException {
    if (this.logsReadOnly)
      this.logger.warn(`Writes are rejected, as the database is read-only: ${firstLine(error)}`);
    this.logsReadOnly = false;
    return readOnly();
  }

  /** Runs an action after the commit; a failure must not look like a failed write. */
  private async runAction(action: () => void | Promise<void>): Promise<void> {
    try {
      await workToTheEnd(async () => action());
    } catch (error) {
      this.logger.error(`After-commit work failed; the write is stored: ${errorText(error)}`);
    }
  }

  /** Commits; `begun` is the start of the transaction, MariaDB's update time of the rows. */
  private async commit(runner: QueryRunner, begun: number, keepsCaches: boolean): Promise<void> {
    try {
      await runner.commitTransaction();
    } catch (error) {
      // The commit may have succeeded.
      await this.changes.bump();
      const isRefused = this.database.dialect === 'sqlite' || isRetryable(error) || isReadOnly(error);
      if (hasTimedOut(error)) this.hungAt = performance.now();
      throw isRefused ? error : unconfirmed(firstLine(error));
    }
    if (!keepsCaches) await this.changes.bump(performance.now() - begun);
  }

  private once<T>(
    work: (transaction: Transaction) => Promise<T>,
    savedAt: number | undefined,
    releaseQueue: () => void,
  ) {
    return withRunner(this.database.source, async (runner) => {
      const begun = performance.now();
      const lock = new WriteLock(this.database, runner);
      await lock.begin(savedAt);
      // The next write can wait for the row already. SQLite has a single connection.
      if (this.database.dialect === 'mysql') releaseQueue();
      throwIfAborted();
      const transaction = new Transaction(runner, lock, this.commitHooks.length > 0);
      const { request, caller } = getStore() ?? {};
      const result = await runWith({ request, caller, write: transaction }, async () => {
        const done = await work(transaction);
        if (!transaction.isNoop) for (const hook of this.commitHooks) await hook(transaction);
        return done;
      }).finally(() => transaction.close());
      if (transaction.isNoop) {
        await runner.rollbackTransaction();
        return { result, actions: [] };
      }
      await lock.restore();
      await this.commit(runner, begun, transaction.keepsCaches);
      return { result, actions: transaction.actions };
    });
  }
}
