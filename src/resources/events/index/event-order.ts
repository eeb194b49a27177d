import type { Bits } from './bits.js';

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
  /** The last place before it: a value, and an id among equal values. */
  after?: { value: number; id: number };
}

/** The ids of a part of the matches, each at its first place, ties by ascending id. Consumes `found`. */
export function orderedIds(
  found: Bits,
  ids: Float64Array,
  { positions, value }: EventOrder,
  { isDescending, skip, take, after }: OrderedPart,
): number[] {
  const page: number[] = [];
  const [step, end] = isDescending ? [-1, -1] : [1, positions.length];
  const isBefore = (one: number, other: number) => (isDescending ? one > other : one < other);
  let left = skip;
  for (let place = isDescending ? positions.length - 1 : 0; place !== end && page.length < take; ) {
    const tied: number[] = [];
    const shared = value(place);
    for (; place !== end && value(place) === shared; place += step) {
      const position = positions[place] ?? 0;
      if (!found.has(position)) continue;
      found.remove(position);
      tied.push(ids[position] ?? 0);
    }
    if (after && isBefore(shared, after.value)) continue;
    const rest = after?.value === shared ? tied.filter((id) => id > after.id) : tied;
    if (rest.length > left) page.push(...rest.sort((a, b) => a - b).slice(left, left + take - page.length));
    left = Math.max(0, left - rest.length);
  }
  return page;
}
