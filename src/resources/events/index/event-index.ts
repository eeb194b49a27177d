import type { PostIdSet } from '../../../wordpress/search-index/post-id-set.js';
import { Bits } from './bits.js';
import { type EventOrder, type OrderedPart, orderedIds } from './event-order.js';
import type { EventIndexQuery, Range } from './event-index-query.js';
import { EventSets, EventSetsBuilder, nameOf } from './event-sets.js';
import { EventPlaces, EventRows, type IsGone, NO_EVENTS, type SortedEvents } from './sorted-events.js';
import { type Yield, STRIDE, sortedOrder } from './sorted-order.js';
import { type Numbers, TypedArrayPool } from './typed-array-pool.js';

/** Neighbours whose dates are looked at together: in most of such blocks all match, or none. */
const BLOCK = 1024;

interface Block {
  from: number;
  to: number;
  start: Range;
  end: Range;
}

/** What occurrences are sorted by, by position. */
type Column = Float64Array | Uint32Array;

/** What is known of a list beyond what the index holds: which positions are left, and its order. */
export interface Narrowing {
  among?: readonly Bits[];
  order?: EventOrder & Omit<OrderedPart, 'skip' | 'take'>;
  /** What the first of several occurrences goes by. */
  by?: Column;
}

/** Occurrences that are new, and what they belong to. */
export interface EventChanges {
  rows: EventRows;
  sets: EventSetsBuilder;
}

/** All listed events of a site: totals and pages without SQL (docs/behaviour/caching.md#the-index-of-dates). */
export class EventIndex {
  private readonly shown: Bits;
  /** Those who read it while others have their turn. */
  private readers = 0;
  private isFollowed = false;

  private constructor(
    private readonly events: SortedEvents,
    private readonly sets: EventSets,
    private readonly blocks: readonly Block[],
    /** What it took to make it. */
    private readonly scratch: readonly Numbers[] = [],
    /** The one before: the next one is written in its place, once nobody reads it. */
    private before?: EventIndex,
  ) {
    this.shown = Bits.all(events.ids.length).drop(this.having('hidden', [0]));
  }

  /** An index without events. */
  static readonly EMPTY = new EventIndex(NO_EVENTS, EventSets.NONE, []);

  /** Where to put what has changed, to be given to `with`. */
  changes(): EventChanges {
    return { rows: new EventRows(), sets: new EventSetsBuilder(this.sets) };
  }

  /** Another index, without those that are gone and with those that are new or have changed. */
  async with({ rows, sets }: EventChanges, isGone: IsGone, breathe: Yield): Promise<EventIndex> {
    const { before } = this;
    // Each is written over once only, also where two are made of the same.
    const old = this.isFollowed || this === EventIndex.EMPTY ? undefined : this;
    [this.isFollowed, this.before] = [true, undefined];
    const spares = new TypedArrayPool(before?.readers === 0 ? before.arrays : []);
    const merged = await rows.mergedInto(this.events, isGone, breathe, spares);
    const { events } = merged;
    const blocks: Block[] = [];
    const total = events.ids.length;
    for (let from = 0; from < total; from += BLOCK) {
      const to = Math.min(from + BLOCK, total);
      blocks.push({ from, to, start: rangeOf(events.starts, from, to), end: rangeOf(events.ends, from, to) });
      await breathe();
    }
    const gathered = await sets.merged(merged, isGone, breathe, spares);
    return new EventIndex(events, gathered, blocks, [merged.moved, merged.from], old);
  }

  /** How many occurrences there are. */
  get size(): number {
    return this.events.ids.length;
  }

  /** Has it stay as it is while work reads it in several steps. */
  async read<T>(work: () => Promise<T>): Promise<T> {
    this.readers += 1;
    try {
      return await work();
    } finally {
      this.readers -= 1;
    }
  }

  /** Has it stay as it is for ever. */
  hold(): void {
    this.readers += 1;
  }

  /** The ids of all that lists show, once for each occurrence: of those that begin from `now` on, a `sortableDate`, then back from there. */
  async listed(now: number, breathe: Yield): Promise<Float64Array> {
    const { ids, starts } = this.events;
    const listed = new Float64Array(ids.length);
    let next = 0;
    while (next < ids.length && (starts[next] ?? 0) < now) next += 1;
    let length = 0;
    for (let step = 0; step < ids.length; step++) {
      if (step % STRIDE === 0) await breathe();
      const at = next + step < ids.length ? next + step : ids.length - 1 - step;
      if (this.shown.has(at)) listed[length++] = ids[at] ?? 0;
    }
    return listed.subarray(0, length);
  }

  /** What lists are sorted by that it knows: a column of its own, by the name of the order. */
  column(name: string): Float64Array | undefined {
    const { ids, keys, ends, posted } = this.events;
    return new Map([
      ['start_date', keys],
      ['end_date', ends],
      ['date', posted],
      ['id', ids],
    ]).get(name);
  }

