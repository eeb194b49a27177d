const EMPTY: ReadonlySet<unknown> = new Set([undefined, null, '', '0', 0, false]);

/** PHP's `empty()`: null, undefined, "", "0", 0, false, an empty list or object. */
export function isPhpEmpty(value: unknown): boolean {
  return EMPTY.has(value) || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
}
