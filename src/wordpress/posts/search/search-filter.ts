import { Logger, type OnModuleDestroy } from '@nestjs/common';
import { workForAnybody } from '../../../database/caller.js';
import type { Changes } from '../../../database/changes.js';
import type { Database } from '../../../database/database.js';
import type { Metrics } from '../../../metrics/metrics.service.js';
import { Breather } from '../../rendering/breather.js';
import { searchTerms } from '../search-terms.js';
import { CharacterClasses } from './character-classes.js';
import {
  characterWeights,
  chunkPrint,
  type PostTexts,
  readTexts,
  textCollation,
  textPrints,
} from './post-texts.query.js';
import { ANYTHING, CHUNK, Signatures, type SignedPost, signatureOf } from './signatures.js';

/** Fewer posts SQL has looked through at once. */
const FEW = 5000;
/** Bits of all signatures together, and how many there must be for a character to be worth it. */
const MOST_BITS = 64 * 8 * 1024 ** 2;
const LEAST_BITS = 0.25;
/** SQL is asked about so many posts, and about such a share of all, at most; beyond that it looks at all in one pass. */
const MOST_POSTS = 20_000;
const MOST_SHARE = 0.2;
/** So many chunks are read while a search waits for them; more behind it. */
const NEAR = 50;
/** Chunks and characters per statement, and milliseconds of work until others get their turn. */
const CHUNKS = 8;
const CHARACTERS = 500;
const TURN = 4;
/** How long nothing is read again after all was, or was not worth it: a minute at least, in milliseconds, and twenty times as long as it took. */
const MINUTE = 60_000;
const REST = 20;

/**
 * Names the posts of a type that a search may find, so that SQL has to look at no others; what is found, and who may know of it,
 * SQL says (docs/behaviour/caching.md#the-search-filter).
 */
export class SearchFilter implements OnModuleDestroy {
  private signatures = new Signatures();
  private classes = new CharacterClasses();
  private collation?: string;
  /** The version of `posts` that the signatures are of; undefined while many are missing. */
  private readAt?: number;
  private refreshing?: Promise<void>;
  private building?: Promise<void>;
  private restsUntil = 0;
  private isClosing = false;
  private readonly logger = new Logger('SearchFilter');

  constructor(
    private readonly type: string,
    private readonly database: Database,
    private readonly changes: Changes,
    private readonly metrics: Metrics,
  ) {}

  /** Ids of posts among which are all that a search for the text finds; undefined where SQL has to look at all. */
  async candidates(text: string): Promise<number[] | undefined> {
    const signatures = await this.current();
    const ids = signatures && (await this.among(signatures, searchTerms(text).wanted));
    if (this.database.dialect === 'mysql') this.metrics.countLookups('search_filter', ids !== undefined);
    return ids;
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

  private async among(signatures: Signatures, terms: readonly string[]): Promise<number[] | undefined> {
    const hashes = new Set<number>();
    for (const term of terms) this.classes.trigrams(term, (hash) => hashes.add(hash));
    if (hashes.size === 0) return undefined;
    const most = Math.min(MOST_POSTS, signatures.size * MOST_SHARE);
    const ids: number[] = [];
    const breather = new Breather(TURN);
    for (const found of signatures.holding([...hashes])) {
      ids.push(...found);
      if (ids.length > most) return undefined;
      if (breather.isDue) await breather.pause();
    }
    return ids;
  }

  /** Signatures of what there is now; undefined where it takes longer to have them than it is worth waiting for. */
  private async current(): Promise<Signatures | undefined> {
    const version = await this.version();
    if (version === undefined || this.isClosing) return undefined;
    if (this.readAt !== version) {
      const mayRead = this.readAt !== undefined || performance.now() >= this.restsUntil;
      if (this.building || !mayRead) return undefined;
      this.refreshing ??= this.behind(() => this.refresh(version)).finally(() => {
        this.refreshing = undefined;
      });
      if (this.readAt === undefined) return undefined;
      await this.refreshing;
    }
    return this.readAt === version ? this.signatures : undefined;
  }

  private async version(): Promise<number | undefined> {
    if (this.database.dialect === 'sqlite') return undefined;
    return (await this.changes.current())?.of('posts');
  }

  private async behind(work: () => Promise<void>): Promise<void> {
    try {
      await workForAnybody(work);
    } catch (error) {
      this.readAt = undefined;
      this.rest();
      this.logger.warn(`Texts could not be read: ${error instanceof Error ? error.message : error}`);
    }
  }

  /** Compares fingerprints, and reads what has changed: at once where that is little. */
  private async refresh(version: number): Promise<void> {
    const began = performance.now();
    const collation = await textCollation(this.database);
    if (collation !== this.collation) this.forget(collation);
    if (collation === undefined) return this.rest();
    const { prints, posts, bytes } = await textPrints(this.database, this.type);
    const bits = Math.min(1, MOST_BITS / bytes);
    if (posts < FEW || bits < LEAST_BITS) {
      this.forget(collation);
      return this.rest(performance.now() - began);
    }
    const chunks = this.signatures.differing(prints);
    const read = async () => {
      await this.read(chunks, bits);
      if (!this.isClosing) this.readAt = version;
    };
    if (this.readAt !== undefined && chunks.length <= NEAR) return read();
    this.readAt = undefined;
    this.building = this.behind(read).finally(() => {
      this.building = undefined;
      this.rest(performance.now() - began);
    });
  }

  private async read(chunks: readonly number[], bits: number): Promise<void> {
    const breather = new Breather(TURN);
    for (let at = 0; at < chunks.length && !this.isClosing; at += CHUNKS) {
      const some = chunks.slice(at, at + CHUNKS);
      const posts = await readTexts(this.database, this.type, some);
      await this.learn(posts, breather);
      const signed = new Map(some.map((chunk) => [chunk, { print: 0, posts: [] as SignedPost[] }]));
      for (const { id, print, texts } of posts) {
        const chunk = signed.get(Math.floor(id / CHUNK));
        chunk?.posts.push({ id, signature: texts ? signatureOf(texts, this.classes, bits) : ANYTHING });
        if (chunk) chunk.print += print;
        if (breather.isDue) await breather.pause();
      }
      for (const [chunk, { print, posts }] of signed)
        this.signatures.set(chunk, chunkPrint(posts.length, print), posts);
    }
  }

  /** Asks how characters compare that no text has held before. */
  private async learn(posts: readonly PostTexts[], breather: Breather): Promise<void> {
    const unknown = new Set<number>();
    for (const { texts } of posts) {
      for (const code of this.classes.unknownIn(texts ?? [])) unknown.add(code);
      if (breather.isDue) await breather.pause();
    }
    const codes = [...unknown];
    for (let at = 0; at < codes.length; at += CHARACTERS) {
      const some = codes.slice(at, at + CHARACTERS);
      const weights = await characterWeights(this.database, this.collation ?? '', some);
      for (const { code, weight } of weights) this.classes.learn(Number(code), weight);
    }
  }

  private forget(collation: string | undefined): void {
    this.signatures = new Signatures();
    this.classes = new CharacterClasses();
    this.collation = collation;
    this.readAt = undefined;
  }

  private rest(took = 0): void {
    this.restsUntil = performance.now() + Math.max(MINUTE, REST * took);
  }
}
