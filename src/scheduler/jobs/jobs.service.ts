import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { getStore } from '../../common/context/request-store.js';
import { type Transaction, Transactions } from '../../database/transactions.js';
import { JobQueue } from './job-queue.service.js';
import { JobRunner } from './job-runner.service.js';

/** Maximum size of a payload as JSON, in bytes. */
const MAX_BYTES = 1_000_000;

/** A job that is not repeated any more. */
export interface FailedJob {
  id: number;
  name: string;
  payload: unknown;
  attempts: number;
  /** Epoch milliseconds of the last attempt. */
  failedAt: number;
  error: string;
}

/** The queue of plugins' jobs. */
@Injectable()
export class Jobs {
  constructor(
    private readonly queue: JobQueue,
    private readonly runner: JobRunner,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /**
   * Queues a run of a job with a payload that JSON can hold, and returns its id. With `transaction` it is queued if and
   * only if that one is committed. Without a payload the job receives null. `delay` is in milliseconds.
   */
  async enqueue(
    name: string,
    payload?: unknown,
    { transaction, delay = 0 }: { transaction?: Transaction; delay?: number } = {},
  ): Promise<number> {
    if (!transaction && getStore()?.write?.isOpen)
      throw new Error(`Inside a transaction, enqueue('${name}', …) needs the option { transaction }.`);
    const settings = this.runner.settingsOf(name);
    if (settings.every !== undefined) throw new Error(`The job ${name} is periodic: it cannot be queued.`);
    const json = JSON.stringify(payload ?? null);
    if (Buffer.byteLength(json) > MAX_BYTES)
      throw new RangeError(`The payload of the job ${name} is longer than ${MAX_BYTES} bytes.`);
    const row = { name, payload: json, dueAt: this.clock.now() + delay };
    const add = async (within: Transaction) => {
      within.afterCommit(() => this.runner.wake());
      return this.queue.add(within, row);
    };
    if (transaction) return add(transaction);
    return this.transactions.run((own) => {
      own.keepsCaches = true;
      return add(own);
    });
  }

  /** Runs what is due now, in this process, and returns how many runs there were; for tests. */
  runDue(): Promise<number> {
    return this.runner.runDue();
  }

  /** The last hundred jobs that failed too often. */
  async failed(): Promise<FailedJob[]> {
    const rows = await this.queue.failed();
    return rows.map(({ id, name, payload, attempts, failedAt, lastError }) => ({
      ...{ id, name, attempts, failedAt },
      payload: JSON.parse(payload) as unknown,
      error: lastError,
    }));
  }

  /** Lets a failed job run again; false if there is none with this id. */
  retry(id: number): Promise<boolean> {
    return this.queue.retry(id);
  }
}
