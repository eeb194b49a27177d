import type { EventLoopYielder } from '../../common/event-loop.js';
import type { SearchTerms } from '../posts/search-terms.js';
import type { CharacterClasses } from './character-classes.js';
import { CHUNK, holdersOf, packWords } from './chunk-words.js';
import { PostIdSet } from './post-id-set.js';
import { eachWord, MAX_PIECE_LENGTH, Dictionary } from './dictionary.js';

/** Bytes for what posts hold; of further ones nothing is known. */
const MAX_BYTES = 128 * 1024 ** 2;
/** Pieces that are looked for at once, in each different word: no fewer than a search has terms, where it is not one term as a whole. */
const MAX_PIECES = 10;
/** Words that are looked at without a breath: less than a millisecond. */
const STRIDE = 8192;

/** A post's texts; null where they are not known. */
export interface IndexedPost {
  id: number;
  texts: readonly string[] | null;
  /** Whether nothing keeps anybody from its texts. */
  isOpen: boolean;
}

/** What a search finds: posts that it finds for sure, whoever asks, and posts that SQL has to be asked about. No others. */
export interface Found {
  sure: PostIdSet;
  maybe: PostIdSet;
}

/** Which posts of a chunk there are, not known and not open, one bit each, and the words of those that are known. */
interface Chunk {
  print: string;
  present: number;
  unknown: number;
  closed: number;
  words: Uint8Array;
}

/** Which words the texts of posts hold, by chunks of their ids, with the fingerprint of the texts that each chunk was made of. */
export class TextIndex {
  private readonly chunks = new Map<number, Chunk>();
  private readonly words = new Dictionary();
  private bytes = 0;
  /** How many posts there are. */
  size = 0;

  constructor(private readonly classes: CharacterClasses) {}

  /** The posts of a chunk, which replace those that were there. */
  async set(
    number: number,
    print: string,
    posts: readonly IndexedPost[],
    breather: EventLoopYielder,
  ): Promise<void> {
    const holders = new Map<number, number>();
    const chunk: Chunk = { print, present: 0, unknown: 0, closed: 0, words: new Uint8Array() };
    for (const { id, texts, isOpen } of posts) {
      const bit = 1 << (id % CHUNK);
      chunk.present |= bit;
      if (!isOpen) chunk.closed |= bit;
      if (!texts?.every((text) => this.addWords(text, bit, holders))) chunk.unknown |= bit;
      if (breather.shouldYield) await breather.yield();
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

  /** Forgets the chunks that have no fingerprint any more; those whose fingerprint is another one are answered. */
  differing(prints: ReadonlyMap<number, string>): number[] {
    for (const chunk of this.chunks.keys()) if (!prints.has(chunk)) this.delete(chunk);
    return [...prints].flatMap(([chunk, print]) => (this.chunks.get(chunk)?.print === print ? [] : [chunk]));
  }

  /** The posts that hold all wanted terms and no unwanted one; undefined where nothing is known about any of them. */
  async find({ wanted, unwanted }: SearchTerms, breather: EventLoopYielder): Promise<Found | undefined> {
    const holding = wanted.map((term) => this.piecesOf(term));
    const lacking = unwanted.map((term) => this.piecesOf(term));
    const others = lacking.flatMap((term) => (term.isWhole ? term.pieces : []));
    // Long ones are found soonest, and leave out most.
    const different = [...new Set(holding.flatMap((term) => term.pieces))];
    const pieces = different.sort((a, b) => b.length - a.length).slice(0, MAX_PIECES - others.length);
    const all = [...pieces, ...others];
    if (all.length === 0) return undefined;
    const isSure = [...holding, ...lacking].every((term) => term.isWhole);
    // While this gives way others may come, with words that these do not hold.
    const chunks = [...this.chunks];
    const flags = await this.marked(all, breather);
    const holders = new Int32Array(all.length);
    const found = { sure: new PostIdSet(), maybe: new PostIdSet() };
    for (const [number, { present, unknown, closed, words }] of chunks) {
      holdersOf(words, flags, holders);
      let held = present & ~unknown;
      for (let at = 0; at < pieces.length; at++) held &= holders[at] ?? 0;
      // Of a closed post hardly any text may count, so that it does not hold what is unwanted.
      const shut = held & closed;
      held &= ~closed;
      for (let at = pieces.length; at < all.length; at++) held &= ~(holders[at] ?? 0);
      found.sure.addChunk(number, isSure ? held : 0);
      found.maybe.addChunk(number, unknown | shut | (isSure ? 0 : held));
      if (breather.shouldYield) await breather.yield();
    }
    return found;
  }

  /** For each word that there is now, a bit for each piece that is part of it. */
  private async marked(pieces: readonly string[], breather: EventLoopYielder): Promise<Uint32Array> {
    const flags = new Uint32Array(this.words.size);
    for (const [bit, piece] of pieces.entries())
      for (let from = 0; from < flags.length; from += STRIDE) {
        this.words.mark(piece, 2 ** bit, flags, from, Math.min(from + STRIDE, flags.length));
        if (breather.shouldYield) await breather.yield();
      }
    return flags;
  }

  /**
   * What a word has to hold wherever a text holds the term: the parts of the term between separators. `isWhole`: where a word
   * holds it, the text does.
   */
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

  /** Notes which words a text holds; says whether all could be. */
  private addWords(text: string, bit: number, holders: Map<number, number>): boolean {
    const { classes, words } = this;
    const spelled = classes.spell(text);
    if (spelled.includes(0)) return false;
    let isSure = true;
    eachWord(
      spelled,
      (unit) => classes.separates(unit),
      (from, to) => {
        const word = words.numberOf(spelled, from, to);
        if (word === undefined) isSure = false;
        else holders.set(word, (holders.get(word) ?? 0) | bit);
      },
    );
    return isSure;
  }

  private delete(number: number): void {
    const chunk = this.chunks.get(number);
    if (!chunk) return;
    for (let left = chunk.present; left !== 0; left &= left - 1) this.size -= 1;
    this.bytes -= chunk.words.length;
    this.chunks.delete(number);
  }
}
