import type { ListEntry } from '../../../wordpress/posts/list-order.js';
import type { PostIdSet } from '../../../wordpress/search-index/post-id-set.js';
import { Bits } from './bits.js';
import type { EventIndexQuery, Range } from './event-index-query.js';
import { type EventOrder, type OrderedPart, orderedPositions } from './event-order.js';
import { EventSets, EventSetsBuilder, nameOf } from './event-sets.js';
import { EventPlaces, EventRows, type IsGone, NO_EVENTS, type SortedEvents } from './sorted-events.js';
import { STRIDE, sortedOrder, type Yield } from './sorted-order.js';

/** Neighbours whose dates are compared together: in most of such blocks all match, or none. */
const BLOCK = 1024;

interface Block {
  from: number;
  to: number;
  start: Range;
  end: Range;
}

/** Conditions beyond what the index holds: the matching positions, and the order. */
export interface Narrowing {
  among?: readonly Bits[];
  order?: EventOrder & Omit<OrderedPart, 'skip' | 'take'>;
}

/** New occurrences, and the sets that they belong to. */
export interface EventChanges {
  rows: EventRows;
  sets: EventSetsBuilder;
}

/** All listed events of a site: totals and pages without SQL (docs/behaviour/caching.md#event-index). */
export class EventIndex {
  private readonly visible: Bits;

  private constructor(
    private readonly events: SortedEvents,
    private readonly sets: EventSets,
    private readonly blocks: readonly Block[],
  ) {
    this.visible = Bits.all(events.ids.length).subtract(this.having('hidden', [0]));
  }

  /** An index without events. */
  static readonly EMPTY = new EventIndex(NO_EVENTS, EventSets.NONE, []);

  /** Collects changes, for `with`. */
  changes(): EventChanges {
    return { rows: new EventRows(), sets: new EventSetsBuilder(this.sets) };
  }

  /** Another index, without the events that are gone and with the new ones. */
  async with({ rows, sets }: EventChanges, isGone: IsGone, yieldIfDue: Yield): Promise<EventIndex> {
    const merged = await rows.mergedInto(this.events, isGone, yieldIfDue);
    const { events } = merged;
    const blocks: Block[] = [];
    const total = events.ids.length;
    for (let from = 0; from < total; from += BLOCK) {
      const to = Math.min(from + BLOCK, total);
      blocks.push({ from, to, start: rangeOf(events.starts, from, to), end: rangeOf(events.ends, from, to) });
      await yieldIfDue();
    }
    return new EventIndex(events, await sets.merged(merged, isGone, yieldIfDue), blocks);
  }

  /** The number of occurrences. */
  get size(): number {
    return this.events.ids.length;
  }

  /** The column that an order sorts by; undefined where the index has none. */
  column(order: string): Float64Array | undefined {
    const { ids, keys, ends, posted } = this.events;
    return new Map([
      ['start_date', keys],
      ['end_date', ends],
      ['date', posted],
      ['id', ids],
    ]).get(order);
  }

  /** The ids of all events by position, and all positions by id. */
  async byId(yieldIfDue: Yield): Promise<{ ids: Float64Array; positions: Uint32Array; places: EventPlaces }> {
    const { ids } = this.events;
    const positions = await sortedOrder(ids, yieldIfDue);
    const sorted = Float64Array.from(positions, (at) => ids[at] ?? 0);
    return { ids, positions, places: new EventPlaces(sorted, positions) };
  }

  /** All events at venues, by distance; an event at several venues is at each of them. */
  byDistance(metres: ReadonlyMap<number, number>): EventOrder {
    const near = [...metres].toSorted(([, a], [, b]) => a - b);
    const lists = near.map(([id]) => this.sets.members(nameOf('venue', id)));
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

  /** The positions of the events of a set. */
  async positionsOf(posts: Pick<PostIdSet, 'has'>, yieldIfDue: Yield): Promise<Bits> {
    const { ids } = this.events;
    const positions = Bits.none(ids.length);
    for (let at = 0; at < ids.length; at++) {
      if (at % STRIDE === 0) await yieldIfDue();
      if (posts.has(ids[at] ?? 0)) positions.add(at);
    }
    return positions;
  }

  /** The entries of the page, and the number of all matches; undefined where SQL has to answer. */
  find(
    { start, end, sets, featured, skip, take }: EventIndexQuery & Pick<OrderedPart, 'skip' | 'take'>,
    { among = [], order }: Narrowing = {},
  ): { entries: ListEntry[]; total: number } | undefined {
    if (!sets.every(({ kind, ids }) => this.sets.knows(kind, ids))) return undefined;
    const found = this.visible.copy();
    for (const some of among) found.intersect(some);
    for (const { kind, ids } of sets) found.intersect(this.having(kind, ids));
    if (featured === true) found.intersect(this.having('featured', [0]));
    if (featured === false) found.subtract(this.having('featured', [0]));
    this.restrictDates(found, start, end);
    const { ids, rows } = this.events;
    const { total, positions } = found.page(skip, order ? 0 : take);
    const page = order ? orderedPositions(found, this.events, order, { ...order, skip, take }) : positions;
    const entries = page.map((at) => ({ id: ids[at] ?? 0, ...(rows[at] && { row: rows[at] }) }));
    return { entries, total };
  }

  private having(kind: Parameters<EventSets['union']>[0], ids: readonly number[]): Bits {
    return this.sets.union(kind, ids, this.events.ids.length);
  }

  private restrictDates(found: Bits, start: Range, end: Range): void {
    const { starts, ends } = this.events;
    for (const block of this.blocks) {
      const { from, to } = block;
      if (isOutside(block.start, start) || isOutside(block.end, end)) found.clear(from, to);
      else if (!isInside(block.start, start) || !isInside(block.end, end))
        for (let at = from; at < to; at++)
          if (!holds(start, starts[at] ?? 0) || !holds(end, ends[at] ?? 0)) found.remove(at);
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
