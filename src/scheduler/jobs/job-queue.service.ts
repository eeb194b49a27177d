import { Injectable } from '@nestjs/common';
import sql, { type Sql } from 'sql-template-tag';
import { Between, type EntityManager, MoreThan } from 'typeorm';
import { Clock } from '../../common/clock.js';
import { Database } from '../../database/database.js';
import { insertRows } from '../../database/insert-rows.js';
import { type Transaction, Transactions } from '../../database/transactions.js';
import type { JobSettings } from './job.decorator.js';
import { JobRow } from './job-row.entity.js';

/** How long after its time limit a run counts as lost, in milliseconds. */
const GRACE = 5_000;
/** The longest pause between two attempts, in milliseconds. */
const MAX_BACKOFF = 3_600_000;
const BATCH = 20;

/** The rows of the queue. A job whose process dies runs again: at least once. */
@Injectable()
export class JobQueue {
  constructor(
    private readonly database: Database,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  add({ manager }: Pick<Transaction, 'manager'>, row: { name: string; payload: string; dueAt: number }) {
    return insertRows(manager, JobRow, row);
  }

  /** Adds the row of a periodic job, due now, unless it is there. */
  async addPeriodic(name: string): Promise<void> {
    await this.write(async (manager) => {
      if (await manager.existsBy(JobRow, { periodOf: name })) return;
      await insertRows(manager, JobRow, { name, periodOf: name, payload: 'null', dueAt: this.clock.now() });
    });
  }

  /** When the next job of each name is due, in epoch milliseconds. */
  async next(): Promise<ReadonlyMap<string, number>> {
    const rows = await this.database.query<{ name: string; dueAt: number | string }>(
      sql`SELECT name, MIN(due_at) AS dueAt FROM ${this.database.table('almanac_jobs')} WHERE failed_at = 0 GROUP BY name`,
    );
    return new Map(rows.map(({ name, dueAt }) => [name, Number(dueAt)]));
  }

  /** The first due jobs of a name. */
  due(name: string): Promise<JobRow[]> {
    return this.read(
      sql`failed_at = 0 AND name = ${name} AND due_at <= ${this.clock.now()} ORDER BY due_at, id LIMIT ${BATCH}`,
    );
  }

  /** Jobs that are not repeated any more, last ones first. */
  failed(): Promise<JobRow[]> {
    return this.read(sql`failed_at > 0 ORDER BY failed_at DESC, id DESC LIMIT 100`);
  }

  /** Takes a job for its next attempt; false if another process was faster. */
  take(row: JobRow, { timeout }: JobSettings): Promise<boolean> {
    const dueAt = this.clock.now() + timeout + GRACE;
    return this.change(row, { dueAt, attempts: row.attempts + 1 });
  }

  /** Removes a job that has run; a periodic one waits for its next time. */
  async done(row: JobRow, { every }: JobSettings): Promise<void> {
    if (every !== undefined && row.periodOf !== null)
      await this.change(row, { dueAt: this.clock.now() + every, attempts: 0, lastError: '' }, true);
    else await this.write((manager) => manager.delete(JobRow, { id: row.id }));
  }

  /** Stores a failure; returns the milliseconds until the next attempt, undefined after the last one. */
  async fail(row: JobRow, settings: JobSettings, error: string): Promise<number | undefined> {
    const { retries, backoff, every } = settings;
    const now = this.clock.now();
    const attempts = row.attempts + 1;
    const lastError = error.slice(0, 500);
    if (attempts <= retries) {
      const pause = Math.min(backoff * 2 ** (attempts - 1), MAX_BACKOFF);
      await this.change(row, { dueAt: now + pause, lastError }, true);
      return pause;
    }
    if (row.periodOf === null) await this.change(row, { failedAt: now, lastError }, true);
    else await this.change(row, { dueAt: now + (every ?? 0), attempts: 0, lastError }, true);
    return undefined;
  }

  /** Returns a job whose run was interrupted. */
  async giveBack(row: JobRow): Promise<void> {
    await this.change(row, { dueAt: this.clock.now(), attempts: row.attempts }, true);
  }

  /** Lets a failed job run again. */
  async retry(id: number): Promise<boolean> {
    const values = { failedAt: 0, attempts: 0, dueAt: this.clock.now() };
    return this.write(async (manager) => {
      const { affected } = await manager.update(JobRow, { id, failedAt: MoreThan(0) }, values);
      return affected === 1;
    });
  }

  /** Deletes failed jobs of long ago. */
  async removeFailedBefore(time: number): Promise<void> {
    await this.write((manager) => manager.delete(JobRow, { failedAt: Between(1, time) }));
  }

  /** Changes a row as it was read, or as `take` left it; false if another process has changed it. */
  private change(row: JobRow, values: Partial<JobRow>, isTaken = false): Promise<boolean> {
    const { id, attempts, dueAt } = row;
    const known = isTaken ? { id, attempts: attempts + 1 } : { id, attempts, dueAt };
    return this.write(async (manager) => (await manager.update(JobRow, known, values)).affected === 1);
  }

  private async read(rest: Sql): Promise<JobRow[]> {
    const rows = await this.database.query<JobRow>(
      sql`SELECT ${this.database.columns(JobRow, 'j')} FROM ${this.database.table('almanac_jobs')} j WHERE ${rest}`,
    );
    return rows.map((row) => ({
      ...row,
      id: Number(row.id),
      dueAt: Number(row.dueAt),
      attempts: Number(row.attempts),
      failedAt: Number(row.failedAt),
    }));
  }

  private write<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.transactions.run((transaction) => {
      transaction.keepsCaches = true;
      return work(transaction.manager);
    });
  }
}
