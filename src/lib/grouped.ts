/** The values of pairs by their keys, in order. */
export function grouped<Key, Value>(pairs: Iterable<readonly [Key, Value]>): Map<Key, Value[]> {
  const all = new Map<Key, Value[]>();
  for (const [key, value] of pairs) {
    const known = all.get(key);
    if (known) known.push(value);
    else all.set(key, [value]);
  }
  return all;
}
