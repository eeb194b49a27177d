import { EventLoopYielder } from '../../../common/event-loop.js';

/** Milliseconds of work until others get their turn. */
const TURN = 4;

/** Gives way to requests where it is time to. */
export type Yield = () => Promise<void>;

/** Gives way to requests after some work. */
export function yielder(): Yield {
  const breather = new EventLoopYielder(TURN);
  return async () => {
    if (breather.shouldYield) await breather.yield();
  };
}

/** How many are sorted, merged or looked at without a breath: about a millisecond. */
export const STRIDE = 4096;

/** The positions of the keys from the lowest key to the highest; those that tie stay in their order. */
export async function sortedOrder(keys: Float64Array, breathe: Yield): Promise<Uint32Array> {
  const total = keys.length;
  let [from, to] = [new Uint32Array(total), new Uint32Array(total)];
  for (let start = 0; start < total; start += STRIDE) {
    const run = from.subarray(start, start + STRIDE);
    for (let at = 0; at < run.length; at++) run[at] = start + at;
    run.sort((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0) || a - b);
    await breathe();
  }
  for (let width = STRIDE; width < total; width *= 2) {
    for (let start = 0; start < total; start += 2 * width) {
      const [middle, end] = [Math.min(start + width, total), Math.min(start + 2 * width, total)];
      await merge(keys, from, to, { start, middle, end }, breathe);
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
  breathe: Yield,
): Promise<void> {
  let [left, right] = [start, middle];
  for (let at = start; at < end; at++) {
    if (at % STRIDE === 0) await breathe();
    const [one = 0, other = 0] = [from[left], from[right]];
    const isLeft = right >= end || (left < middle && (keys[one] ?? 0) <= (keys[other] ?? 0));
    to[at] = isLeft ? one : other;
    if (isLeft) left++;
    else right++;
  }
}
