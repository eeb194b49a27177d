import { Logger, type OnModuleDestroy } from '@nestjs/common';
import { withinBudget, runInBackground } from '../../common/context/abort.js';
import type { TableVersions } from '../../database/table-versions.service.js';
import type { Database } from '../../database/database.js';
import type { Metrics } from '../../observability/metrics/metrics.service.js';
import { EventLoopYielder } from '../../common/event-loop.js';
import { searchTerms } from '../posts/search-terms.js';
import { CharacterClasses, SEPARATORS } from './character-classes.js';
import { CHUNK } from './chunk-words.js';
import {
  characterWeights,
  chunkPrint,
  type PostTexts,
  readTexts,
  sameCharacters,
  textCollation,
  textPrints,
} from './post-texts.query.js';
import { type Found, TextIndex } from './text-index.js';

/** Fewer posts SQL has looked through at once. */
const FEW = 5000;
/** Of calendars with more bytes of texts nothing is kept. */
const MAX_BYTES = 2 * 1024 ** 3;
/** SQL is told of so many posts, and of such a share of all, at most; beyond that it looks at all in one pass. */
const MAX_POSTS = 20_000;
const MAX_SHARE = 0.2;
/** So many chunks are read while a search waits for them; more behind it. */
const NEAR = 100;
/** Chunks and characters per statement, and milliseconds of work until others get their turn. */
const CHUNKS = 16;
const CHARACTERS = 500;
const TURN = 4;
/** How long nothing is read again after all was, or was not worth it: a minute at least, in milliseconds, and twenty times as long as it took. */
const MINUTE = 60_000;
const REST = 20;

/** What a search finds. */
export interface SearchResult extends Found {
  /** The ids of all of them, where they are so few that SQL may be told. */
  few?: () => number[];
}

/**
 * Knows which posts of a type a search finds without a look at their texts, but for some that SQL has to be asked about
 * (docs/behaviour/caching.md#the-search-filter).
 */
export class SearchFilter implements OnModuleDestroy {
  private classes = new CharacterClasses();
  private index = new TextIndex(this.classes);
  private collation?: string;
  /** The version of `posts` that the index is of; undefined while much is missing. */
  private readAt?: number;
  private refreshing?: Promise<void>;
  private building?: Promise<void>;
  private restsUntil = 0;
  private isClosing = false;
  private readonly logger = new Logger('SearchFilter');

  constructor(
    private readonly type: string,
    private readonly database: Database,
    private readonly changes: TableVersions,
    private readonly metrics: Metrics,
  ) {}

  /** What a search for the text finds; undefined where SQL has to look at all. */
  async find(text: string, locale?: string): Promise<SearchResult | undefined> {
    const index = await this.current();
    const found = index && (await index.find(searchTerms(text, locale), new EventLoopYielder(TURN)));
    const most = Math.min(MAX_POSTS, (index?.size ?? 0) * MAX_SHARE);
    const isKnown = found !== undefined && found.maybe.size <= most;
    if (this.database.dialect === 'mysql') this.metrics.countLookups('search_filter', isKnown);
    if (!isKnown) return undefined;
    const { sure, maybe } = found;
    const isFew = sure.size + maybe.size <= most;
    return { ...found, ...(isFew && { few: () => [...sure.ids(), ...maybe.ids()] }) };
  }

  /** Reads what there is, if nobody has searched yet. */
  async begin(): Promise<void> {
    await this.current();
    await this.settled();
  }

  /** Waits for what is being read at the moment, if anything is. */
  async settled(): Promise<void> {
    await this.refreshing;
    await this.building;
  }

  async onModuleDestroy(): Promise<void> {
    this.isClosing = true;
    await this.settled();
  }

  /** The index of what there is now; undefined where it takes longer to have it than it is worth waiting for. */
  private async current(): Promise<TextIndex | undefined> {
    const version = await this.version();
    if (version === undefined || this.isClosing) return undefined;
    if (this.readAt !== version) {
      const mayRead = this.readAt !== undefined || performance.now() >= this.restsUntil;
      if (this.building || !mayRead) return undefined;
      this.refreshing ??= this.behind(() => this.refresh(version)).finally(() => {
        this.refreshing = undefined;
      });
      if (this.readAt === undefined) return undefined;
      await withinBudget(this.refreshing);
    }
    return this.readAt === version ? this.index : undefined;
  }

