import { Injectable } from '@nestjs/common';
import { Environment } from '../config/env.js';
import { Clock } from '../common/clock.js';
import { type Attempt, RateLimiter } from './rate-limiter.js';

/** Keys that are remembered; of those with the fewest failures the oldest goes first, so that made-up keys evict no lockout. */
const MAX_KEYS = 10_000;

/** An attempt that failed, or is not known not to have; `at` in milliseconds. */
interface Failure {
  at: number;
}

/** Counts failed sign-ins per key in a sliding time, in this process. */
@Injectable()
export class MemoryRateLimiter extends RateLimiter {
  /** The failures of each key, oldest first. */
  private readonly failures = new Map<string, Set<Failure>>();
  /** The keys by the number of their failures, those that failed longest ago first. */
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
    // What lies ahead is of a clock that was set back since: it would lock out for as long.
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
