import type { ListEntry } from '../../../wordpress/posts/list-order.js';
import type { Bits } from './bits.js';
import type { SortedEvents } from './sorted-events.js';

/** Positions of an index, ascending by value. */
export interface EventOrder {
  positions: Uint32Array;
  /** The value of the position at a place. */
  value(place: number): number;
}

/** A part of a list, and its direction. */
export interface OrderedPart {
  isDescending: boolean;
  skip: number;
  take: number;
  /** The last place before it: a value, and an entry among equal values. */
  after?: ListEntry & { value: number };
}

/** The positions of a part of the matches, each at its first place, ties by ascending id and row. Consumes `found`. */
export function orderedPositions(
  found: Bits,
  { ids, rows }: SortedEvents,
  { positions, value }: EventOrder,
  { isDescending, skip, take, after }: OrderedPart,
): number[] {
  const page: number[] = [];
  const [step, end] = isDescending ? [-1, -1] : [1, positions.length];
  const compare = (at: number, id: number, row: number) => (ids[at] ?? 0) - id || (rows[at] ?? 0) - row;
  const isBefore = (one: number, other: number) => (isDescending ? one > other : one < other);
  let left = skip;
  for (let place = isDescending ? positions.length - 1 : 0; place !== end && page.length < take; ) {
    const tied: number[] = [];
    const shared = value(place);
    for (; place !== end && value(place) === shared; place += step) {
      const position = positions[place] ?? 0;
      if (!found.has(position)) continue;
      found.remove(position);
      tied.push(position);
    }
    if (after && isBefore(shared, after.value)) continue;
    const { id = 0, row = Number.POSITIVE_INFINITY } = after ?? {};
    const rest = after?.value === shared ? tied.filter((at) => compare(at, id, row) > 0) : tied;
    const sorted = () => rest.sort((a, b) => compare(a, ids[b] ?? 0, rows[b] ?? 0));
    if (rest.length > left) page.push(...sorted().slice(left, left + take - page.length));
    left = Math.max(0, left - rest.length);
  }
  return page;
}
