import { FixedQueue, Piscina } from 'piscina';
import type { RawComparison, RawComparisonResult } from './compare-raw.js';

const WORKER_FILE = new URL('./compare-raw.js', import.meta.url);

/** Time limit of a comparison in milliseconds and memory limit of the thread in MB. */
const TIMEOUT = 10_000;
const MEMORY = 512;

/** Compares responses on a separate thread, which is restarted if a response exhausts it. */
export class ComparisonThread {
  private pool?: Piscina<RawComparison, RawComparisonResult>;

  constructor(private readonly workerFile: URL = WORKER_FILE) {}

  /** Compares two responses; throws if that takes too much time or memory. */
  async run(job: RawComparison): Promise<RawComparisonResult> {
    this.pool ??= this.start();
    return this.pool.run(job, { signal: AbortSignal.timeout(TIMEOUT) });
  }

  /** Terminates the thread and its comparisons. */
  async close(): Promise<void> {
    await this.pool?.destroy();
    this.pool = undefined;
  }

  private start(): Piscina<RawComparison, RawComparisonResult> {
    const pool = new Piscina<RawComparison, RawComparisonResult>({
      filename: this.workerFile.href,
      minThreads: 0,
      maxThreads: 1,
      recordTiming: false,
      taskQueue: new FixedQueue(),
      resourceLimits: { maxOldGenerationSizeMb: MEMORY },
    });
    // The failed comparison rejects for its caller.
    pool.on('error', () => undefined);
    return pool;
  }
}
