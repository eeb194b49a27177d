import { Injectable } from '@nestjs/common';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { Environment } from '../../config/env.js';

/** What is kept in memory or made ready on disk, and looked up there. */
type Cache = 'answers' | 'records' | 'event_index' | 'search_filter';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/**
 * What this process counts (docs/operating.md#metrics); nothing while `METRICS` is off. No label comes from a client: there
 * are as many series as there are routes, never as many as there are URLs.
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

  constructor(env: Environment) {
    this.isOn = env.metrics !== null;
    if (this.isOn) collectDefaultMetrics({ register: this.registry });
  }

  /** An answer: `route` as the application declares it, undefined where none matched; the time in seconds. */
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

  /** Counts that a part of the program keeps itself, under the names that it has for them. */
  counts(name: string, help: string, label: string, look: () => Readonly<Record<string, number>>): void {
    if (!this.isOn) return;
    new Counter({
      name,
      help,
      labelNames: [label],
      registers: this.registers,
      collect() {
        this.reset();
        for (const [value, count] of Object.entries(look())) this.inc({ [label]: value }, count);
      },
    });
  }

  /** A number that is looked at whenever somebody asks for it; workers' numbers are added up. */
  gauge(name: string, help: string, look: () => number): void {
    if (!this.isOn) return;
    const registers = this.registers;
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(look());
      },
    });
  }

  /** Seconds that something takes, to be observed. */
  seconds(name: string, help: string): { observe(seconds: number): void } {
    return new Histogram({ name, help, buckets: SECONDS, registers: this.registers });
  }
}
