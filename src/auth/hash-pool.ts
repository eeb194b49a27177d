import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { Logger } from '@nestjs/common';
import { FixedQueue, Piscina } from 'piscina';
import { checkSlowHash } from './slow-hash.js';

/** One password to check against one stored hash. */
export interface HashJob {
  password: string;
  hash: string;
}

/** Says whether the password fits the hash. */
export type HashCheck = (job: HashJob) => Promise<boolean>;

/** Said when more checks wait than can be answered in reasonable time. */
export class HashPoolBusy extends Error {}

const MAX_WAITING = 500;
/** How long a second thread stays without work, in milliseconds. */
const IDLE = 30_000;

/** Up to two worker threads for costly hashes, started when first needed; idle ones do not keep the process alive. */
export class HashPool {
  private readonly logger = new Logger('HashPool');
  private pool?: Piscina<HashJob, boolean>;

  constructor(private readonly workerFile: URL) {}

  /** Checks on a thread; `HashPoolBusy` when too many wait already. */
  async check(job: HashJob): Promise<boolean> {
    this.pool ??= this.start();
    if (this.pool.queueSize >= MAX_WAITING) throw new HashPoolBusy('too many password checks wait');
    // Named with the job: a file that can not be loaded then fails the job, and not the start of a thread that it waits for.
    return this.pool.run(job, { filename: this.workerFile.href });
  }

  private start(): Piscina<HashJob, boolean> {
    const pool = new Piscina<HashJob, boolean>({
      // With none to keep, nobody would take over what waits when the last thread dies.
      minThreads: 1,
      maxThreads: Math.min(2, availableParallelism()),
      idleTimeout: IDLE,
      recordTiming: false,
      // Pools share the one that they get by default.
      taskQueue: new FixedQueue(),
    });
    pool.on('error', (error: Error) => this.logger.warn(`a password thread ended: ${error.message}`));
    return pool;
  }
}

const WORKER_FILE = new URL('./hash-worker.js', import.meta.url);
const pool = new HashPool(WORKER_FILE);

/** Checks a costly hash off the event loop; in place where the sources run uncompiled, as no thread can load those. */
export const checkOffLoop: HashCheck = existsSync(WORKER_FILE)
  ? (job) => pool.check(job)
  : async ({ password, hash }) => checkSlowHash(password, hash);
