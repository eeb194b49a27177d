/** So many different words are told apart, of so many units together. */
const MAX_COUNT = 2 ** 20;
const MAX_UNITS = 2 ** 24;
/** Units of a word at most. Longer ones are cut into parts that overlap by half, so that what is no longer than that is in one of them. */
const MAX_LENGTH = 64;
export const MAX_PIECE_LENGTH = MAX_LENGTH / 2;

/** Calls back with the beginning and the end of each word between separators, or each of its parts. */
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

/** Numbers of words, from 0 on; words are sequences of units that are not 0. Nothing is forgotten. */
export class Dictionary {
  /** Word after word, a 0 behind each. */
  private units = new Uint16Array(4096);
  /** Where each word begins; where the next one will. */
  private starts = new Uint32Array(1024);
  /** At a place that the hash says, or the next free one after it: a word's number and one. */
  private places = new Uint32Array(2048);
  private count = 0;

  constructor(private readonly mostUnits = MAX_UNITS) {}

  get size(): number {
    return this.count;
  }

  /** The number of a word that is part of a text; undefined where it is new and there is no room. */
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

  /** Sets a bit in the flags of those words, from one number to before another, that a piece is part of. */
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

  /** The word that a unit belongs to, which is one from a number to before another. */
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

  /** Four times as many places, so that the last time is early enough to take no longer than ten milliseconds. */
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
