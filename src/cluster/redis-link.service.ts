import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { Redis, RedisOptions } from 'ioredis';
import type { Attempt } from '../auth/rate-limiter.js';
import { Environment } from '../config/env.js';
import { TableVersions } from '../database/table-versions.service.js';
import { StartError } from '../database/start-error.js';

/** How long anything may take that Redis is asked, in milliseconds: requests wait for it. */
const PATIENCE = 200;
/** How often a lost Redis is tried again, and how long a start waits for it. */
const PAUSE = 1000;
/** What ioredis says of a question that took longer than `commandTimeout`. */
const TIMED_OUT = 'Command timed out';

/** Bytes of one reply or message, and commands without a reply, beyond which a connection is made anew: what is said here is short. */
const MAX_REPLY_BYTES = 262_144;
const MAX_UNANSWERED = 1000;

/** What a Redis says that has become a replica: behind its address another one is the primary now. */
const DEMOTED = /\b(READONLY|MASTERDOWN)\b/;

/** Looks and counts in one step, by the clock of Redis; answers the milliseconds to wait. */
const BEGIN = `
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local window, most = tonumber(ARGV[1]), tonumber(ARGV[2])
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - window)
  local first = redis.call('ZRANGE', KEYS[1], -most, -most, 'WITHSCORES')
  if first[2] then return first[2] + window - now end
  redis.call('ZADD', KEYS[1], now, ARGV[3])
  redis.call('PEXPIRE', KEYS[1], window)
  return 0`;

/**
 * What processes on several machines have with each other, where `REDIS_URL` is set: each hears of the others' commits at
 * once, and failed sign-ins are counted together. Without Redis nothing fails: it is late by a second, or counted here only.
 */
@Injectable()
export class RedisLink implements OnModuleInit, OnApplicationShutdown {
  private commands?: Redis;
  private ears?: Redis;
  private readonly self = randomUUID();
  private readonly site: string;
  private told = 0;
  /** How many have heard of each commit that is being told. */
  private readonly heard = new Map<string, () => void>();
  /** Bytes of each connection since its last whole reply or message. */
  private readonly received = new WeakMap<Redis, number>();
  private isLost = false;
  /** Whether it was lost by its silence: a connection that hangs and goes on is not made anew. */
  private isSilent = false;
  private readonly logger = new Logger('Redis');

  constructor(
    private readonly env: Environment,
    private readonly changes: TableVersions,
  ) {
    const { database, tablePrefix } = env;
    this.site = `almanac:${database.kind === 'mysql' ? database.database : database.path}/${tablePrefix}`;
  }

  async onModuleInit(): Promise<void> {
    const { redisUrl } = this.env;
    if (redisUrl === undefined) return;
    const { Redis } = await import('ioredis').catch(() => {
      throw new StartError('REDIS_URL needs a package that is not installed: npm install ioredis');
    });
    const options: RedisOptions = {
      connectTimeout: PAUSE,
      commandTimeout: PATIENCE,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      autoResubscribe: false,
      retryStrategy: () => PAUSE,
    };
    const commands = new Redis(redisUrl, options);
    const ears = new Redis(redisUrl, options);
    this.commands = commands;
    this.ears = ears;
    for (const one of [commands, ears]) {
      one.on('error', (error: Error) => this.lost(error));
      one.on('connect', () => this.limitReplies(one));
      one.on('ready', () => this.received.set(one, 0));
    }
    commands.on('ready', async () => (await this.isPrimary(commands)) && this.connected());
    ears.on('message', (channel: string, text: string) => {
      this.received.set(ears, 0);
      this.hear(channel, text);
    });
    const listening = new Promise<void>((resolve) => ears.once('subscribed', resolve));
    ears.on('ready', async () => {
      if (!(await this.isPrimary(ears))) return;
      ears.subscribe(this.site, this.own(this.self)).then(
        () => {
          // What was said meanwhile was not heard.
          this.changes.invalidate();
          ears.emit('subscribed');
          this.connected();
        },
        (error) => this.lost(error),
      );
    });
    this.changes.onCommit(() => this.tell());
    await Promise.race([listening, sleep(PAUSE)]);
  }

