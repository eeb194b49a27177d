/** Names shorter than this are too common to be taken for misspelled ones. */
const SHORTEST = 5;
/** Names at least this long may differ in two letters. */
const LONG = 10;
/** Variables of other programs that look like ours. */
const OTHERS = new Set(['LOGLEVEL']);

/** Which of these names another one was probably meant to be; undefined when none. */
export function lookalike(name: string, names: readonly string[]): string | undefined {
  const written = name.toUpperCase();
  if (written.length < SHORTEST || OTHERS.has(name)) return undefined;
  // Others have variables in lower case, such as npm; hardly anybody mistypes a first letter.
  if (written !== name && written.length < LONG) return undefined;
  const near = names.filter((own) => own.length >= SHORTEST && own[0] === written[0]);
  return near.find((own) => distance(written, own) <= (own.length >= LONG ? 2 : 1));
}

/** The name that differs in two letters at most, in the same case. */
export function nearest(name: string, names: readonly string[]): string | undefined {
  return names.find((one) => distance(name, one) <= 2);
}

/** How many letters have to be added, left out, changed, or swapped with the next, to get from one text to the other. */
function distance(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > 2) return Number.POSITIVE_INFINITY;
  let older: number[] = [];
  let above = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row++) {
    const line = [row];
    for (let column = 1; column <= other.length; column++) {
      const same = one[row - 1] === other[column - 1] ? 0 : 1;
      const swapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      const least = Math.min(
        (above[column] ?? 0) + 1,
        (line[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + same,
        swapped ? (older[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
      line.push(least);
    }
    [older, above] = [above, line];
  }
  return above[other.length] ?? Number.POSITIVE_INFINITY;
}
