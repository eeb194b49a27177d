import { Logger, type OnModuleDestroy } from '@nestjs/common';
import { runInBackground, withinBudget } from '../../common/context/abort.js';
import { pauseAfter } from '../../common/duty-cycle.js';
import { firstLine } from '../../common/errors/first-line.js';
import { EventLoopYielder } from '../../common/event-loop.js';
import type { Database } from '../../database/database.js';
import type { TableVersions } from '../../database/table-versions.service.js';
import type { Metrics } from '../../observability/metrics/metrics.service.js';
import { searchTerms } from '../posts/search-terms.js';
import { CharacterClasses, SEPARATORS } from './character-classes.js';
import { CHUNK } from './chunk-words.js';
import {
  characterWeights,
  chunkChecksum,
  type PostTexts,
  readTexts,
  sameCharacters,
  textChecksums,
  textCollation,
} from './post-texts.query.js';
import { type Found, TextIndex } from './text-index.js';

/** SQL searches fewer posts fast enough. */
const MIN_POSTS = 5000;
/** Larger calendars, in bytes of texts, are not indexed. */
const MAX_BYTES = 2 * 1024 ** 3;
/** SQL gets at most so many ids, and such a share of all; beyond that it compares all texts in one pass. */
const MAX_IDS = 20_000;
const MAX_SHARE = 0.2;
/** Changed chunks that a search waits for; more are read in the background. */
const MAX_AWAITED_CHUNKS = 100;
/** Chunks and characters per statement; slices of work in milliseconds. */
const CHUNKS = 16;
const CHARACTERS = 500;
const SLICE_MS = 4;
/** Pause after a full read, a failure, or texts that are not indexed: at least a minute, or so many times as long as it took. */
const MIN_COOLDOWN_MS = 60_000;
const COOLDOWN_FACTOR = 20;

export interface SearchResult extends Found {
  /** The ids of all of them, where they are few enough for SQL. */
  few?: () => number[];
}

/** Finds matching posts without SQL, but for a few candidates (docs/behaviour/caching.md#search-index). */
export class SearchFilter implements OnModuleDestroy {
  private classes = new CharacterClasses();
  private index = new TextIndex(this.classes);
  private collation?: string;
  /** The version of `posts` that the index is of; undefined while much is missing. */
  private version?: number;
  private refreshing?: Promise<void>;
  private building?: Promise<void>;
  private cooldownUntil = 0;
  /** Whether a search has come while the index was being built: it is built without pauses then. */
  private isInDemand = false;
  private readonly closing = new AbortController();
  private readonly logger = new Logger('SearchFilter');

  constructor(
    private readonly type: string,
    private readonly database: Database,
    private readonly versions: TableVersions,
    private readonly metrics: Metrics,
  ) {}

  /** The posts that a search for the text matches; undefined where SQL has to compare all. */
  async find(text: string, locale?: string): Promise<SearchResult | undefined> {
    const index = await this.current();
    if (!index) this.isInDemand = true;
    const found = await index?.find(searchTerms(text, locale), new EventLoopYielder(SLICE_MS));
    const max = Math.min(MAX_IDS, (index?.size ?? 0) * MAX_SHARE);
    const isKnown = found !== undefined && found.candidates.size <= max;
    if (this.database.dialect === 'mysql') this.metrics.countLookups('search_filter', isKnown);
    if (!isKnown) return undefined;
    const { definite, candidates } = found;
    const areFew = definite.size + candidates.size <= max;
    return { ...found, ...(areFew && { few: () => [...definite.ids(), ...candidates.ids()] }) };
  }

  /** Reads the texts before the first search. */
  async begin(): Promise<void> {
    await this.current();
    await this.settled();
  }

  /** Waits for the reads under way. */
  async settled(): Promise<void> {
    await this.refreshing;
    await this.building;
  }

  async onModuleDestroy(): Promise<void> {
    this.closing.abort();
    await this.settled();
  }

  /** The current index; undefined where it takes too long to wait for. */
  private async current(): Promise<TextIndex | undefined> {
    if (this.database.dialect === 'sqlite' || this.closing.signal.aborted) return undefined;
    const version = (await this.versions.snapshot())?.version('posts');
    if (version === undefined) return undefined;
    // A request may hold an older snapshot than the one that the index was read for.
    if (this.version === undefined || this.version < version) {
      const mayRead = this.version !== undefined || performance.now() >= this.cooldownUntil;
      if (this.building || !mayRead) return undefined;
      this.refreshing ??= this.inBackground(() => this.refresh(version)).finally(() => {
        this.refreshing = undefined;
      });
      if (this.version === undefined) return undefined;
      await withinBudget(this.refreshing);
    }
    return this.version !== undefined && this.version >= version ? this.index : undefined;
  }

