/** The maximum of different words, and of their units together. */
const MAX_COUNT = 2 ** 20;
const MAX_UNITS = 2 ** 24;
/** Units per word. Longer words are split into parts that overlap by half, so that every piece of up to that half is in one part. */
const MAX_LENGTH = 64;
export const MAX_PIECE_LENGTH = MAX_LENGTH / 2;

/** Calls back with the start and the end of each word between separators, or of each of its parts. */
export function eachWord(
  spelled: Uint16Array,
  separates: (unit: number) => boolean,
  take: (from: number, to: number) => void,
): void {
  for (let at = 0, from = 0; at <= spelled.length; at++) {
    if (at < spelled.length && !separates(spelled[at] ?? 0)) continue;
    while (at - from > MAX_LENGTH) {
      take(from, from + MAX_LENGTH);
      from += MAX_LENGTH / 2;
    }
    if (at > from) take(from, at);
    from = at + 1;
  }
}

/** Numbers words from 0 on; words are sequences of units other than 0. It only grows. */
export class Dictionary {
  /** Word after word, a 0 behind each. */
  private units = new Uint16Array(4096);
  /** The start of each word, and of the next one. */
  private starts = new Uint32Array(1024);
  /** A hash table with linear probing: a word's number plus one. */
  private places = new Uint32Array(2048);
  private count = 0;

  constructor(private readonly mostUnits = MAX_UNITS) {}

  get size(): number {
    return this.count;
  }

  /** The number of a word in a text; undefined where it is new and the maximum is reached. */
  numberOf(text: Uint16Array, from: number, to: number): number | undefined {
    let place = this.placeOf(text, from, to);
    for (let found = this.places[place] ?? 0; found > 0; found = this.places[place] ?? 0) {
      if (this.is(found - 1, text, from, to)) return found - 1;
      place = (place + 1) & (this.places.length - 1);
    }
    if (this.count === MAX_COUNT || (this.starts[this.count] ?? 0) + MAX_LENGTH >= this.mostUnits)
      return undefined;
    this.places[place] = this.count + 1;
    this.add(text, from, to);
    return this.count - 1;
  }

  /** Sets a bit in the flags of the words, from one number to before another, that contain a piece. */
  mark(piece: string, bit: number, flags: Uint32Array, from: number, to: number): void {
    const begin = this.starts[from] ?? 0;
    const units = Buffer.from(this.units.buffer, 2 * begin, 2 * ((this.starts[to] ?? 0) - begin));
    for (let at = 0, word = from; word < to; at = 2 * ((this.starts[word] ?? 0) - begin)) {
      at = units.indexOf(piece, at, 'utf16le');
      if (at < 0) return;
      word = this.wordAt(begin + at / 2, word, to);
      flags[word] = (flags[word] ?? 0) | bit;
      word += 1;
    }
  }

  /** The word of a unit, between two numbers. */
  private wordAt(unit: number, from: number, to: number): number {
    let [low, high] = [from, to - 1];
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((this.starts[middle] ?? 0) <= unit) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  private is(word: number, text: Uint16Array, from: number, to: number): boolean {
    const { units } = this;
    const start = this.starts[word] ?? 0;
    if ((this.starts[word + 1] ?? 0) - start - 1 !== to - from) return false;
    for (let at = from; at < to; at++) if (units[start + at - from] !== text[at]) return false;
    return true;
  }

  private placeOf(text: Uint16Array, from: number, to: number): number {
    let hash = 0x811c9dc5;
    for (let at = from; at < to; at++) hash = Math.imul(hash ^ (text[at] ?? 0), 0x01000193);
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    return (hash ^ (hash >>> 13)) & (this.places.length - 1);
  }

  private add(text: Uint16Array, from: number, to: number): void {
    const start = this.starts[this.count] ?? 0;
    const end = start + to - from + 1;
    if (end > this.units.length) this.units = grown(this.units, new Uint16Array(2 * this.units.length));
    this.units.set(text.subarray(from, to), start);
    this.count += 1;
    if (this.count === this.starts.length) this.starts = grown(this.starts, new Uint32Array(2 * this.count));
    this.starts[this.count] = end;
    if (2 * this.count > this.places.length) this.spread();
  }

  /** Grows the table by four, so that the last growth takes no longer than ten milliseconds. */
  private spread(): void {
    this.places = new Uint32Array(4 * this.places.length);
    for (let word = 0; word < this.count; word++) {
      let place = this.placeOf(this.units, this.starts[word] ?? 0, (this.starts[word + 1] ?? 0) - 1);
      while ((this.places[place] ?? 0) > 0) place = (place + 1) & (this.places.length - 1);
      this.places[place] = word + 1;
    }
  }
}

function grown<Numbers extends Uint16Array | Uint32Array>(numbers: Numbers, larger: Numbers): Numbers {
  larger.set(numbers);
  return larger;
}
