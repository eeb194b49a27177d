/** Merges sources that each ascend; of equal items that of an earlier source comes first. */
export function* mergeSorted<T>(sources: readonly Iterable<T>[], orderOf: (item: T) => number): Generator<T> {
  const heads: { item: T; order: number; iterator: Iterator<T> }[] = [];
  for (const source of sources) {
    const iterator = source[Symbol.iterator]();
    const first = iterator.next();
    if (!first.done) heads.push({ item: first.value, order: orderOf(first.value), iterator });
  }
  while (heads.length > 0) {
    let least = 0;
    for (let at = 1; at < heads.length; at++)
      if ((heads[at]?.order ?? 0) < (heads[least]?.order ?? 0)) least = at;
    const head = heads[least];
    if (!head) return;
    yield head.item;
    const next = head.iterator.next();
    if (next.done) heads.splice(least, 1);
    else {
      head.item = next.value;
      head.order = orderOf(next.value);
    }
  }
}