  private async inBackground(work: () => Promise<void>): Promise<void> {
    try {
      await runInBackground(work);
    } catch (error) {
      this.version = undefined;
      // Its character classes may be incomplete.
      this.collation = undefined;
      this.coolDown();
      this.logger.warn(`The texts for the search index could not be read: ${firstLine(error)}`);
    }
  }

  /** Compares checksums, and reads the chunks that have changed: at once where they are few. */
  private async refresh(version: number): Promise<void> {
    const began = performance.now();
    const collation = await textCollation(this.database);
    if (collation !== this.collation) await this.reset(collation);
    if (collation === undefined) return this.coolDown();
    const { checksums, posts, bytes } = await textChecksums(this.database, this.type);
    if (posts < MIN_POSTS || bytes > MAX_BYTES) {
      await this.reset(collation);
      return this.coolDown(performance.now() - began);
    }
    const chunks = this.index.differing(checksums);
    const isAwaited = this.version !== undefined && chunks.length <= MAX_AWAITED_CHUNKS;
    const read = async () => {
      await this.read(chunks, isAwaited);
      if (!this.closing.signal.aborted) this.version = version;
    };
    if (isAwaited) return read();
    this.version = undefined;
    this.isInDemand = false;
    this.building = this.inBackground(read).finally(() => {
      this.building = undefined;
      this.coolDown(performance.now() - began);
    });
  }

  private async read(chunks: readonly number[], isAwaited: boolean): Promise<void> {
    const { closing, index } = this;
    const yielder = new EventLoopYielder(SLICE_MS);
    for (let at = 0; at < chunks.length && !closing.signal.aborted; at += CHUNKS) {
      const began = performance.now();
      const some = chunks.slice(at, at + CHUNKS);
      const byChunk = new Map(some.map((chunk) => [chunk, [] as PostTexts[]]));
      const posts = await readTexts(this.database, this.type, some);
      await this.learn(posts, yielder);
      for (const post of posts) byChunk.get(Math.floor(post.id / CHUNK))?.push(post);
      for (const [chunk, own] of byChunk) {
        const sum = own.reduce((total, { checksum }) => total + checksum, 0);
        await index.set(chunk, chunkChecksum(own.length, sum), own, yielder);
      }
      if (!isAwaited && !this.isInDemand) await pauseAfter(performance.now() - began, closing.signal);
    }
  }

  /** Reads how characters compare that no text has contained before. */
  private async learn(posts: readonly PostTexts[], yielder: EventLoopYielder): Promise<void> {
    const unknown = new Set<number>();
    for (const { texts } of posts) {
      for (const code of this.classes.unknownIn(texts ?? [])) unknown.add(code);
      if (yielder.shouldYield) await yielder.yield();
    }
    await this.learnCharacters([...unknown]);
  }

  private async learnCharacters(codes: readonly number[]): Promise<void> {
    const { classes, database, collation = '' } = this;
    for (let at = 0; at < codes.length; at += CHARACTERS) {
      const others = new Map<number, number>();
      const some = codes.slice(at, at + CHARACTERS);
      for (const { code, weight } of await characterWeights(database, collation, some)) {
        const first = classes.learn(Number(code), weight);
        if (first !== Number(code)) others.set(Number(code), first);
      }
      if (others.size === 0) continue;
      for (const { code, same } of await sameCharacters(database, collation, others))
        if (Number(same) === 0) classes.mix(Number(code));
    }
  }

  private async reset(collation: string | undefined): Promise<void> {
    this.version = undefined;
    this.collation = collation;
    this.classes = new CharacterClasses();
    this.index = new TextIndex(this.classes);
    if (collation === undefined) return;
    await this.learnCharacters([...SEPARATORS].map((separator) => separator.codePointAt(0) ?? 0));
    this.classes.separateWords();
  }

  private coolDown(took = 0): void {
    this.cooldownUntil = performance.now() + Math.max(MIN_COOLDOWN_MS, COOLDOWN_FACTOR * took);
  }
}
