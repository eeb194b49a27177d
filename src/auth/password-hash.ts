import { createHash, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { Logger } from '@nestjs/common';
import { FixedQueue, Piscina } from 'piscina';

/** A password to check against a stored hash. */
export interface HashJob {
  password: string;
  hash: string;
}

type HashCheck = (job: HashJob) => Promise<boolean>;

/** Thrown when too many checks are queued. */
export class HashPoolBusy extends Error {}

const MAX_WAITING = 500;
/** How long a second thread may be idle, in milliseconds. */
const IDLE = 30_000;

/** Up to two worker threads for slow hashes, started on demand; idle ones do not keep the process alive. */
export class HashPool {
  private readonly logger = new Logger('HashPool');
  private pool?: Piscina<HashJob, boolean>;

  constructor(private readonly workerFile: URL) {}

  /** Checks on a worker thread; throws `HashPoolBusy` when too many checks are queued. */
  async check(job: HashJob): Promise<boolean> {
    this.pool ??= this.start();
    if (this.pool.queueSize >= MAX_WAITING) throw new HashPoolBusy('too many password checks wait');
    // Passed with the job, so that a missing file fails the job, not the start of a thread that it waits for.
    return this.pool.run(job, { filename: this.workerFile.href });
  }

  private start(): Piscina<HashJob, boolean> {
    const pool = new Piscina<HashJob, boolean>({
      // With 0 queued jobs would be stuck when the last thread dies.
      minThreads: 1,
      maxThreads: Math.min(2, availableParallelism()),
      idleTimeout: IDLE,
      recordTiming: false,
      // The default queue is shared between pools.
      taskQueue: new FixedQueue(),
    });
    pool.on('error', (error: Error) => this.logger.warn(`A password thread ended: ${error.message}`));
    return pool;
  }
}

const pool = new HashPool(new URL('./hash-worker.js', import.meta.url));

/** Checks a slow hash on a worker thread. */
const checkOffLoop: HashCheck = (job) => pool.check(job);

const MAX_PASSWORD_LENGTH = 4096;
const MD5_LENGTH = 32;

/** Whether a password matches a stored hash of any kind: MD5, phpass, `$wp`, bcrypt, argon2. */
export async function checkPassword(
  password: string,
  hash: string,
  checkSlow: HashCheck = checkOffLoop,
): Promise<boolean> {
  if (!isSlow(hash)) return equal(createHash('md5').update(password, 'utf8').digest('hex'), hash);
  return Buffer.byteLength(password, 'utf8') <= MAX_PASSWORD_LENGTH && checkSlow({ password, hash });
}

function isSlow(hash: string): boolean {
  return Buffer.byteLength(hash, 'utf8') > MD5_LENGTH;
}

/** Compares two texts in constant time. */
export function equal(a: string, b: string): boolean {
  const left = Buffer.from(a, 'utf8');
  const right = Buffer.from(b, 'utf8');
  return left.length === right.length && timingSafeEqual(left, right);
}
