import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { AttachmentsInTexts } from '../../lib/wordpress-text/formatting/attachments-in-text.js';
import type { Rendered, TextFunction, TextInput, TextOutput } from './text-functions.js';
import { textKey } from './text-key.js';
import { TextPool, TextsBusy } from './text-pool.js';

/** Memory for what was made of long texts, in bytes. */
const KEPT_BYTES = 32 * 1024 * 1024;
/** How many texts that can not be dealt with are remembered, and how long, in milliseconds. */
const FAILED = { max: 1000, ttl: 60_000 };

type Kept = string | Rendered | AttachmentsInTexts;

/** Deals with long texts off the event loop, and keeps what was rendered: the least recently used goes first. */
@Injectable()
export class LongTexts implements OnApplicationShutdown {
  private readonly results = new LRUCache<string, Kept>({ maxSize: KEPT_BYTES, sizeCalculation: sizeOf });
  private readonly failures = new LRUCache<string, TextsBusy>(FAILED);
  private readonly underway = new Map<string, Promise<Kept>>();

  constructor(private readonly pool: TextPool) {}

  /**
   * Does a job whose result others will ask for again: once for all who ask at the same time, kept for those who come
   * later. Where the text itself takes too much time or memory the answer is `instead`, if that is given.
   */
  async keep<K extends TextFunction>(
    name: K,
    input: TextInput<K>,
    instead?: TextOutput<K>,
  ): Promise<TextOutput<K>> {
    const key = await textKey(name, input);
    try {
      const failure = this.failures.get(key);
      if (failure) throw failure;
      const known = this.results.get(key) ?? this.underway.get(key) ?? this.make(key, name, input);
      return (await known) as TextOutput<K>;
    } catch (error) {
      if (instead !== undefined && error instanceof TextsBusy && error.isTextsFault) return instead;
      throw error;
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.close();
  }

  private make<K extends TextFunction>(key: string, name: K, input: TextInput<K>): Promise<Kept> {
    const made = this.pool
      .run(name, input)
      .then((result) => {
        this.results.set(key, result);
        return result;
      })
      .catch((error: unknown) => {
        if (error instanceof TextsBusy && error.isTextsFault) this.failures.set(key, error);
        throw error;
      })
      .finally(() => this.underway.delete(key));
    this.underway.set(key, made);
    return made;
  }
}

/** Bytes, roughly. */
function sizeOf(kept: Kept, key: string): number {
  if (typeof kept === 'string') return key.length + Buffer.byteLength(kept);
  if ('text' in kept) return key.length + Buffer.byteLength(kept.text);
  return key.length + 8 * (kept.ids.length + kept.parents.length);
}
