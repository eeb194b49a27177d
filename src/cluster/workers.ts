import cluster, { type Worker } from 'node:cluster';
import { Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { MetricObject } from 'prom-client';
import { MemoryRateLimiter } from '../auth/memory-rate-limiter.js';
import type { Attempt } from '../auth/rate-limiter.js';
import type { Environment } from '../config/env.js';
import { serveMetrics } from '../observability/metrics/metrics-server.js';
import { Clock } from '../common/clock.js';
import { ProcessChannel, type ProcessRequest } from './process-channel.js';
import type { CountedAttempt } from './primary-link.service.js';
import { WorkerMetrics } from './worker-metrics.js';

/** How long a worker may take to hear of another's commit, in milliseconds; whatever it knows is a second old at most. */
const PATIENCE = 200;
/** How long a worker may take to say what it has counted, in milliseconds. */
const COUNTING_PATIENCE = 2000;
/** A worker is started again at most once in so many milliseconds. */
const PAUSE = 1000;
/** Signals within so many milliseconds are one. */
const SAME_SIGNAL = 500;
/** Attempts to sign in that can still be forgiven. */
const MAX_ATTEMPTS = 10_000;

/**
 * Runs so many workers of this program on one port, and resolves to that port once the first one listens; the others follow.
 * One that ends is started again; on SIGTERM or SIGINT all end, having answered what they were asked, on a second one at once. A first worker that
 * can not listen has said why, and its exit code is that of this process.
 */
export class Workers {
  private readonly lines = new Map<Worker, ProcessChannel>();
  private readonly listening = new Set<Worker>();
  private readonly counts = new WorkerMetrics<Worker>();
  private readonly limiter: MemoryRateLimiter;
  private readonly attempts = new LRUCache<number, Attempt>({ max: MAX_ATTEMPTS });
  private begun = 0;
  private hasBegun = false;
  private isEnding = false;
  private endingAt = 0;
  private readonly logger = new Logger('Workers');

  constructor(private readonly env: Environment) {
    this.limiter = new MemoryRateLimiter(env, new Clock());
  }

  /** Starts them; the port that they listen on. */
  async start(): Promise<number> {
    // Each takes connections itself. Handed out by this process, one that is on its way to a worker that is killed would stay
    // open here, and its client would wait for ever.
    cluster.schedulingPolicy = cluster.SCHED_NONE;
    if (this.env.metrics) await serveMetrics(this.env.metrics, () => this.metrics());
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => this.end(signal));
    const first = cluster.fork();
    const port = await new Promise<number>((resolve) => {
      first.once('listening', (address) => resolve(address.port));
      this.watch(first);
    });
    this.hasBegun = true;
    for (let n = 1; n < this.env.workers && !this.isEnding; n++) this.watch(cluster.fork());
    return port;
  }

  private watch(worker: Worker): void {
    const begunAt = performance.now();
    this.lines.set(worker, new ProcessChannel(worker, (question) => this.answer(worker, question)));
    worker.once('listening', () => {
      this.listening.add(worker);
      this.logger.log(`Worker ${worker.process.pid} listens.`);
    });
    worker.once('exit', (code, signal) => {
      this.lines.delete(worker);
      this.listening.delete(worker);
      this.counts.end(worker);
      if (this.isEnding) return;
      if (!this.hasBegun) process.exit(code || 1);
      this.logger.error(`Worker ${worker.process.pid} ended (${signal ?? code}); another one is started.`);
      const pause = Math.max(0, begunAt + PAUSE - performance.now());
      setTimeout(() => this.isEnding || this.watch(cluster.fork()), pause);
    });
  }

  /** What all workers have counted since this process was started. */
  private async metrics(): Promise<string> {
    const counting = [...this.lines].map(async ([worker, line]) => {
      const counted = await line.ask<MetricObject[]>({ ask: 'metrics' }, COUNTING_PATIENCE);
      if (counted && this.lines.has(worker)) this.counts.note(worker, counted);
    });
    await Promise.all(counting);
    return this.counts.text();
  }

  private async answer(from: Worker, question: ProcessRequest): Promise<unknown> {
    if (question.ask === 'begin') return this.begin(question.key);
    if (question.ask === 'forgive') return this.forgive(question.attempt);
    const told = [...this.lines].map(async ([worker, line]) => {
      if (worker === from) return;
      const forgotten = line.ask(question, PATIENCE);
      // One that does not answer requests yet need not be waited for.
      if (this.listening.has(worker)) await forgotten;
    });
    return Promise.all(told).then(() => true);
  }

  private async begin(key: string): Promise<CountedAttempt> {
    const counted = await this.limiter.begin(key);
    const attempt = ++this.begun;
    this.attempts.set(attempt, counted);
    return { secondsToWait: counted.secondsToWait, attempt };
  }

  private async forgive(attempt: number): Promise<void> {
    await this.attempts.get(attempt)?.forgive();
    this.attempts.delete(attempt);
  }

  /** Ends all workers, and then this process: with 0, or with 1 where one of them was not done in time. */
  private end(signal: NodeJS.Signals): void {
    const workers = [...this.lines.keys()];
    const kill = () => {
      for (const worker of workers) worker.process.kill('SIGKILL');
    };
    if (this.isEnding) {
      // Terminals and npm send what a person said once several times.
      if (performance.now() - this.endingAt > SAME_SIGNAL) kill();
      return;
    }
    this.isEnding = true;
    this.logger.log(`Ending (${signal}).`);
    this.endingAt = performance.now();
    const codes = workers.map((worker) => {
      // One that is started again has nothing to answer yet.
      const isStarting = this.hasBegun && !this.listening.has(worker);
      return new Promise((resolve) => worker.once('exit', (code) => resolve(isStarting ? 0 : code)));
    });
    for (const worker of workers) worker.process.kill(signal);
    setTimeout(kill, (this.env.shutdownSeconds + 1) * 1000);
    Promise.all(codes).then((all) => process.exit(all.every((code) => code === 0) ? 0 : 1));
  }
}
