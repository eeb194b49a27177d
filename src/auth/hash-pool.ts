import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
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

interface WaitingJob extends HashJob {
  resolve: (fits: boolean) => void;
  reject: (reason: Error) => void;
}

const MOST_THREADS = Math.min(2, availableParallelism());
const MOST_WAITING = 500;

/** Up to two worker threads for costly hashes, started when first needed; idle ones do not keep the process alive. */
export class HashPool {
  private readonly idle: Worker[] = [];
  private readonly running = new Map<Worker, WaitingJob>();
  private readonly waiting: WaitingJob[] = [];

  constructor(private readonly workerFile: URL) {}

  /** Checks on a thread; `HashPoolBusy` when too many wait already. */
  check({ password, hash }: HashJob): Promise<boolean> {
    if (this.waiting.length >= MOST_WAITING)
      return Promise.reject(new HashPoolBusy('too many password checks wait'));
    return new Promise((resolve, reject) => {
      this.waiting.push({ password, hash, resolve, reject });
      this.next();
    });
  }

  private next(): void {
    if (this.waiting.length === 0) return;
    const worker = this.idle.pop() ?? (this.running.size < MOST_THREADS ? this.start() : undefined);
    const job = worker && this.waiting.shift();
    if (!worker || !job) return;
    this.running.set(worker, job);
    worker.ref();
    worker.postMessage({ password: job.password, hash: job.hash } satisfies HashJob);
  }

  private start(): Worker {
    const worker = new Worker(this.workerFile, { name: 'password hashes' });
    worker.on('message', (fits: boolean) => {
      const job = this.running.get(worker);
      this.running.delete(worker);
      this.idle.push(worker);
      worker.unref();
      job?.resolve(fits);
      this.next();
    });
    worker.on('error', (reason) => this.lose(worker, reason));
    worker.on('exit', () => this.lose(worker, new Error('a password thread ended')));
    return worker;
  }

  private lose(worker: Worker, reason: Error): void {
    const job = this.running.get(worker);
    this.running.delete(worker);
    const index = this.idle.indexOf(worker);
    if (index >= 0) this.idle.splice(index, 1);
    job?.reject(reason);
    this.next();
  }
}

const WORKER_FILE = new URL('./hash-worker.js', import.meta.url);
const pool = new HashPool(WORKER_FILE);

/** Checks a costly hash off the event loop; in place where the sources run uncompiled, as no thread can load those. */
export const checkOffLoop: HashCheck = existsSync(WORKER_FILE)
  ? (job) => pool.check(job)
  : async ({ password, hash }) => checkSlowHash(password, hash);
