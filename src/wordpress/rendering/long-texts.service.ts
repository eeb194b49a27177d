import { createHash } from 'node:crypto';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { SingleFlight } from '../../cache/single-flight.js';
import { runDetached } from '../../common/context/abort.js';
import { EventLoopYielder } from '../../common/event-loop.js';
import type { AttachmentsInTexts } from '../../lib/wordpress-text/formatting/attachments-in-text.js';
import type { Rendered, TextFunction, TextInput, TextOutput } from './text-functions.js';
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

  /** The cached result of a job, or `fallback` where the text takes too much time or memory. */
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

/** Characters that are hashed without yielding. */
const CHUNK_SIZE = 262_144;

/** A hash of a whole job; long texts are hashed in chunks, yielding in between. */
async function textKey(
  name: string,
  { text, attachments = [], ...small }: { text: string; attachments?: readonly Uint8Array[] },
): Promise<string> {
  const sizes = [text.length, ...attachments.map(({ length }) => length)];
  const hash = createHash('sha256').update(JSON.stringify([name, small, sizes]));
  const yielder = new EventLoopYielder();
  for (let at = 0; at < text.length; at += CHUNK_SIZE) {
    if (yielder.shouldYield) await yielder.yield();
    // latin1 would lose characters, UTF-8 halves of surrogate pairs.
    hash.update(text.slice(at, at + CHUNK_SIZE), 'utf16le');
  }
  for (const bytes of attachments) {
    if (yielder.shouldYield) await yielder.yield();
    hash.update(bytes);
  }
  return hash.digest('base64');
}

/** Characters that are rendered or cleaned in place, in at most about 10 ms. */
const MAX_CHARACTERS = 8_192;
/** Characters that take as long as one item of a gallery or playlist. */
const ITEM = 32;
const LISTS = /\[(?:gallery|playlist)/g;

/** Whether a text is long, or may become so by its galleries. */
export function mayGrowLong(text: string): boolean {
  return isLong(text, MAX_CHARACTERS);
}

/** Whether all texts of a record together are short enough to be rendered without yielding. */
export function areShort(texts: readonly string[], attachments: number): boolean {
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  // An excerpt may be generated from the content.
  return 2 * length <= MAX_CHARACTERS && (attachments === 0 || !texts.some((text) => text.includes('[')));
}

/** Whether a text is processed on another thread; galleries count by the attachments that they may show. */
export function isLong(text: string, attachments = 0): boolean {
  if (text.length > MAX_CHARACTERS) return true;
  if (attachments === 0 || !text.includes('[')) return false;
  const lists = text.match(LISTS)?.length ?? 0;
  return text.length + lists * attachments * ITEM > MAX_CHARACTERS;
}
