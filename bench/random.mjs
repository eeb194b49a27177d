/** A generator of numbers in [0, 1) that gives the same row for the same seed (mulberry32). */
export function randomNumbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Picks from lists and ranges with a generator of random numbers. */
export function picker(random) {
  const below = (limit) => Math.floor(random() * limit);
  return {
    below,
    chance: (probability) => random() < probability,
    one: (list) => list[below(list.length)],
  };
}
