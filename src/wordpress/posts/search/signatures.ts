import type { CharacterClasses } from './character-classes.js';

/** So many ids in a row are read and compared together. */
export const CHUNK = 64;
const WORD = 32;
/** The signature of what is not known well enough: it may hold whatever is looked for. */
export const ANYTHING = Uint32Array.of(0xffffffff);

/** The posts of a chunk, their signatures one behind the other. */
interface Chunk {
  print: string;
  ids: readonly number[];
  /** Words of each signature, a power of two. */
  sizes: readonly number[];
  words: Uint32Array;
}

/** A post and what its texts hold. */
export interface SignedPost {
  id: number;
  signature: Uint32Array;
}

/**
 * A bit for each three neighbouring characters of some texts, at a place that their hash says: what lacks one of a term's bits
 * does not hold the term. `bits`: at most so many per character.
 */
export function signatureOf(texts: readonly string[], classes: CharacterClasses, bits: number): Uint32Array {
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  const signature = new Uint32Array(2 ** Math.round(Math.log2(Math.max(1, (length * bits) / WORD))));
  const add = (hash: number) => {
    const at = placeOf(hash, signature.length);
    signature[at] = (signature[at] ?? 0) | bitOf(hash);
  };
  return texts.every((text) => classes.trigrams(text, add)) ? signature : ANYTHING;
}

/** The signatures of many posts, by chunks of their ids, with the fingerprint of the texts that each chunk was made of. */
export class Signatures {
  private readonly chunks = new Map<number, Chunk>();
  /** How many posts there are. */
  size = 0;

  set(chunk: number, print: string, posts: readonly SignedPost[]): void {
    this.delete(chunk);
    const words = new Uint32Array(posts.reduce((sum, { signature }) => sum + signature.length, 0));
    let at = 0;
    for (const { signature } of posts) {
      words.set(signature, at);
      at += signature.length;
    }
    const sizes = posts.map(({ signature }) => signature.length);
    this.chunks.set(chunk, { print, ids: posts.map(({ id }) => id), sizes, words });
    this.size += posts.length;
  }

  /** Forgets the chunks that have no fingerprint any more; those whose fingerprint is another one are answered. */
  differing(prints: ReadonlyMap<number, string>): number[] {
    for (const chunk of this.chunks.keys()) if (!prints.has(chunk)) this.delete(chunk);
    return [...prints].flatMap(([chunk, print]) => (this.chunks.get(chunk)?.print === print ? [] : [chunk]));
  }

  /** Ids of posts that may hold all of the hashes, chunk by chunk. */
  *holding(hashes: readonly number[]): Generator<number[]> {
    for (const { ids, sizes, words } of this.chunks.values()) {
      let from = 0;
      yield ids.filter((_, at) => {
        const start = from;
        const size = sizes[at] ?? 0;
        from += size;
        return holdsAll(words, start, size, hashes);
      });
    }
  }

  private delete(chunk: number): void {
    this.size -= this.chunks.get(chunk)?.ids.length ?? 0;
    this.chunks.delete(chunk);
  }
}

function holdsAll(words: Uint32Array, start: number, size: number, hashes: readonly number[]): boolean {
  for (const hash of hashes)
    if (((words[start + placeOf(hash, size)] ?? 0) & bitOf(hash)) === 0) return false;
  return true;
}

const bitOf = (hash: number): number => 1 << (hash % WORD);
const placeOf = (hash: number, words: number): number => (hash >>> 5) & (words - 1);
