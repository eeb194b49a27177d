import { Bits } from './bits.js';
import { GrowableFloat64Array } from './growable-array.js';
import { GONE, type IsGone, type Merged } from './sorted-events.js';
import { type Yield, STRIDE } from './sorted-order.js';
import type { TypedArrayPool } from './typed-array-pool.js';

/** What groups events: a term, a linked record, or a flag, whose only id is 0. */
export type SetKind = 'term' | 'venue' | 'organizer' | 'featured' | 'hidden';

/** In place of an id: whichever. */
export const ANY_ID = Number.NaN;

/** Somebody may belong to an id, or to any, by a text that is none. */
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
    /** Where each set begins in `members`; the one after the last where they end. */
    readonly starts: Uint32Array,
    readonly members: Uint32Array,
    readonly doubts: readonly Doubt[],
  ) {
    this.doubtful = new Set(doubts.map(({ kind, id }) => nameOf(kind, id)));
  }

  /** Whether it is known who belongs to these ids: not where SQL may understand odd texts as one of them. */
  knows(kind: SetKind, ids: readonly number[]): boolean {
    return ![...ids, ANY_ID].some((id) => this.doubtful.has(nameOf(kind, id)));
  }

  /** All that belong to one of the ids. */
  union(kind: SetKind, ids: readonly number[], length: number): Bits {
    const bits = Bits.none(length);
    for (const id of ids) {
      const number = this.numbers.get(nameOf(kind, id));
      if (number !== undefined)
        bits.addAll(this.members, this.starts[number] ?? 0, this.starts[number + 1] ?? 0);
    }
    return bits;
  }
}

/** Gathers who else belongs to what, by ids of events, in any order. */
export class EventSetsBuilder {
  private readonly numbers: Map<string, number>;
  private readonly setOf = new GrowableFloat64Array(Uint32Array);
  private readonly events = new GrowableFloat64Array(Float64Array);
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

  /** Notes that an event may belong to an id, or to any. */
  doubt(kind: SetKind, id: number, event: number): void {
    this.doubts.push({ kind, id, event });
  }

  /** Those that were there, but for the ones that are gone, with these. */
  async merged(
    { moved, places }: Merged,
    isGone: IsGone,
    breathe: Yield,
    spares: TypedArrayPool,
  ): Promise<EventSets> {
    const { base, numbers, setOf, events } = this;
    const eachNew = async (tell: (set: number, position: number) => void) => {
      for (let at = 0; at < setOf.length; at++) {
        if (at % STRIDE === 0) await breathe();
        places.each(events.at(at), (position) => tell(setOf.at(at), position));
      }
    };
    const added = new Uint32Array(numbers.size);
    let most = base.members.length;
    await eachNew((set) => {
      added[set] = (added[set] ?? 0) + 1;
      most += 1;
    });
    const starts = new Uint32Array(numbers.size + 1);
    const free = new Uint32Array(numbers.size);
    const members = spares.take(Uint32Array, most);
    let [place, seen] = [0, 0];
    for (let set = 0; set < numbers.size; set++) {
      starts[set] = place;
      const to = base.starts[set + 1] ?? 0;
      // Without calls: a million events have millions of members, nearly all of which stay.
      for (let at = base.starts[set] ?? 0; at < to; at++) {
        const position = moved[base.members[at] ?? 0] ?? GONE;
        if (position !== GONE) members[place++] = position;
      }
      free[set] = place;
      place += added[set] ?? 0;
      if (place - seen < STRIDE) continue;
      seen = place;
      await breathe();
    }
    starts[numbers.size] = place;
    await eachNew((set, position) => {
      const next = free[set] ?? 0;
      members[next] = position;
      free[set] = next + 1;
    });
    const doubts = base.doubts.filter(({ event }) => !isGone(event));
    return new EventSets(numbers, starts, members.subarray(0, place), [...doubts, ...this.doubts]);
  }
}

/** What a set is known by. */
export const nameOf = (kind: SetKind, id: number): string => `${kind} ${id}`;
