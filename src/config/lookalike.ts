/** The minimum length of a name to be considered misspelled. */
const MIN_LENGTH = 5;
/** The minimum length of names that may differ in two letters. */
const LONG = 10;
/** Variables of other programs with similar names. */
const OTHERS = new Set(['API_KEY', 'LOGLEVEL']);

/** The name that another one probably misspells; undefined without one. */
export function lookalike(name: string, names: readonly string[]): string | undefined {
  const written = name.toUpperCase();
  if (written.length < MIN_LENGTH || OTHERS.has(name)) return undefined;
  // Other programs, such as npm, have variables in lower case; first letters are rarely mistyped.
  if (written !== name && written.length < LONG) return undefined;
  const near = names.filter((own) => own.length >= MIN_LENGTH && own[0] === written[0]);
  return near.find((own) => distance(written, own) <= (own.length >= LONG ? 2 : 1));
}

/** The first name that differs in at most two letters, case-sensitive. */
export function nearest(name: string, names: readonly string[]): string | undefined {
  return names.find((one) => distance(name, one) <= 2);
}

/** The Damerau–Levenshtein distance (adjacent swaps count as one); infinite when the lengths differ by more than two. */
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
