import { tmpdir } from 'node:os';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Environment } from '../../config/env.js';
import { SerializedJson } from '../../http/serialized-json.js';
import { Metrics } from '../../observability/metrics/metrics.service.js';
import type { SiteSettings } from '../../wordpress/options/site-settings.js';
import { roomIn, AppendOnlyFileStore } from './append-only-file-store.js';

/** What all texts are made by besides the rows that fingerprints tell of: of others nothing is known. */
export interface Basis {
  settings: SiteSettings;
  namespace: string;
  /** Of the tables that no fingerprint tells of. */
  others: number;
}

/** All posts that a record was made of, and their fingerprints. */
export interface Dependencies {
  posts: readonly number[];
  print: string;
}

/** A record as anybody is shown it. */
export interface PreparedText extends Dependencies {
  id: number;
  /** The version of the content that it is known to be right for. */
  content: number;
  /** Its JSON when it is answered alone. */
  alone: string;
  /** Which parts of that lists leave out: from where to where, one after the other. */
  ranges: readonly (readonly [from: number, to: number])[];
}

/** One that was found: as it is answered alone, or as lists show it. */
export interface FoundText {
  id: number;
  /** Where it lies. */
  place: number;
  content: number;
  text: SerializedJson;
  /** Told where something may have changed. */
  dependencies?: Dependencies;
}

const WORD = 4;

/**
 * Keeps on disk what was made ready before anybody asked for it, far more than memory has room for
 * (docs/behaviour/caching.md#prepared-records).
 */
@Injectable()
export class DiskRecordStore implements OnModuleDestroy {
  private basis?: Basis;
  private texts?: AppendOnlyFileStore;
  private isOff: boolean;
  /** One thing is put there after the other. */
  private turn: Promise<unknown> = Promise.resolve();
  private readonly most: number;
  private readonly logger = new Logger('PreparedTexts');

  constructor(
    private readonly env: Environment,
    private readonly metrics: Metrics,
  ) {
    this.most = env.cacheDisk / env.workers;
    // Of several servers one might tell the fingerprints, and another one the rows.
    this.isOff = env.cache === 0 || this.most === 0 || env.replicaUrls.length > 0;
  }

  /** Whether any are there, or may be put there. */
  get isOn(): boolean {
    return !this.isOff;
  }

  get size(): number {
    return this.texts?.size ?? 0;
  }

  has(id: number, basis: Basis): boolean {
    return this.isOf(basis) && this.texts?.has(id) === true;
  }

  /** Those of these that are there, whatever has changed since they were put there for another version of the content than `now`. */
  async find(
    ids: readonly number[],
    basis: Basis,
    { now, form }: { now: number; form: 'alone' | 'listed' },
  ): Promise<FoundText[]> {
    const { texts } = this;
    if (!texts || ids.length === 0 || !this.isOf(basis)) return [];
    const found = await texts.get([...new Set(ids)], (id, content, bytes, place) => ({
      ...{ id, content, place },
      ...textIn(bytes, { form, isOld: content !== now }),
    }));
    this.metrics.countLookups('prepared', true, found.length);
    this.metrics.countLookups('prepared', false, ids.length - found.length);
    return found;
  }

  /** Puts some there; says whether there is room for more. */
  async add(texts: readonly PreparedText[], basis: Basis): Promise<boolean> {
    const adding = this.turn.then(() => this.addNext(texts, basis));
    this.turn = adding;
    return adding;
  }

  /** What was found is right for that version of the content as well. */
  stillRight({ id, place }: FoundText, content: number): void {
    this.texts?.renew(id, place, content);
  }

  delete({ id, place }: FoundText): void {
    this.texts?.delete(id, place);
  }

  async onModuleDestroy(): Promise<void> {
    this.isOff = true;
    await this.turn;
    await this.close();
  }

  private async addNext(texts: readonly PreparedText[], basis: Basis): Promise<boolean> {
    if (this.isOff) return false;
    try {
      if (!this.isOf(basis) || this.texts?.needsCompaction) await this.renew(basis);
      return (await this.texts?.add(texts.map(written))) ?? false;
    } catch (error) {
      this.logger.log(
        `Nothing is made ready before it is asked for: ${error instanceof Error ? error.message : error}`,
      );
      this.isOff = true;
      await this.close();
      return false;
    }
  }

  private async close(): Promise<void> {
    const { texts } = this;
    this.texts = undefined;
    await texts?.close();
  }

  private isOf({ settings, namespace, others }: Basis): boolean {
    const { basis } = this;
    return basis?.settings === settings && basis.namespace === namespace && basis.others === others;
  }

  private async renew(basis: Basis): Promise<void> {
    await this.close();
    this.basis = basis;
    const folder = tmpdir();
    const room = await roomIn(folder);
    if (room === 0) throw new Error(`${folder} is full, or lies in memory`);
    this.texts = await AppendOnlyFileStore.open(Math.min(this.most, room / this.env.workers), folder);
  }
}

/** The JSON of a prepared record as lists show it. */
export function listed({ alone, ranges: ranges }: Pick<PreparedText, 'alone' | 'ranges'>): string {
  let at = 0;
  let json = '';
  for (const [from, to] of ranges) {
    json += alone.slice(at, from);
    at = to;
  }
  return json + alone.slice(at);
}

/**
 * The length of what it was made of, the number of cuts, and these; what stands for it in hashes, alone and in lists; what it was made of;
 * the text. All of it is ASCII.
 */
function written({ id, content, alone, ranges: ranges, posts, print }: PreparedText) {
  const about = JSON.stringify({ posts, print } satisfies Dependencies);
  const marks = [alone, listed({ alone, ranges: ranges })].map((json) => new SerializedJson(json).hash);
  const words = [about.length, ranges.length, ...ranges.flat()];
  const numbers = Buffer.alloc(words.length * WORD);
  for (const [at, word] of words.entries()) numbers.writeUInt32LE(word, at * WORD);
  const bytes = Buffer.concat([numbers, Buffer.from([...marks, about, alone].join(''), 'latin1')]);
  return { id, version: content, bytes };
}

function textIn(
  bytes: Buffer,
  { form, isOld }: { form: 'alone' | 'listed'; isOld: boolean },
): Pick<FoundText, 'text' | 'dependencies'> {
  const word = (number: number) => bytes.readUInt32LE(number * WORD);
  const [length, count] = [word(0), word(1)];
  const marks = (2 + 2 * count) * WORD;
  const about = marks + 2 * SerializedJson.HASH_LENGTH;
  const text = about + length;
  const dependencies = isOld
    ? (JSON.parse(bytes.toString('latin1', about, text)) as Dependencies)
    : undefined;
  const mark = form === 'alone' ? marks : marks + SerializedJson.HASH_LENGTH;
  let end = bytes.length;
  if (form === 'listed') {
    // What lists show is moved together.
    let to = text;
    for (let cut = 0; cut <= count; cut++) {
      const from = cut === 0 ? text : text + word(1 + 2 * cut);
      const until = cut === count ? bytes.length : text + word(2 + 2 * cut);
      bytes.copyWithin(to, from, until);
      to += until - from;
    }
    end = to;
  }
  return {
    text: new SerializedJson(
      bytes.toString('latin1', text, end),
      bytes.toString('latin1', mark, mark + SerializedJson.HASH_LENGTH),
    ),
    ...(dependencies && { dependencies: dependencies }),
  };
}
