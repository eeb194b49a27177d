import { Bits } from './bits.js';
import type { EventQuestion, Range } from './event-question.js';
import { EventSets, EventSetsBuilder } from './event-sets.js';
import { EventRows, type IsGone, NO_EVENTS, type SortedEvents } from './sorted-events.js';
import type { PostSet } from '../wordpress/posts/search/post-set.js';
import { type Breathe, STRIDE } from './sorted-order.js';
import { type Numbers, SpareArrays } from './spare-arrays.js';

/** Neighbours whose dates are looked at together: in most of such blocks all match, or none. */
const BLOCK = 1024;

interface Block {
  from: number;
  to: number;
  start: Range;
  end: Range;
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
  async with({ rows, sets }: EventChanges, isGone: IsGone, breathe: Breathe): Promise<EventIndex> {
    const { before } = this;
    // Each is written over once only, also where two are made of the same.
    const old = this.isFollowed || this === EventIndex.EMPTY ? undefined : this;
    [this.isFollowed, this.before] = [true, undefined];
    const spares = new SpareArrays(before?.readers === 0 ? before.arrays : []);
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

  /** An answer of those events only that a search finds; others get their turn meanwhile. */
  async answerAmong(
    posts: Pick<PostSet, 'has'>,
    question: EventQuestion,
    breathe: Breathe,
  ): Promise<ReturnType<EventIndex['answer']>> {
    this.readers += 1;
    try {
      return this.answer(question, await this.positionsOf(posts, breathe));
    } finally {
      this.readers -= 1;
    }
  }

  /** What is written anew once nobody reads it. */
  private get arrays() {
    const { ids, starts, ends, keys, posted } = this.events;
    return [ids, starts, ends, keys, posted, this.sets.members, ...this.scratch];
  }

  /** The positions of the events of a set. */
  private async positionsOf(posts: Pick<PostSet, 'has'>, breathe: Breathe): Promise<Bits> {
    const { ids } = this.events;
    const positions = Bits.none(ids.length);
    for (let at = 0; at < ids.length; at++) {
      if (at % STRIDE === 0) await breathe();
      if (posts.has(ids[at] ?? 0)) positions.add(at);
    }
    return positions;
  }

  /**
   * The ids of the page that was asked for, and how many events match, among those at the positions where some are given; undefined
   * where SQL has to answer.
   */
  answer(
    { start, end, sets, featured, skip, take }: EventQuestion,
    among?: Bits,
  ): { ids: number[]; total: number } | undefined {
    if (!sets.every(({ kind, ids }) => this.sets.knows(kind, ids))) return undefined;
    const found = this.shown.copy();
    if (among) found.keep(among);
    for (const { kind, ids } of sets) found.keep(this.having(kind, ids));
    if (featured === true) found.keep(this.having('featured', [0]));
    if (featured === false) found.drop(this.having('featured', [0]));
    this.keepDates(found, start, end);
    this.keepFirst(found);
    const { total, positions } = found.page(skip, take);
    return { ids: positions.map((at) => this.events.ids[at] ?? 0), total };
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

  /** Of an event with several occurrences the first one that matches. */
  private keepFirst(found: Bits): void {
    const { positions, events } = this.events.repeats;
    const seen = Bits.none(events.length);
    for (const [place, at] of positions.entries()) {
      const event = events[place] ?? 0;
      if (!found.has(at)) continue;
      if (seen.has(event)) found.remove(at);
      else seen.add(event);
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
