import { CHUNK } from './chunk-words.js';

/** Chunks of ids per page. */
const CHUNKS = 1024;
const PAGE = CHUNKS * CHUNK;

export class PostIdSet {
  /** The posts of so many chunks each, one bit per id. */
  private readonly pages = new Map<number, Int32Array>();
  size = 0;

  /** Adds the posts of a chunk whose bits are set; none of them may be in the set. */
  addChunk(chunk: number, posts: number): void {
    if (posts === 0) return;
    const number = Math.floor(chunk / CHUNKS);
    const page = this.pages.get(number) ?? new Int32Array(CHUNKS);
    this.pages.set(number, page);
    page[chunk % CHUNKS] = (page[chunk % CHUNKS] ?? 0) | posts;
    for (let left = posts; left !== 0; left &= left - 1) this.size += 1;
  }

  /** Adds a post that is not in the set. */
  add(id: number): void {
    this.addChunk(Math.floor(id / CHUNK), 1 << (id % CHUNK));
  }

  has(id: number): boolean {
    const number = Math.floor(id / PAGE);
    // 32-bit integers are divided several times as fast.
    const bit = (id - number * PAGE) | 0;
    return (((this.pages.get(number)?.[bit >>> 5] ?? 0) >>> (bit & 31)) & 1) === 1;
  }

  *ids(): Generator<number> {
    for (const [number, page] of this.pages)
      for (let bit = 0; bit < PAGE; bit++)
        if (((page[bit >>> 5] ?? 0) >>> (bit & 31)) & 1) yield number * PAGE + bit;
  }
}
