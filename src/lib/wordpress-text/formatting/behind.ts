/**
 * Regular expression source of a mark that stands behind one of these: the same as `(?<=before)mark`, but V8 jumps from mark to
 * mark, and would look back from every character.
 */
export function behind(before: string, mark: string): string {
  return `${mark}(?<=(?:${before})${mark})`;
}
