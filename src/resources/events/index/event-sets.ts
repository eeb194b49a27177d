import { Bits } from './bits.js';
import { GONE, type IsGone, type Merged } from './sorted-events.js';
import { STRIDE, type Yield } from './sorted-order.js';

/** What groups events: a term, a linked record, or a flag, whose only id is 0. */
export type SetKind = 'term' | 'venue' | 'organizer' | 'featured' | 'hidden';

/** In place of an id: whichever. */
export const ANY_ID = Number.NaN;

/** A stored text may link an event to an id, or to any. */
interface Doubt {
  kind: SetKind;
  id: number;
  event: number;
}

/** Which occurrences belong to which term, venue or organizer; positions of the index, list after list in one array. */
export class EventSets {
  static readonly NONE = new EventSets(new Map(), new Uint32Array(1), new Uint32Array(), []);

  private readonly doubtful: ReadonlySet<string>;

  constructor(
    /** The number of each set, by its kind and id. */
    readonly numbers: ReadonlyMap<string, number>,
    /** The index of each set's first position; then the end of the last set. */
    readonly starts: Uint32Array,
    readonly positions: Uint32Array,
    readonly doubts: readonly Doubt[],
  ) {
    this.doubtful = new Set(doubts.map(({ kind, id }) => nameOf(kind, id)));
  }

  /** Whether the members of these ids are certain: not where SQL may take unusual texts for one of them. */
  knows(kind: SetKind, ids: readonly number[]): boolean {
    return ![...ids, ANY_ID].some((id) => this.doubtful.has(nameOf(kind, id)));
  }

  /** The positions of a set by its name. */
  members(name: string): Uint32Array {
    const number = this.numbers.get(name);
    if (number === undefined) return new Uint32Array();
    return this.positions.subarray(this.starts[number], this.starts[number + 1]);
  }

  /** The positions that belong to any of the ids. */
  union(kind: SetKind, ids: readonly number[], length: number): Bits {
    const bits = Bits.none(length);
    for (const id of ids) bits.addAll(this.members(nameOf(kind, id)));
    return bits;
  }
}

/** Collects further members of sets, by ids of events, in any order. */
export class EventSetsBuilder {
  private readonly numbers: Map<string, number>;
  /** The number of the set, and the event, of each new member. */
  private readonly setOf: number[] = [];
  private readonly events: number[] = [];
  private readonly doubts: Doubt[] = [];

  constructor(private readonly base: EventSets) {
    this.numbers = new Map(base.numbers);
  }

  add(kind: SetKind, id: number, event: number): void {
    const name = nameOf(kind, id);
    const number = this.numbers.get(name) ?? this.numbers.size;
    this.numbers.set(name, number);
    this.setOf.push(number);
    this.events.push(event);
  }

  /** Records that an event may belong to an id, or to any. */
  doubt(kind: SetKind, id: number, event: number): void {
    this.doubts.push({ kind, id, event });
  }

  /** The sets of a merged index: without the events that are gone, with the new members. */
  async merged({ moved, places }: Merged, isGone: IsGone, yieldIfDue: Yield): Promise<EventSets> {
    const { base, numbers } = this;
    const added = new Uint32Array(numbers.size);
    let max = base.positions.length;
    await this.eachNew(places, yieldIfDue, (set) => {
      added[set] = (added[set] ?? 0) + 1;
      max += 1;
    });
    const starts = new Uint32Array(numbers.size + 1);
    const free = new Uint32Array(numbers.size);
    const positions = new Uint32Array(max);
    let [place, yieldedAt] = [0, 0];
    for (let set = 0; set < numbers.size; set++) {
      starts[set] = place;
      const to = base.starts[set + 1] ?? 0;
      // A million events have millions of members, nearly all of which stay.
      for (let at = base.starts[set] ?? 0; at < to; at++) {
        const position = moved[base.positions[at] ?? 0] ?? GONE;
        if (position !== GONE) positions[place++] = position;
      }
      free[set] = place;
      place += added[set] ?? 0;
      if (place - yieldedAt < STRIDE) continue;
      yieldedAt = place;
      await yieldIfDue();
    }
    starts[numbers.size] = place;
    await this.eachNew(places, yieldIfDue, (set, position) => {
      const next = free[set] ?? 0;
      positions[next] = position;
      free[set] = next + 1;
    });
    const doubts = base.doubts.filter(({ event }) => !isGone(event));
    return new EventSets(numbers, starts, positions.subarray(0, place), [...doubts, ...this.doubts]);
  }

  private async eachNew(
    places: Merged['places'],
    yieldIfDue: Yield,
    take: (set: number, position: number) => void,
  ): Promise<void> {
    for (const [at, set] of this.setOf.entries()) {
      if (at % STRIDE === 0) await yieldIfDue();
      places.each(this.events[at] ?? 0, (position) => take(set, position));
    }
  }
}

/** The name of a set. */
export const nameOf = (kind: SetKind, id: number): string => `${kind} ${id}`;