  /** The ids of all events by position, and all positions by id. */
  async byId(breathe: Yield): Promise<{ ids: Float64Array; positions: Uint32Array; places: EventPlaces }> {
    const { ids } = this.events;
    const positions = await sortedOrder(ids, breathe);
    const sorted = Float64Array.from(positions, (at) => ids[at] ?? 0);
    return { ids, positions, places: new EventPlaces(sorted, positions) };
  }

  /** All events at venues, by how far away these are; an event at several stands at each. */
  byDistance(metres: ReadonlyMap<number, number>): EventOrder {
    const { numbers, starts, members } = this.sets;
    const near = [...metres].toSorted(([, a], [, b]) => a - b);
    const lists = near.map(([id]) => {
      const number = numbers.get(nameOf('venue', id)) ?? numbers.size;
      return members.subarray(starts[number] ?? 0, starts[number + 1] ?? 0);
    });
    const total = lists.reduce((sum, { length }) => sum + length, 0);
    const [positions, values] = [new Uint32Array(total), new Float64Array(total)];
    let at = 0;
    for (const [place, list] of lists.entries()) {
      positions.set(list, at);
      values.fill(near[place]?.[1] ?? 0, at, at + list.length);
      at += list.length;
    }
    return { positions, value: (place) => values[place] ?? 0 };
  }

  /** What is written anew once nobody reads it. */
  private get arrays() {
    const { ids, starts, ends, keys, posted } = this.events;
    return [ids, starts, ends, keys, posted, this.sets.members, ...this.scratch];
  }

  /** The positions of the events of a set. */
  async positionsOf(posts: Pick<PostIdSet, 'has'>, breathe: Yield): Promise<Bits> {
    const { ids } = this.events;
    const positions = Bits.none(ids.length);
    for (let at = 0; at < ids.length; at++) {
      if (at % STRIDE === 0) await breathe();
      if (posts.has(ids[at] ?? 0)) positions.add(at);
    }
    return positions;
  }

  /** The ids of the page that was asked for, and how many events match; undefined where SQL has to answer. */
  answer(
    { start, end, sets, featured, skip, take }: EventIndexQuery & Pick<OrderedPart, 'skip' | 'take'>,
    { among = [], order, by }: Narrowing = {},
  ): { ids: number[]; total: number } | undefined {
    if (!sets.every(({ kind, ids }) => this.sets.knows(kind, ids))) return undefined;
    const found = this.shown.copy();
    for (const some of among) found.keep(some);
    for (const { kind, ids } of sets) found.keep(this.having(kind, ids));
    if (featured === true) found.keep(this.having('featured', [0]));
    if (featured === false) found.drop(this.having('featured', [0]));
    this.keepDates(found, start, end);
    this.keepFirst(found, by, order?.isDescending);
    const { ids } = this.events;
    const { total, positions } = found.page(skip, order ? 0 : take);
    const page = order
      ? orderedIds(found, ids, order, { ...order, skip, take })
      : positions.map((at) => ids[at] ?? 0);
    return { ids: page, total };
  }

  private having(kind: Parameters<EventSets['union']>[0], ids: readonly number[]): Bits {
    return this.sets.union(kind, ids, this.events.ids.length);
  }

  private keepDates(found: Bits, start: Range, end: Range): void {
    const { starts, ends } = this.events;
    for (const block of this.blocks) {
      const { from, to } = block;
      if (isOutside(block.start, start) || isOutside(block.end, end)) found.clear(from, to);
      else if (!isInside(block.start, start) || !isInside(block.end, end))
        for (let at = from; at < to; at++)
          if (!holds(start, starts[at] ?? 0) || !holds(end, ends[at] ?? 0)) found.remove(at);
    }
  }

  /** Of an event with several occurrences the first one that matches, by a column if there is one, or the last. */
  private keepFirst(found: Bits, by: Column = this.events.keys, isLast = false): void {
    const { positions, events } = this.events.repeats;
    const kept = new Int32Array(events.length).fill(-1);
    for (const [place, at] of positions.entries()) {
      if (!found.has(at)) continue;
      const event = events[place] ?? 0;
      const other = kept[event] ?? -1;
      const [value, known] = [by[at] ?? 0, by[other] ?? 0];
      const isFirst = other < 0 || (isLast ? value > known : value < known);
      if (other >= 0) found.remove(isFirst ? other : at);
      if (isFirst) kept[event] = at;
    }
  }
}

function rangeOf(values: Float64Array, from: number, to: number): Range {
  const range = { from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY };
  for (let at = from; at < to; at++) {
    range.from = Math.min(range.from, values[at] ?? 0);
    range.to = Math.max(range.to, values[at] ?? 0);
  }
  return range;
}

const holds = (range: Range, value: number) => value >= range.from && value <= range.to;
const isInside = (inner: Range, outer: Range) => inner.from >= outer.from && inner.to <= outer.to;
const isOutside = (one: Range, other: Range) => one.to < other.from || one.from > other.to;