  private async version(): Promise<number | undefined> {
    if (this.database.dialect === 'sqlite') return undefined;
    return (await this.changes.snapshot())?.version('posts');
  }

  private async behind(work: () => Promise<void>): Promise<void> {
    try {
      await runInBackground(work);
    } catch (error) {
      this.readAt = undefined;
      // What was learned half is learned anew.
      this.collation = undefined;
      this.rest();
      this.logger.warn(`Texts could not be read: ${error instanceof Error ? error.message : error}`);
    }
  }

  /** Compares fingerprints, and reads what has changed: at once where that is little. */
  private async refresh(version: number): Promise<void> {
    const began = performance.now();
    const collation = await textCollation(this.database);
    if (collation !== this.collation) await this.forget(collation);
    if (collation === undefined) return this.rest();
    const { prints, posts, bytes } = await textPrints(this.database, this.type);
    if (posts < FEW || bytes > MAX_BYTES) {
      await this.forget(collation);
      return this.rest(performance.now() - began);
    }
    const chunks = this.index.differing(prints);
    const read = async () => {
      await this.read(chunks);
      if (!this.isClosing) this.readAt = version;
    };
    if (this.readAt !== undefined && chunks.length <= NEAR) return read();
    this.readAt = undefined;
    this.building = this.behind(read).finally(() => {
      this.building = undefined;
      this.rest(performance.now() - began);
    });
  }

  private async read(chunks: readonly number[]): Promise<void> {
    const breather = new EventLoopYielder(TURN);
    for (let at = 0; at < chunks.length && !this.isClosing; at += CHUNKS) {
      const some = chunks.slice(at, at + CHUNKS);
      const byChunk = new Map(some.map((chunk) => [chunk, [] as PostTexts[]]));
      const posts = await readTexts(this.database, this.type, some);
      await this.learn(posts, breather);
      for (const post of posts) byChunk.get(Math.floor(post.id / CHUNK))?.push(post);
      for (const [chunk, own] of byChunk) {
        const print = own.reduce((sum, post) => sum + post.print, 0);
        await this.index.set(chunk, chunkPrint(own.length, print), own, breather);
      }
    }
  }

  /** Asks how characters compare that no text has held before. */
  private async learn(posts: readonly PostTexts[], breather: EventLoopYielder): Promise<void> {
    const unknown = new Set<number>();
    for (const { texts } of posts) {
      for (const code of this.classes.unknownIn(texts ?? [])) unknown.add(code);
      if (breather.shouldYield) await breather.yield();
    }
    await this.learnCharacters([...unknown]);
  }

  private async learnCharacters(codes: readonly number[]): Promise<void> {
    const { classes, database, collation = '' } = this;
    for (let at = 0; at < codes.length; at += CHARACTERS) {
      const others = new Map<number, number>();
      for (const { code, weight } of await characterWeights(
        database,
        collation,
        codes.slice(at, at + CHARACTERS),
      )) {
        const first = classes.learn(Number(code), weight);
        if (first !== Number(code)) others.set(Number(code), first);
      }
      if (others.size === 0) continue;
      for (const { code, same } of await sameCharacters(database, collation, others))
        if (Number(same) === 0) classes.mix(Number(code));
    }
  }

  private async forget(collation: string | undefined): Promise<void> {
    this.readAt = undefined;
    this.collation = collation;
    this.classes = new CharacterClasses();
    this.index = new TextIndex(this.classes);
    if (collation === undefined) return;
    await this.learnCharacters([...SEPARATORS].map((separator) => separator.codePointAt(0) ?? 0));
    this.classes.separateWords();
  }

  private rest(took = 0): void {
    this.restsUntil = performance.now() + Math.max(MINUTE, REST * took);
  }
}
