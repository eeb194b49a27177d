/** Regular expression source equivalent to `(?<=before)mark`, but V8 searches for the mark instead of looking back from every character. */
export function behind(before: string, mark: string): string {
  return `${mark}(?<=(?:${before})${mark})`;
}

/** Executes a global or sticky pattern from a position on. */
export function execAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
