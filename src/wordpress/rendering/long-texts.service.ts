import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { SingleFlight } from '../../cache/single-flight.js';
import { runDetached } from '../../common/context/abort.js';
import type { AttachmentsInTexts } from '../../lib/wordpress-text/formatting/attachments-in-text.js';
import type { Rendered, TextFunction, TextInput, TextOutput } from './text-functions.js';
import { textKey } from './text-key.js';
import { TextPool, TextsBusy } from './text-pool.js';

/** In bytes. */
const MAX_SIZE = 32 * 1024 * 1024;
/** Number of cached failures, and for how long, in milliseconds. */
const FAILED = { max: 1000, ttl: 60_000 };

type Result = string | Rendered | AttachmentsInTexts;

/** Processes long texts on other threads; an LRU cache of their results. */
@Injectable()
export class LongTexts implements OnApplicationShutdown {
  private readonly results = new LRUCache<string, Result>({ maxSize: MAX_SIZE, sizeCalculation: sizeOf });
  private readonly failures = new LRUCache<string, TextsBusy>(FAILED);
  private readonly flights = new SingleFlight<string, Result>();

  constructor(private readonly pool: TextPool) {}

  /**
   * The cached result of a job; concurrent calls share one. Where the text takes too much time or memory it is `fallback`, if
   * given.
   */
  async get<K extends TextFunction>(
    name: K,
    input: TextInput<K>,
    fallback?: TextOutput<K>,
  ): Promise<TextOutput<K>> {
    const key = await textKey(name, input);
    try {
      const failure = this.failures.get(key);
      if (failure) throw failure;
      // Detached, as the threads go on when the client disconnects: others join.
      const run = () => this.flights.run(key, () => this.run(key, name, input));
      return (this.results.get(key) ?? (await runDetached(run))) as TextOutput<K>;
    } catch (error) {
      if (fallback !== undefined && error instanceof TextsBusy && error.isTextsFault) return fallback;
      throw error;
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.close();
  }

  private async run<K extends TextFunction>(key: string, name: K, input: TextInput<K>): Promise<Result> {
    try {
      const result = await this.pool.run(name, input);
      this.results.set(key, result);
      return result;
    } catch (error) {
      if (error instanceof TextsBusy && error.isTextsFault) this.failures.set(key, error);
      throw error;
    }
  }
}

/** In bytes, approximately. */
function sizeOf(result: Result, key: string): number {
  if (typeof result === 'string') return key.length + Buffer.byteLength(result);
  if ('text' in result) return key.length + Buffer.byteLength(result.text);
  return key.length + 8 * (result.ids.length + result.parents.length);
}
