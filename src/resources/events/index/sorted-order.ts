import { EventLoopYielder } from '../../../common/event-loop.js';

/** Slices of work in milliseconds. */
const SLICE_MS = 4;

/** Yields to requests at the end of a slice. */
export type Yield = () => Promise<void>;

/** A `Yield` for slices of a few milliseconds. */
export function yielder(): Yield {
  const eventLoop = new EventLoopYielder(SLICE_MS);
  return async () => {
    if (eventLoop.shouldYield) await eventLoop.yield();
  };
}

/** Items between two yields: about a millisecond. */
export const STRIDE = 4096;

/** The positions of the keys in ascending order; a stable merge sort. */
export async function sortedOrder(keys: Float64Array, yieldIfDue: Yield): Promise<Uint32Array> {
  const total = keys.length;
  let [from, to] = [new Uint32Array(total), new Uint32Array(total)];
  for (let start = 0; start < total; start += STRIDE) {
    const run = from.subarray(start, start + STRIDE);
    for (let at = 0; at < run.length; at++) run[at] = start + at;
    run.sort((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0) || a - b);
    await yieldIfDue();
  }
  for (let width = STRIDE; width < total; width *= 2) {
    for (let start = 0; start < total; start += 2 * width) {
      const [middle, end] = [Math.min(start + width, total), Math.min(start + 2 * width, total)];
      await merge(keys, from, to, { start, middle, end }, yieldIfDue);
    }
    [from, to] = [to, from];
  }
  return from;
}

interface Runs {
  start: number;
  middle: number;
  end: number;
}

async function merge(
  keys: Float64Array,
  from: Uint32Array,
  to: Uint32Array,
  { start, middle, end }: Runs,
  yieldIfDue: Yield,
): Promise<void> {
  let [left, right] = [start, middle];
  for (let at = start; at < end; at++) {
    if (at % STRIDE === 0) await yieldIfDue();
    const [one = 0, other = 0] = [from[left], from[right]];
    const isLeft = right >= end || (left < middle && (keys[one] ?? 0) <= (keys[other] ?? 0));
    to[at] = isLeft ? one : other;
    if (isLeft) left++;
    else right++;
  }
}
