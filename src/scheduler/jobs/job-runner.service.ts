import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { Clock } from '../../common/clock.js';
import { endsWithin } from '../../common/ends-within.js';
import { firstLine } from '../../common/errors/first-line.js';
import { failAfter } from '../../common/time-limit.js';
import { WakeablePause } from '../../common/wakeable-pause.js';
import { Environment } from '../../config/env.js';
import { nearest } from '../../config/lookalike.js';
import { Lease } from '../../database/lease.service.js';
import { StartError } from '../../database/start-error.js';
import { Metrics } from '../../observability/metrics/metrics.service.js';
import { type JobRun, type JobSettings, jobSettings } from './job.decorator.js';
import { JobQueue } from './job-queue.service.js';
import type { JobRow } from './job-row.entity.js';

/** How often the queue is read, in milliseconds, and how often after a failure. */
const POLL_MS = 2_000;
const FAILURE_MS = 30_000;
/** How long a shutdown waits for running jobs, in milliseconds. */
const MAX_SHUTDOWN_MS = 5_000;
/** How long failed jobs are kept, and how often old ones are deleted, in milliseconds. */
const KEPT_FAILED = 30 * 86_400_000;
const CLEAN_MS = 3_600_000;

interface KnownJob {
  settings: JobSettings;
  run(payload: unknown, run: JobRun): unknown;
}

/**
 * Runs the jobs of plugins on one process of all, unless `SCHEDULER` is off or the server is read-only: those of one
 * name one after the other, those of different names at the same time (docs/extending.md#jobs).
 */
