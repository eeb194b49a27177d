/** An object with the same names and other values. */
export function mapValues<T, R>(
  from: Readonly<Record<string, T>>,
  make: (value: T, name: string) => R,
): Record<string, R> {
  return Object.fromEntries(Object.entries(from).map(([name, value]) => [name, make(value, name)]));
}
