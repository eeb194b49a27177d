/** Consecutive ids that are read and compared together: one bit each in a number. */
export const CHUNK = 32;

/** Bits of a number per byte; the highest bit means that another byte follows. */
const PART = 7;
const MORE = 2 ** PART;

/** Packs the posts of a chunk that contain a word, one bit each, by the word's number, for `holdersOf`. */
export function packWords(holders: ReadonlyMap<number, number>): Uint8Array {
  const words = Uint32Array.from(holders.keys()).sort();
  // At most five bytes for a number, and five for its posts.
  const packed = new Uint8Array(10 * words.length);
  let [at, last] = [0, 0];
  for (const word of words) {
    let step = word - last;
    last = word;
    for (; step >= MORE; step >>>= PART) packed[at++] = (step % MORE) + MORE;
    packed[at++] = step;
    const posts = holders.get(word) ?? 0;
    // The bit of a single post; of several a marker and all bits.
    const isOne = (posts & (posts - 1)) === 0;
    packed[at++] = isOne ? 31 - Math.clz32(posts) : CHUNK;
    if (!isOne) for (let shift = 0; shift < CHUNK; shift += 8) packed[at++] = posts >>> shift;
  }
  return packed.slice(0, at);
}

/** Writes to `holders`, per bit of the flags, the posts with such a word; hot: thousands per search. */
export function holdersOf(packed: Uint8Array, flags: Uint32Array, holders: Int32Array): void {
  holders.fill(0);
  let [at, word] = [0, 0];
  while (at < packed.length) {
    let byte = packed[at++] ?? 0;
    let step = byte & (MORE - 1);
    for (let shift = PART; byte >= MORE; shift += PART) {
      byte = packed[at++] ?? 0;
      step += (byte & (MORE - 1)) << shift;
    }
    word += step;
    const kind = packed[at++] ?? 0;
    const isOne = kind < CHUNK;
    const wanted = flags[word] ?? 0;
    if (wanted !== 0) {
      const posts = isOne ? 1 << kind : fourBytes(packed, at);
      for (let bit = 0; bit < holders.length; bit++)
        if ((wanted >>> bit) & 1) holders[bit] = (holders[bit] ?? 0) | posts;
    }
    if (!isOne) at += 4;
  }
}

const fourBytes = (packed: Uint8Array, at: number): number =>
  (packed[at] ?? 0) |
  ((packed[at + 1] ?? 0) << 8) |
  ((packed[at + 2] ?? 0) << 16) |
  ((packed[at + 3] ?? 0) << 24);
