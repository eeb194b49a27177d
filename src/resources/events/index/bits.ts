/** Positions in one word. */
const WORD = 32;

/** A set of positions from 0 to below a length, one bit each. */
export class Bits {
  private constructor(
    readonly length: number,
    private readonly words: Uint32Array,
  ) {}

  static none(length: number): Bits {
    return new Bits(length, new Uint32Array(Math.ceil(length / WORD)));
  }

  static all(length: number): Bits {
    const bits = Bits.none(length);
    bits.words.fill(0xffffffff);
    if (length % WORD > 0) bits.words[bits.words.length - 1] = 2 ** (length % WORD) - 1;
    return bits;
  }

  copy(): Bits {
    return new Bits(this.length, this.words.slice());
  }

  has(at: number): boolean {
    return (((this.words[at >>> 5] ?? 0) >>> (at & 31)) & 1) === 1;
  }

  add(at: number): void {
    this.words[at >>> 5] = (this.words[at >>> 5] ?? 0) | (1 << (at & 31));
  }

  addAll(positions: Uint32Array): void {
    for (const at of positions) this.add(at);
  }

  remove(at: number): void {
    this.words[at >>> 5] = (this.words[at >>> 5] ?? 0) & ~(1 << (at & 31));
  }

  /** Removes all from one position to before another, both multiples of 32 (or the end). */
  clear(from: number, to: number): void {
    this.words.fill(0, from / WORD, Math.ceil(to / WORD));
  }

  /** Removes what is not in the other set. */
  intersect({ words: others }: Bits): this {
    const { words } = this;
    for (let at = 0; at < words.length; at++) words[at] = (words[at] ?? 0) & (others[at] ?? 0);
    return this;
  }

  /** Removes what is in the other set. */
  subtract({ words: others }: Bits): this {
    const { words } = this;
    for (let at = 0; at < words.length; at++) words[at] = (words[at] ?? 0) & ~(others[at] ?? 0);
    return this;
  }

  /** The size of the set, and its positions from the `skip`th on, at most `take`. */
  page(skip: number, take: number): { total: number; positions: number[] } {
    const { words } = this;
    const positions: number[] = [];
    let total = 0;
    for (let at = 0; at < words.length; at++) {
      const ones = countOnes(words[at] ?? 0);
      if (ones > 0 && total + ones > skip && positions.length < take)
        for (let bit = 0, rank = total; bit < WORD; bit++) {
          const position = at * WORD + bit;
          if (this.has(position) && rank++ >= skip && positions.length < take) positions.push(position);
        }
      total += ones;
    }
    return { total, positions };
  }
}

function countOnes(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
