import { Injectable } from '@nestjs/common';
import { MemoryRateLimiter } from '../auth/memory-rate-limiter.js';
import { type Attempt, RateLimiter } from '../auth/rate-limiter.js';
import { Environment } from '../config/env.js';
import { Clock } from '../wordpress/dates/clock.js';
import { PrimaryLink } from './primary-link.service.js';
import { RedisLink } from './redis-link.service.js';

/** Counts failed sign-ins with all who share the count: machines over Redis, else workers, else this process by itself. */
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
    return (await this.redis.begin(key)) ?? (await this.primary.begin(key)) ?? this.own.begin(key);
  }
}
