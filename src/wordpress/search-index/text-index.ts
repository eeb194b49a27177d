import type { EventLoopYielder } from '../../common/event-loop.js';
import type { SearchTerms } from '../posts/search-terms.js';
import type { CharacterClasses } from './character-classes.js';
import { CHUNK, holdersOf, packWords } from './chunk-words.js';
import { Dictionary, eachWord, MAX_PIECE_LENGTH } from './dictionary.js';
import { PostIdSet } from './post-id-set.js';

/** Memory for the words of posts, in bytes; further posts are candidates of every search. */
const MAX_BYTES = 128 * 1024 ** 2;
/** Pieces per search: at least as many as a search has terms, unless it is one term as a whole. */
const MAX_PIECES = 10;
/** Words between two yields: less than a millisecond. */
const STRIDE = 8192;

/** A post's texts; null where they are unknown. */
export interface IndexedPost {
  id: number;
  texts: readonly string[] | null;
  /** Whether no password protects its texts. */
  isOpen: boolean;
}

/** The result of a search: posts that match for every reader, and posts whose texts SQL has to compare. */
export interface Found {
  definite: PostIdSet;
  candidates: PostIdSet;
}

/** The posts of a chunk, the unknown and the protected ones among them, one bit each; and the words of the known ones. */
interface Chunk {
  checksum: string;
  present: number;
  unknown: number;
  closed: number;
  words: Uint8Array;
}

/** The words of posts by chunks of ids, with the checksum of the texts of each chunk. */
export class TextIndex {
  private readonly chunks = new Map<number, Chunk>();
  private readonly words = new Dictionary();
  private bytes = 0;
  size = 0;

  constructor(private readonly classes: CharacterClasses) {}

  async set(number: number, checksum: string, posts: readonly IndexedPost[], yielder: EventLoopYielder) {
    const holders = new Map<number, number>();
    const chunk: Chunk = { checksum, present: 0, unknown: 0, closed: 0, words: new Uint8Array() };
    for (const { id, texts, isOpen } of posts) {
      const bit = 1 << (id % CHUNK);
      chunk.present |= bit;
      if (!isOpen) chunk.closed |= bit;
      if (!texts?.every((text) => this.addWords(text, bit, holders))) chunk.unknown |= bit;
      if (yielder.shouldYield) await yielder.yield();
    }
    this.delete(number);
    chunk.words = packWords(holders);
    if (this.bytes + chunk.words.length > MAX_BYTES) {
      chunk.words = new Uint8Array();
      chunk.unknown = chunk.present;
    }
    this.chunks.set(number, chunk);
    this.bytes += chunk.words.length;
    this.size += posts.length;
  }

  /** Deletes chunks without a checksum; returns those whose checksum differs. */
  differing(checksums: ReadonlyMap<number, string>): number[] {
    for (const chunk of this.chunks.keys()) if (!checksums.has(chunk)) this.delete(chunk);
    return [...checksums].flatMap(([chunk, checksum]) =>
      this.chunks.get(chunk)?.checksum === checksum ? [] : [chunk],
    );
  }

  /** The posts that contain all wanted terms and no unwanted one; undefined where no term has a piece to search for. */
  async find({ wanted, unwanted }: SearchTerms, yielder: EventLoopYielder): Promise<Found | undefined> {
    const holding = wanted.map((term) => this.piecesOf(term));
    const lacking = unwanted.map((term) => this.piecesOf(term));
    const others = lacking.flatMap((term) => (term.isWhole ? term.pieces : []));
    // Long pieces are the most selective, and the fastest to find.
    const different = [...new Set(holding.flatMap((term) => term.pieces))];
    const pieces = different.sort((a, b) => b.length - a.length).slice(0, MAX_PIECES - others.length);
    const all = [...pieces, ...others];
    if (all.length === 0) return undefined;
    const isDefinite = [...holding, ...lacking].every((term) => term.isWhole);
    // Chunks that are set while this yields may have words without flags.
    const chunks = [...this.chunks];
    const flags = await this.marked(all, yielder);
    const holders = new Int32Array(all.length);
    const found = { definite: new PostIdSet(), candidates: new PostIdSet() };
    for (const [number, { present, unknown, closed, words }] of chunks) {
      holdersOf(words, flags, holders);
      let held = present & ~unknown;
      for (let at = 0; at < pieces.length; at++) held &= holders[at] ?? 0;
      // The texts of a protected post may not count, so that unwanted words do not exclude it.
      const hidden = held & closed;
      held &= ~closed;
      for (let at = pieces.length; at < all.length; at++) held &= ~(holders[at] ?? 0);
      found.definite.addChunk(number, isDefinite ? held : 0);
      found.candidates.addChunk(number, unknown | hidden | (isDefinite ? 0 : held));
      if (yielder.shouldYield) await yielder.yield();
    }
    return found;
  }

  /** For each word, a bit for each piece that is part of it. */
  private async marked(pieces: readonly string[], yielder: EventLoopYielder): Promise<Uint32Array> {
    const flags = new Uint32Array(this.words.size);
    for (const [bit, piece] of pieces.entries())
      for (let from = 0; from < flags.length; from += STRIDE) {
        this.words.mark(piece, 2 ** bit, flags, from, Math.min(from + STRIDE, flags.length));
        if (yielder.shouldYield) await yielder.yield();
      }
    return flags;
  }

  /** Parts of a term that words contain if a text contains the term; `isWhole`: and the other way round. */
  private piecesOf(term: string): { pieces: string[]; isWhole: boolean } {
    const { classes } = this;
    const spelled = classes.spell(term);
    const pieces: string[] = [];
    eachWord(
      spelled,
      (unit) => classes.separates(unit),
      (from, to) => {
        for (let at = from; at < to; at += MAX_PIECE_LENGTH)
          pieces.push(String.fromCharCode(...spelled.subarray(at, Math.min(at + MAX_PIECE_LENGTH, to))));
      },
    );
    const isWhole =
      pieces.length === 1 &&
      pieces[0]?.length === spelled.length &&
      spelled.every((unit) => classes.isPure(unit));
    return { pieces, isWhole };
  }

  /** Records the words of a text; false where some are unknown. */
  private addWords(text: string, bit: number, holders: Map<number, number>): boolean {
    const { classes, words } = this;
    const spelled = classes.spell(text);
    if (spelled.includes(0)) return false;
    let isKnown = true;
    eachWord(
      spelled,
      (unit) => classes.separates(unit),
      (from, to) => {
        const word = words.numberOf(spelled, from, to);
        if (word === undefined) isKnown = false;
        else holders.set(word, (holders.get(word) ?? 0) | bit);
      },
    );
    return isKnown;
  }

  private delete(number: number): void {
    const chunk = this.chunks.get(number);
    if (!chunk) return;
    for (let left = chunk.present; left !== 0; left &= left - 1) this.size -= 1;
    this.bytes -= chunk.words.length;
    this.chunks.delete(number);
  }
}
