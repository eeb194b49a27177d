import cluster, { type Worker } from 'node:cluster';
import { Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { AggregatorRegistry, type MetricObject } from 'prom-client';
import { type Attempt, MemoryRateLimiter } from '../auth/rate-limiter.js';
import { Clock } from '../common/clock.js';
import type { Environment } from '../config/env.js';
import { serveMetrics } from '../observability/metrics/metrics-server.js';
import type { CountedAttempt } from './primary-link.service.js';
import { ProcessChannel, type ProcessRequest } from './process-channel.js';

/** How long to wait for a worker to invalidate its table versions, in milliseconds; they are at most a second old anyway. */
const TIMEOUT_MS = 200;
/** How long to wait for a worker's metrics, in milliseconds. */
const METRICS_TIMEOUT_MS = 2000;
/** The minimum time between starts of a worker, in milliseconds. */
const RESTART_MS = 1000;
/** Signals within this time count as one, in milliseconds. */
const SAME_SIGNAL = 500;
/** The maximum of login attempts that can still be forgiven. */
const MAX_ATTEMPTS = 10_000;

/**
 * Runs `WORKERS` processes on one port. A worker that exits is restarted. On SIGTERM or SIGINT all finish their requests
 * and exit, on a second signal at once. If the first worker cannot listen, this process exits with its code.
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

  /** Starts the workers; resolves to the port once the first one listens. */
  async start(): Promise<number> {
    // Workers accept connections themselves: one handed to a worker that is killed would stay open here for ever.
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
      this.logger.error(`Worker ${worker.process.pid} ended (${signal ?? code}); starting another one.`);
      const pause = Math.max(0, begunAt + RESTART_MS - performance.now());
      setTimeout(() => this.isEnding || this.watch(cluster.fork()), pause);
    });
  }

  /** The metrics of all workers since the start of this process. */
  private async metrics(): Promise<string> {
    const counting = [...this.lines].map(async ([worker, line]) => {
      const counted = await line.ask<MetricObject[]>({ ask: 'metrics' }, METRICS_TIMEOUT_MS);
      if (counted && this.lines.has(worker)) this.counts.note(worker, counted);
    });
    await Promise.all(counting);
    return this.counts.text();
  }

  private async answer(from: Worker, question: ProcessRequest): Promise<unknown> {
    if (question.ask === 'begin') return this.begin(question.key);
    if (question.ask === 'forgive') return this.forgive(question.attempt);
    const notified = [...this.lines].map(async ([worker, line]) => {
      if (worker === from) return;
      const reply = line.ask(question, TIMEOUT_MS);
      // A worker that is still starting serves no requests.
      if (this.listening.has(worker)) await reply;
    });
    return Promise.all(notified).then(() => true);
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

  /** Stops all workers, then exits: with 0, or 1 if one of them did not stop in time. */
  private end(signal: NodeJS.Signals): void {
    const workers = [...this.lines.keys()];
    const kill = () => {
      for (const worker of workers) worker.process.kill('SIGKILL');
    };
    if (this.isEnding) {
      // Terminals and npm may send one signal several times.
      if (performance.now() - this.endingAt > SAME_SIGNAL) kill();
      return;
    }
    this.isEnding = true;
    this.logger.log(`Ending (${signal}).`);
    this.endingAt = performance.now();
    const codes = workers.map((worker) => {
      // A worker that is being restarted has no requests to finish.
      const isStarting = this.hasBegun && !this.listening.has(worker);
      return new Promise((resolve) => worker.once('exit', (code) => resolve(isStarting ? 0 : code)));
    });
    for (const worker of workers) worker.process.kill(signal);
    setTimeout(kill, (this.env.shutdownSeconds + 1) * 1000);
    Promise.all(codes).then((all) => process.exit(all.every((code) => code === 0) ? 0 : 1));
  }
}

/**
 * Adds up the metrics of workers. A worker that has exited or does not reply counts with its last values, as Prometheus
 * takes a decreasing sum for a restart.
 */
export class WorkerMetrics<Worker> {
  private readonly latest = new Map<Worker, MetricObject[]>();
  private ofEnded: Promise<MetricObject[]> = Promise.resolve([]);

  note(worker: Worker, counted: MetricObject[]): void {
    this.latest.set(worker, counted);
  }

  /** Keeps only the counters and histograms of a worker that has exited. */
  end(worker: Worker): void {
    const grown = (this.latest.get(worker) ?? []).filter(({ type }) =>
      /^(counter|histogram)$/.test(String(type)),
    );
    this.latest.delete(worker);
    this.ofEnded = this.ofEnded.then((before) => aggregated([before, grown]).getMetricsAsJSON());
  }

  /** The sum in Prometheus's text format. */
  async text(): Promise<string> {
    return aggregated([await this.ofEnded, ...this.latest.values()]).metrics();
  }
}

const aggregated = (all: MetricObject[][]) => AggregatorRegistry.aggregate(all);