  /** An attempt to sign in, counted for all machines; undefined while nobody counts. */
  async begin(key: string): Promise<Attempt | undefined> {
    const { rateLimit: rule } = this.env;
    if (!this.commands || !rule) return undefined;
    const name = `${this.site}:failed:${key}`;
    const id = randomUUID();
    try {
      const wait = Number(await this.commands.eval(BEGIN, 1, name, rule.milliseconds, rule.failures, id));
      // More than the window, or no number, is no reply of the script.
      if (!(wait >= 0 && wait <= rule.milliseconds)) throw new Error('It does not count as it was told.');
      this.answered();
      return {
        secondsToWait: Math.ceil(wait / 1000),
        forgive: async () => void (await this.commands?.zrem(name, id).catch(() => undefined)),
      };
    } catch (error) {
      this.lost(error);
      // It is counted elsewhere now; a Redis that hung would do so as well when it goes on.
      this.commands.zrem(name, id).catch(() => undefined);
      return undefined;
    }
  }

  onApplicationShutdown(): void {
    this.commands?.disconnect();
    this.ears?.disconnect();
  }

  /** Has the others forget what they know of rows; waits until they have, though not for long. */
  private async tell(): Promise<void> {
    const id = `${++this.told}`;
    let count = 0;
    let expected = Number.POSITIVE_INFINITY;
    const all = new Promise<void>((resolve) => {
      this.heard.set(id, () => {
        count += 1;
        if (count >= expected) resolve();
      });
    });
    try {
      // A replica takes it too, but tells only who listens there.
      const taken = this.commands?.del(this.site);
      // Whoever tells hears it too.
      const told = this.commands?.publish(this.site, `${this.self} ${id}`);
      expected = Number((await Promise.all([told, taken]))[0]);
      this.answered();
      const timer = new AbortController();
      if (count < expected)
        await Promise.race([
          all,
          sleep(PATIENCE, undefined, { signal: timer.signal }).catch(() => undefined),
        ]);
      timer.abort();
    } catch (error) {
      this.lost(error);
    } finally {
      this.heard.delete(id);
    }
  }

  private hear(channel: string, text: string): void {
    if (channel !== this.site) {
      this.heard.get(text)?.();
      return;
    }
    const [from = '', id = ''] = text.split(' ');
    if (from === this.self) {
      this.heard.get(id)?.();
      return;
    }
    this.changes.invalidate();
    this.commands?.publish(this.own(from), id).catch((error) => this.lost(error));
  }

  /** Where one process is told that others have heard it. */
  private own(process: string): string {
    return `${this.site}:${process}`;
  }

  /** Whether it takes writes, and so is the one that all others ask. */
  private async isPrimary(redis: Redis): Promise<boolean> {
    return redis.del(this.site).then(
      () => true,
      (error) => {
        this.lost(error);
        return false;
      },
    );
  }

  private lost(error: unknown): void {
    const { message } = error as Error;
    // Both, as what one hears must be what the others tell.
    if (DEMOTED.test(message))
      for (const one of [this.commands, this.ears]) if (one?.status === 'ready') one.disconnect(true);
    // Each command that timed out waits for its reply all the same.
    if (message === TIMED_OUT && (this.commands?.commandQueue.length ?? 0) > MAX_UNANSWERED)
      this.commands?.disconnect(true);
    if (this.isLost) return;
    this.isLost = true;
    this.isSilent = message === TIMED_OUT;
    this.logger.warn(`Not reached, each process is by itself: ${message || error}`);
  }

  /** Cuts off what sends without an end: the parser would keep all of it. */
  private limitReplies(redis: Redis): void {
    this.received.set(redis, 0);
    // What ioredis and its parser throw at an odd reply would end the process.
    for (const parse of redis.stream.listeners('data')) {
      redis.stream.off('data', parse as () => void);
      redis.stream.on('data', (chunk: Buffer) => {
        try {
          parse.call(redis.stream, chunk);
        } catch (error) {
          this.lost(error);
          redis.stream.destroy();
        }
      });
    }
    redis.stream.on('data', ({ length }: Buffer) => {
      const received = (this.received.get(redis) ?? 0) + length;
      this.received.set(redis, received);
      if (received <= MAX_REPLY_BYTES) return;
      this.lost(new Error(`It sends more than ${MAX_REPLY_BYTES} bytes without a whole reply.`));
      redis.stream.destroy();
    });
  }

  private answered(): void {
    if (this.commands) this.received.set(this.commands, 0);
    if (this.isSilent) this.found();
  }

  /** One connection may fail once more after the other one is back. */
  private connected(): void {
    if (this.commands?.status === 'ready' && this.ears?.status === 'ready') this.found();
  }

  private found(): void {
    if (this.isLost) this.logger.log('Reached again.');
    this.isLost = false;
    this.isSilent = false;
  }
}
