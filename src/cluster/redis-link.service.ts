import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { Redis, RedisOptions } from 'ioredis';
import type { Attempt } from '../auth/rate-limiter.js';
import { endsWithin } from '../common/ends-within.js';
import { Environment } from '../config/env.js';
import { StartError } from '../database/start-error.js';
import { TableVersions } from '../database/table-versions.service.js';

/** The timeout of a command, in milliseconds: requests wait for it. */
const TIMEOUT_MS = 200;
/** How often to reconnect, and how long the start waits for Redis, in milliseconds. */
const RETRY_MS = 1000;
/** The message of ioredis after `commandTimeout`. */
const TIMED_OUT = 'Command timed out';

/** The maximum bytes of a reply and of pending commands; above it the connection is renewed. */
const MAX_REPLY_BYTES = 262_144;
const MAX_PENDING = 1000;

/** The error of a server that has become a replica: another one is the primary now. */
const DEMOTED = /\b(READONLY|MASTERDOWN)\b/;

/** Checks and counts an attempt atomically, by the clock of Redis; returns the milliseconds to wait. */
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
 * Connects machines through `REDIS_URL`: each learns of the others' commits at once, and failed logins are counted
 * together. Without Redis nothing fails: changes are noticed within a second, logins counted per machine.
 */
@Injectable()
export class RedisLink implements OnModuleInit, OnApplicationShutdown {
  private commands?: Redis;
  private subscriber?: Redis;
  private readonly self = randomUUID();
  private readonly site: string;
  private published = 0;
  /** Called for each acknowledgement of a pending notice. */
  private readonly acknowledge = new Map<string, () => void>();
  /** Bytes received on each connection since its last complete reply or message. */
  private readonly received = new WeakMap<Redis, number>();
  private isLost = false;
  /** Whether it was lost by a timeout: such a connection may recover without a reconnect. */
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
      connectTimeout: RETRY_MS,
      commandTimeout: TIMEOUT_MS,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      autoResubscribe: false,
      retryStrategy: () => RETRY_MS,
    };
    const commands = new Redis(redisUrl, options);
    const subscriber = new Redis(redisUrl, options);
    this.commands = commands;
    this.subscriber = subscriber;
    for (const one of [commands, subscriber]) {
      one.on('error', (error: Error) => this.lost(error));
      one.on('connect', () => this.limitReplies(one));
      one.on('ready', () => this.received.set(one, 0));
    }
    commands.on('ready', async () => (await this.isPrimary(commands)) && this.connected());
    subscriber.on('message', (channel: string, text: string) => {
      this.received.set(subscriber, 0);
      this.receive(channel, text);
    });
    const subscribed = new Promise<void>((resolve) => subscriber.once('subscribed', resolve));
    subscriber.on('ready', async () => {
      if (!(await this.isPrimary(subscriber))) return;
      subscriber.subscribe(this.site, this.channelOf(this.self)).then(
        () => {
          // Notices sent before were missed.
          this.changes.invalidate();
          subscriber.emit('subscribed');
          this.connected();
        },
        (error) => this.lost(error),
      );
    });
    this.changes.onCommit(() => this.notify());
    await Promise.race([subscribed, sleep(RETRY_MS)]);
  }

  /** Counts a login attempt for all machines; undefined while Redis is unreachable. */
  async begin(key: string): Promise<Attempt | undefined> {
    const { rateLimit: rule } = this.env;
    if (!this.commands || !rule) return undefined;
    const name = `${this.site}:failed:${key}`;
    const id = randomUUID();
    try {
      const wait = Number(await this.commands.eval(BEGIN, 1, name, rule.milliseconds, rule.failures, id));
      // Any other value is no reply of the script.
      if (!(wait >= 0 && wait <= rule.milliseconds))
        throw new Error('The script for failed logins returned an invalid reply.');
      this.answered();
      return {
        secondsToWait: Math.ceil(wait / 1000),
        forgive: async () => void (await this.commands?.zrem(name, id).catch(() => undefined)),
      };
    } catch (error) {
      this.lost(error);
      // It is counted elsewhere now; a Redis that recovers may still count it.
      this.commands.zrem(name, id).catch(() => undefined);
      return undefined;
    }
  }

  onApplicationShutdown(): void {
    this.commands?.disconnect();
    this.subscriber?.disconnect();
  }

  /** Notifies the other processes of a commit; waits for their acknowledgements up to the timeout. */
  private async notify(): Promise<void> {
    const id = `${++this.published}`;
    let count = 0;
    let expected = Number.POSITIVE_INFINITY;
    const all = new Promise<void>((resolve) => {
      this.acknowledge.set(id, () => {
        count += 1;
        if (count >= expected) resolve();
      });
    });
    try {
      // A replica accepts PUBLISH too, but only for its own subscribers; a write fails there.
      const written = this.commands?.del(this.site);
      // The count of receivers includes this process.
      const receivers = this.commands?.publish(this.site, `${this.self} ${id}`);
      expected = Number((await Promise.all([receivers, written]))[0]);
      this.answered();
      if (count < expected) await endsWithin(all, TIMEOUT_MS);
    } catch (error) {
      this.lost(error);
    } finally {
      this.acknowledge.delete(id);
    }
  }

  private receive(channel: string, text: string): void {
    if (channel !== this.site) {
      this.acknowledge.get(text)?.();
      return;
    }
    const [from = '', id = ''] = text.split(' ');
    if (from === this.self) {
      this.acknowledge.get(id)?.();
      return;
    }
    this.changes.invalidate();
    this.commands?.publish(this.channelOf(from), id).catch((error) => this.lost(error));
  }

  private channelOf(process: string): string {
    return `${this.site}:${process}`;
  }

  /** Whether the server accepts writes and so is the primary. */
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
    // Both connections must use the same server.
    if (DEMOTED.test(message))
      for (const one of [this.commands, this.subscriber]) if (one?.status === 'ready') one.disconnect(true);
    // Commands that timed out stay in the queue of ioredis.
    if (message === TIMED_OUT && (this.commands?.commandQueue.length ?? 0) > MAX_PENDING)
      this.commands?.disconnect(true);
    if (this.isLost) return;
    this.isLost = true;
    this.isSilent = message === TIMED_OUT;
    this.logger.warn(`Not reachable, so each process works on its own: ${message || error}`);
  }

  /** Closes a connection that sends an endless reply, which the parser would buffer. */
  private limitReplies(redis: Redis): void {
    this.received.set(redis, 0);
    // Errors that ioredis and its parser throw on an invalid reply would end the process.
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

  /** Called when one of the connections is ready. */
  private connected(): void {
    if (this.commands?.status === 'ready' && this.subscriber?.status === 'ready') this.found();
  }

  private found(): void {
    if (this.isLost) this.logger.log('Reachable again.');
    this.isLost = false;
    this.isSilent = false;
  }
}
