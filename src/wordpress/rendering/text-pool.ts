import { availableParallelism } from 'node:os';
import { Logger } from '@nestjs/common';
import { FixedQueue, Piscina } from 'piscina';
import { Semaphore } from '../../cache/semaphore.js';
import { RestException } from '../../common/errors/rest-exception.js';
import { type TextFunction, type TextInput, type TextJob, type TextOutput } from './text-functions.js';

/** A long text cannot be processed now. */
export class TextsBusy extends RestException {
  constructor(
    why: string,
    /** Whether the text itself takes too much time or memory, so that a retry would fail too. */
    readonly isTextsFault = false,
  ) {
    const message = 'The server has too much to do with long texts at the moment.';
    super('busy', 'server_busy', message, {}, { cause: why });
  }
}

interface TextPoolLimits {
  waiting: number;
  /** Timeout of a job in the queue, and then of its run, in milliseconds. */
  time: number;
  /** Memory of one thread, in MB. */
  memory: number;
}

const LIMITS: TextPoolLimits = { waiting: 64, time: 10_000, memory: 512 };
const MAX_THREADS = Math.min(2, availableParallelism());
/** Timeout of an idle thread, in milliseconds. */
const IDLE = 30_000;
const WORKER_FILE = new URL('./text-worker.js', import.meta.url);

/** Up to two threads for long texts, started when first needed; idle ones end and do not keep the process alive. */
export class TextPool {
  private readonly logger = new Logger('TextPool');
  private readonly slots = new Semaphore(MAX_THREADS);
  private pool?: Piscina<TextJob, unknown>;

  constructor(
    private readonly workerFile: URL = WORKER_FILE,
    private readonly limits: TextPoolLimits = LIMITS,
  ) {}

  /** Runs a job on a thread; throws `TextsBusy` if too many wait, it takes too long or the thread dies. */
  async run<K extends TextFunction>(name: K, input: TextInput<K>): Promise<TextOutput<K>> {
    // Piscina's own queue stops when its last thread dies.
    if (this.slots.queued >= this.limits.waiting) throw new TextsBusy('too many long texts wait');
    const queuedAt = performance.now();
    return this.slots.run(() => {
      if (performance.now() - queuedAt > this.limits.time) throw new TextsBusy('a long text waited too long');
      return this.runNow({ name, input });
    });
  }

  /** Ends the threads; their jobs fail. */
  async close(): Promise<void> {
    await this.pool?.destroy();
    this.pool = undefined;
  }

  private async runNow<K extends TextFunction>(job: TextJob<K>): Promise<TextOutput<K>> {
    this.pool ??= this.start();
    try {
      return (await this.pool.run(job, { signal: AbortSignal.timeout(this.limits.time) })) as TextOutput<K>;
    } catch (error) {
      throw asBusy(error);
    }
  }

  private start(): Piscina<TextJob, unknown> {
    const pool = new Piscina<TextJob, unknown>({
      filename: this.workerFile.href,
      minThreads: 0,
      maxThreads: MAX_THREADS,
      idleTimeout: IDLE,
      recordTiming: false,
      // Pools share the default queue.
      taskQueue: new FixedQueue(),
      resourceLimits: { maxOldGenerationSizeMb: this.limits.memory },
    });
    pool.on('error', (error: Error) => this.logger.warn(`A text thread ended: ${error.message}`));
    return pool;
  }
}

const TOO_MUCH = /^(?:The task has been aborted|Invalid string length)/;
const DEAD_THREAD = /^(?:worker exited|Terminating worker thread)/;

function asBusy(error: unknown): unknown {
  const { code, message } = error as { code?: unknown; message: string };
  if (code === 'ERR_WORKER_OUT_OF_MEMORY' || TOO_MUCH.test(message))
    return new TextsBusy(`a long text takes too much time or memory: ${message}`, true);
  return DEAD_THREAD.test(message) ? new TextsBusy(`a thread for long texts ended: ${message}`) : error;
}
