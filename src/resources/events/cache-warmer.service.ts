import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { runInBackground } from '../../common/context/abort.js';
import { RequestContexts } from '../../http/request-contexts.service.js';
import { RecordCache } from '../record-cache/record-cache.service.js';
import { EventLoopYielder } from '../../common/event-loop.js';
import { EventIndexService } from './index/event-index.service.js';
import { EventsService } from './events.service.js';

/** Milliseconds after the start in which everything else comes first. */
const START = 5_000;
/** Events that are looked at, and made ready, at once. */
const LOOK = 1_000;
const BATCH = 20;
/** It works two thirds of the time; where others took more than a tenth of its pause, a tenth of the time. */
const PAUSE = 0.5;
const BUSY = 0.1;
const LONG_PAUSE = 9;
/** Milliseconds between two walks through all events, and how many times as long as the last one worked. */
const MINUTE = 60_000;
const REST = 20;

/** Makes events ready for who will be the first to ask for them (docs/behaviour/caching.md#prepared-records). */
@Injectable()
export class CacheWarmer implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly closing = new AbortController();
  private walking: Promise<void> = Promise.resolve();
  private readonly logger = new Logger('PreparedEvents');

  constructor(
    private readonly events: EventsService,
    private readonly index: EventIndexService,
    private readonly texts: RecordCache,
    private readonly contexts: RequestContexts,
  ) {}

  onApplicationBootstrap(): void {
    this.walking = runInBackground(() => this.walkOnAndOn());
  }

  async onModuleDestroy(): Promise<void> {
    this.closing.abort();
    await this.walking;
  }

  /** Makes all ready that are not; answers how many milliseconds of work that took. */
  async walk(): Promise<number> {
    const { now } = await this.contexts.anonymous();
    const all = await this.index.listed(now);
    const breather = new EventLoopYielder();
    let worked = 0;
    for (let from = 0; from < all.length; from += LOOK) {
      if (breather.shouldYield) await breather.yield();
      const some = [...new Set(all.subarray(from, from + LOOK))];
      const missing = await this.texts.unprepared(some, await this.contexts.anonymous());
      for (let at = 0; at < missing.length; at += BATCH) {
        const began = performance.now();
        // Settings may be others by now.
        const context = await this.contexts.anonymous();
        const hasRoom = await this.events.prepare(missing.slice(at, at + BATCH), context);
        const took = performance.now() - began;
        worked += took;
        if (!hasRoom || this.closing.signal.aborted) return worked;
        await this.giveWay(took);
      }
    }
    return worked;
  }

  private async walkOnAndOn(): Promise<void> {
    await this.pause(START);
    // What nobody waits for any more might never come: the index begins by a timer that keeps no process going.
    if (!this.closing.signal.aborted) await this.index.settled();
    while (!this.closing.signal.aborted) {
      let worked = 0;
      try {
        worked = await this.walk();
      } catch (error) {
        this.logger.warn(`Events are not made ready: ${error instanceof Error ? error.message : error}`);
      }
      await this.pause(Math.max(MINUTE, REST * worked));
    }
  }

  private async giveWay(took: number): Promise<void> {
    const before = performance.eventLoopUtilization();
    await this.pause(took * PAUSE);
    const { utilization } = performance.eventLoopUtilization(before);
    if (utilization > BUSY) await this.pause(took * LONG_PAUSE);
  }

  /** Ends early where the server does. */
  private async pause(ms: number): Promise<void> {
    await setTimeout(ms, undefined, { ref: false, signal: this.closing.signal }).catch(() => undefined);
  }
}
