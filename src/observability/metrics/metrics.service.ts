import { Injectable } from '@nestjs/common';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { Environment } from '../../config/env.js';

/** The caches, as the label of their lookups. */
type Cache = 'answers' | 'records' | 'event_index' | 'search_filter';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/**
 * The metrics of this process (docs/operating.md#metrics); inactive while `METRICS` is off. No label has a value of a
 * client, so the number of series is bounded.
 */
@Injectable()
export class Metrics {
  readonly isOn: boolean;
  readonly registry = new Registry();
  private readonly registers = [this.registry];
  private readonly requests = new Counter({
    name: 'almanac_http_requests_total',
    help: 'Requests that were answered, by the pattern of their route ("none" where there is none).',
    labelNames: ['method', 'route', 'status'],
    registers: this.registers,
  });
  private readonly durations = new Histogram({
    name: 'almanac_http_request_duration_seconds',
    help: 'Time from the head of a request to the end of its answer.',
    labelNames: ['route'],
    buckets: SECONDS,
    registers: this.registers,
  });
  private readonly lookups = new Counter({
    name: 'almanac_cache_lookups_total',
    help: 'What was looked up in memory: kept answers, texts of records for lists, the index of dates, the search filter.',
    labelNames: ['cache', 'result'],
    registers: this.registers,
  });
  private readonly rejections = new Counter({
    name: 'almanac_logins_rejected_total',
    help: 'Logins that were wrong, or not looked at because too many had been.',
    labelNames: ['reason'],
    registers: this.registers,
  });
  private readonly logins = new Counter({
    name: 'almanac_logins_total',
    help: 'Logins by strategy and result; "failed" are those that could not be checked.',
    labelNames: ['strategy', 'result'],
    registers: this.registers,
  });

  constructor(env: Environment) {
    this.isOn = env.metrics !== null;
    if (this.isOn) collectDefaultMetrics({ register: this.registry });
  }

  /** Counts a response: `route` is the declared pattern, undefined without a match; the time is in seconds. */
  countRequest(method: string | undefined, route: string | undefined, status: number, seconds: number): void {
    if (!this.isOn) return;
    const known = method !== undefined && METHODS.has(method) ? method : 'other';
    const labels = { method: known, route: route ?? 'none', status };
    this.requests.inc(labels);
    this.durations.observe({ route: labels.route }, seconds);
  }

  countLookups(cache: Cache, areHits: boolean, count = 1): void {
    if (this.isOn) this.lookups.inc({ cache, result: areHits ? 'hit' : 'miss' }, count);
  }

  countRejectedLogin(reason: 'wrong' | 'locked_out'): void {
    if (this.isOn) this.rejections.inc({ reason });
  }

  /** `strategy`: the name of one that is installed. */
  countLogin(strategy: string, result: 'accepted' | 'rejected' | 'failed'): void {
    if (this.isOn) this.logins.inc({ strategy, result });
  }

  /** Registers a counter whose values by label are read on each scrape. */
  counter(name: string, help: string, label: string, read: () => Readonly<Record<string, number>>): void {
    if (!this.isOn) return;
    new Counter({
      name,
      help,
      labelNames: [label],
      registers: this.registers,
      collect() {
        this.reset();
        for (const [value, count] of Object.entries(read())) this.inc({ [label]: value }, count);
      },
    });
  }

  /** Registers a gauge that is read on each scrape; those of workers are added up. */
  gauge(name: string, help: string, read: () => number): void {
    if (!this.isOn) return;
    const registers = this.registers;
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  }

  /** Registers a histogram of seconds. */
  seconds(name: string, help: string): { observe(seconds: number): void } {
    return new Histogram({ name, help, buckets: SECONDS, registers: this.registers });
  }
}
