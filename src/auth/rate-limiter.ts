import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { Environment } from '../config/env.js';

/** A login attempt of a `RateLimiter`. */
export interface Attempt {
  /** Whole seconds until the key may try again; 0 allows and counts this attempt. */
  secondsToWait: number;
  /** Removes the failure: the attempt succeeded or could not be checked. */
  forgive(): Promise<void>;
}

/**
 * Limits failed logins by the rule of `RATE_LIMIT`; replaceable by plugins. By default the workers of a machine share
 * one count, and machines with `REDIS_URL`. An error of either method fails the request (500).
 */
export abstract class RateLimiter {
  /**
   * Begins an attempt of a key (address and user). It counts as failed until forgiven, so that concurrent attempts gain
   * nothing; checking and counting must be atomic.
   */
  abstract begin(key: string): Promise<Attempt>;
}

/** The maximum of keys; those with the fewest failures are evicted first, so that random keys evict no lockout. */
const MAX_KEYS = 10_000;

/** An attempt that failed or is undecided; `at` in epoch milliseconds. */
interface Failure {
  at: number;
}

/** Counts failed logins per key in a sliding window, in the memory of this process. */
@Injectable()
export class MemoryRateLimiter extends RateLimiter {
  /** The failures of each key, oldest first. */
  private readonly failures = new Map<string, Set<Failure>>();
  /** The keys by number of failures, the oldest first. */
  private readonly byCount: Set<string>[] = [];

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
    // Failures in the future come from a clock that was set back.
    const recent = [...(this.failures.get(key) ?? [])].filter(
      ({ at }) => at > now - rule.milliseconds && at <= now,
    );
    const first = recent.at(-rule.failures);
    if (first) {
      const secondsToWait = Math.max(1, Math.ceil((first.at + rule.milliseconds - now) / 1000));
      return { secondsToWait, forgive: async () => undefined };
    }
    const failure: Failure = { at: now };
    this.set(key, new Set([...recent, failure]));
    if (this.failures.size > MAX_KEYS) this.evict();
    return { secondsToWait: 0, forgive: async () => this.forgive(key, failure) };
  }

  private forgive(key: string, failure: Failure): void {
    const failures = this.failures.get(key);
    if (!failures?.has(failure)) return;
    this.set(key, new Set([...failures].filter((one) => one !== failure)));
  }

  private set(key: string, failures: Set<Failure>): void {
    this.byCount[this.failures.get(key)?.size ?? 0]?.delete(key);
    if (failures.size === 0) {
      this.failures.delete(key);
      return;
    }
    this.failures.set(key, failures);
    this.byCount[failures.size] ??= new Set();
    this.byCount[failures.size]?.add(key);
  }

  private evict(): void {
    const fewest = this.byCount.find((keys) => keys !== undefined && keys.size > 0);
    const [oldest] = fewest ?? [];
    if (oldest !== undefined) this.set(oldest, new Set());
  }
}
