import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Environment } from '../config/env.js';
import { Clock } from '../wordpress/dates/clock.js';
import { type Attempt, RateLimiter } from './rate-limiter.js';

/** Keys that are remembered; those that failed longest ago are forgotten. */
const MOST_KEYS = 10_000;

/** An attempt that failed, or is not known not to have; `at` in milliseconds. */
interface Failure {
  at: number;
}

/** Counts failed sign-ins per key in a sliding time, in this process. */
@Injectable()
export class MemoryRateLimiter extends RateLimiter {
  /** The failures of each key, oldest first; looking at them does not make a key younger. */
  private readonly failures = new LRUCache<string, Set<Failure>>({ max: MOST_KEYS });

  constructor(
    private readonly env: Environment,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async begin(key: string): Promise<Attempt> {
    const { rateLimit: rule } = this.env;
    if (!rule) return { secondsToWait: 0, forgive: async () => undefined };
    const now = this.clock.now();
    // What lies ahead is of a clock that was set back since: it would lock out for as long.
    const recent = [...(this.failures.peek(key) ?? [])].filter(
      ({ at }) => at > now - rule.milliseconds && at <= now,
    );
    const first = recent.at(-rule.failures);
    if (first) {
      const secondsToWait = Math.max(1, Math.ceil((first.at + rule.milliseconds - now) / 1000));
      return { secondsToWait, forgive: async () => undefined };
    }
    const failure: Failure = { at: now };
    this.failures.set(key, new Set([...recent, failure]));
    return { secondsToWait: 0, forgive: async () => this.forget(key, failure) };
  }

  private forget(key: string, failure: Failure): void {
    const failures = this.failures.peek(key);
    failures?.delete(failure);
    if (failures?.size === 0) this.failures.delete(key);
  }
}
