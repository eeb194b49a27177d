import { Bits } from './bits.js';
import { GrowingNumbers } from './growing-numbers.js';
import { type Breathe, STRIDE } from './sorted-order.js';

/** What groups events: a term, a linked record, or a flag, whose only id is 0. */
export type SetKind = 'term' | 'venue' | 'organizer' | 'featured' | 'hidden';

/** In place of an id: whichever. */
export const ANY_ID = Number.NaN;

/** Which occurrences belong to which term, venue or organizer; positions of the index, list after list in one array. */
export class EventSets {
  constructor(
    private readonly numbers: ReadonlyMap<SetKind, ReadonlyMap<number, number>>,
    /** Where each set begins in `members`; the one after the last where they end. */
    private readonly starts: Uint32Array,
    private readonly members: Uint32Array,
    private readonly doubtful: ReadonlyMap<SetKind, ReadonlySet<number>>,
  ) {}

  /** Whether it is known who belongs to these ids: not where SQL may understand odd texts as one of them. */
  knows(kind: SetKind, ids: readonly number[]): boolean {
    const doubtful = this.doubtful.get(kind);
    return !doubtful || ![...ids, ANY_ID].some((id) => doubtful.has(id));
  }

  /** All that belong to one of the ids. */
  union(kind: SetKind, ids: readonly number[], length: number): Bits {
    const bits = Bits.none(length);
    for (const id of ids) {
      const number = this.numbers.get(kind)?.get(id);
      if (number !== undefined)
        bits.addAll(this.members, this.starts[number] ?? 0, this.starts[number + 1] ?? 0);
    }
    return bits;
  }
}

/** Gathers who belongs to what, in any order. */
export class EventSetsBuilder {
  private readonly numbers = new Map<SetKind, Map<number, number>>();
  private readonly setOf = new GrowingNumbers(Uint32Array);
  private readonly positions = new GrowingNumbers(Uint32Array);
  private readonly doubtful = new Map<SetKind, Set<number>>();
  private count = 0;

  add(kind: SetKind, id: number, position: number): void {
    const numbers = this.numbers.get(kind) ?? new Map<number, number>();
    this.numbers.set(kind, numbers);
    const number = numbers.get(id) ?? this.count++;
    numbers.set(id, number);
    this.setOf.push(number);
    this.positions.push(position);
  }

  /** Notes that somebody may belong to an id, or to any. */
  doubt(kind: SetKind, id: number): void {
    this.doubtful.set(kind, (this.doubtful.get(kind) ?? new Set()).add(id));
  }

  async build(breathe: Breathe): Promise<EventSets> {
    const { setOf, positions, count } = this;
    const starts = new Uint32Array(count + 1);
    for (let at = 0; at < setOf.length; at++) {
      if (at % STRIDE === 0) await breathe();
      const next = setOf.at(at) + 1;
      starts[next] = (starts[next] ?? 0) + 1;
    }
    for (let number = 1; number <= count; number++)
      starts[number] = (starts[number] ?? 0) + (starts[number - 1] ?? 0);
    const free = starts.slice();
    const members = new Uint32Array(positions.length);
    for (let at = 0; at < setOf.length; at++) {
      if (at % STRIDE === 0) await breathe();
      const number = setOf.at(at);
      const place = free[number] ?? 0;
      members[place] = positions.at(at);
      free[number] = place + 1;
    }
    return new EventSets(this.numbers, starts, members, this.doubtful);
  }
}
