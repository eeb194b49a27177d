const EMPTY: ReadonlySet<unknown> = new Set([undefined, null, '', '0', 0, false]);

/** PHP's idea of empty: nothing, "", "0", 0, false, an empty list or map. */
export function isPhpEmpty(value: unknown): boolean {
  return EMPTY.has(value) || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
}