@Injectable()
export class JobRunner implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly known = new Map<string, KnownJob>();
  private readonly running = new Map<string, Promise<number>>();
  private readonly stop = new AbortController();
  private loop?: Promise<void>;
  private readonly pause = new WakeablePause();
  private lastFailure = '';
  private readonly counts = { done: 0, retried: 0, failed: 0 };
  private readonly logger = new Logger('Jobs');

  constructor(
    private readonly env: Environment,
    private readonly queue: JobQueue,
    private readonly lease: Lease,
    private readonly clock: Clock,
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    metrics: Metrics,
  ) {
    const help = 'Runs of jobs of plugins by result.';
    metrics.counter('almanac_plugin_jobs_total', help, 'result', () => ({ ...this.counts }));
  }

  onApplicationBootstrap(): void {
    this.findJobs();
    if (this.env.scheduler !== 'on' || this.env.readOnly || this.known.size === 0) return;
    const { signal } = this.stop;
    this.loop = this.lease
      .run('jobs', (lost) => this.poll(lost), signal)
      .catch((error: unknown) => {
        this.logger.error(`Jobs do not run any more: ${firstLine(error)}`);
      });
  }

  /** Tells running jobs to end, and waits for them for a while. */
  async onModuleDestroy(): Promise<void> {
    this.stop.abort();
    this.pause.wake();
    await endsWithin(Promise.all([this.loop, ...this.running.values()]), MAX_SHUTDOWN_MS);
  }

  /** The settings of a job; throws for a name that no plugin has declared. */
  settingsOf(name: string): JobSettings {
    const found = this.known.get(name);
    if (found) return found.settings;
    const near = nearest(name, [...this.known.keys()]);
    throw new Error(`No provider has a job ${name}${near ? `: is it ${near}?` : '.'}`);
  }

  /** Reads the queue soon. */
  wake(): void {
    this.pause.wake();
  }

  /** Runs all jobs that are due, and returns how many runs there were. */
  async runDue(): Promise<number> {
    let total = 0;
    for (;;) {
      await this.addPeriodic();
      const runs = await Promise.all(await this.startDue(this.stop.signal));
      const count = runs.reduce((sum, one) => sum + one, 0);
      if (count === 0) return total;
      total += count;
    }
  }

  private findJobs(): void {
    for (const { instance } of this.discovery.getProviders()) {
      const target = instance && typeof instance === 'object' ? Object.getPrototypeOf(instance) : undefined;
      if (!target) continue;
      for (const method of this.scanner.getAllMethodNames(target)) {
        const settings = jobSettings(target, method);
        if (!settings) continue;
        if (this.known.has(settings.name)) throw new StartError(`Two methods are the job ${settings.name}.`);
        this.known.set(settings.name, { settings, run: (...args) => instance[method](...args) });
      }
    }
  }

  /** Runs jobs until the lease is lost or the server stops. */
  private async poll(signal: AbortSignal): Promise<void> {
    let cleanedAt = Number.NEGATIVE_INFINITY;
    let isBegun = false;
    signal.addEventListener('abort', () => this.wake(), { once: true });
    while (!signal.aborted) {
      this.pause.reset();
      let wait = POLL_MS;
      try {
        if (!isBegun) await this.addPeriodic();
        isBegun = true;
        await this.startDue(signal);
        const now = this.clock.now();
        if (now - cleanedAt > CLEAN_MS) {
          await this.queue.removeFailedBefore(now - KEPT_FAILED);
          cleanedAt = now;
        }
        this.lastFailure = '';
      } catch (error) {
        this.logFailure(error);
        wait = FAILURE_MS;
      }
      if (signal.aborted) break;
      await this.pause.wait(wait);
    }
    await Promise.all(this.running.values());
  }

  private async addPeriodic(): Promise<void> {
    for (const {
      settings: { name, every },
    } of this.known.values())
      if (every !== undefined) await this.queue.addPeriodic(name, every);
  }

  /** Begins with the due jobs of each name that has none running; none begins after the signal. */
  private async startDue(signal: AbortSignal): Promise<Promise<number>[]> {
    const now = this.clock.now();
    const started: Promise<number>[] = [];
    for (const [name, dueAt] of await this.queue.next()) {
      const job = this.known.get(name);
      // A job of a plugin that is not loaded waits for it.
      if (!job || dueAt > now) continue;
      const run = this.running.get(name) ?? this.runAll(job, signal).finally(() => this.running.delete(name));
      this.running.set(name, run);
      started.push(run);
    }
    return started;
  }

  /** Runs the due jobs of a name one by one, and returns how many there were. */
  private async runAll(job: KnownJob, signal: AbortSignal): Promise<number> {
    let count = 0;
    try {
      for (;;) {
        const rows = await this.queue.due(job.settings.name);
        if (rows.length === 0) return count;
        for (const row of rows) {
          if (signal.aborted) return count;
          if (!(await this.queue.take(row, job.settings))) continue;
          await this.runOne(job, row);
          count += 1;
        }
      }
    } catch (error) {
      this.logFailure(error);
      return count;
    }
  }

  private async runOne({ settings, run }: KnownJob, row: JobRow): Promise<void> {
    const { name, timeout } = settings;
    const abort = new AbortController();
    const onStop = () => abort.abort();
    this.stop.signal.addEventListener('abort', onStop);
    const late = () => {
      abort.abort();
      return new Error(`it took longer than ${timeout} ms`);
    };
    const work = async () =>
      run(JSON.parse(row.payload), { signal: abort.signal, attempt: row.attempts + 1, id: row.id });
    try {
      await failAfter(timeout, work(), late);
    } catch (error) {
      if (this.stop.signal.aborted) return this.queue.giveBack(row);
      const text = firstLine(error);
      const pause = await this.queue.fail(row, settings, text);
      const attempt = `The job ${name} (${row.id}) failed, attempt ${row.attempts + 1}`;
      if (pause === undefined) this.logger.error(`${attempt}, the last one: ${text}`);
      else this.logger.warn(`${attempt}, the next one in ${Math.ceil(pause / 1000)} s: ${text}`);
      this.counts[pause === undefined ? 'failed' : 'retried'] += 1;
      return;
    } finally {
      this.stop.signal.removeEventListener('abort', onStop);
    }
    await this.queue.done(row, settings);
    this.counts.done += 1;
  }

  private logFailure(error: unknown): void {
    const line = firstLine(error);
    if (line !== this.lastFailure) this.logger.warn(`The queue of jobs cannot be used: ${line}`);
    this.lastFailure = line;
  }
}
