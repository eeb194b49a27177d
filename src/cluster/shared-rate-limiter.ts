import { Injectable } from '@nestjs/common';
import { type Attempt, MemoryRateLimiter, RateLimiter } from '../auth/rate-limiter.js';
import { Clock } from '../common/clock.js';
import { Environment } from '../config/env.js';
import { PrimaryLink } from './primary-link.service.js';
import { RedisLink } from './redis-link.service.js';

/** Counts failed logins over Redis, else over the primary process, and always in this process. */
@Injectable()
export class SharedRateLimiter extends RateLimiter {
  private readonly own: MemoryRateLimiter;

  constructor(
    env: Environment,
    clock: Clock,
    private readonly redis: RedisLink,
    private readonly primary: PrimaryLink,
  ) {
    super();
    this.own = new MemoryRateLimiter(env, clock);
  }

  override async begin(key: string): Promise<Attempt> {
    const shared = (await this.redis.begin(key)) ?? (await this.primary.begin(key));
    if (shared && shared.secondsToWait > 0) return shared;
    // Even a wrong shared count allows no more attempts than this process does.
    const own = await this.own.begin(key);
    const forgive = async () => {
      await Promise.all([shared?.forgive(), own.forgive()]);
    };
    if (own.secondsToWait > 0) await shared?.forgive();
    return { secondsToWait: own.secondsToWait, forgive };
  }
}
