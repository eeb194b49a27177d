/** How many items a group holds at most: what one test does before its patience ends, on a busy machine too. */
const LARGEST = 50;

/** The items by kind, in the order in which the kinds come first; large groups are parted and their parts numbered. */
export function grouped<T>(items: readonly T[], kindOf: (item: T) => string): [name: string, items: T[]][] {
  const kinds = new Map<string, T[]>();
  for (const item of items) kinds.set(kindOf(item), [...(kinds.get(kindOf(item)) ?? []), item]);
  return [...kinds].flatMap(([kind, all]) => {
    const parts = Math.ceil(all.length / LARGEST);
    const size = Math.ceil(all.length / parts);
    return Array.from({ length: parts }, (_, part): [string, T[]] => [
      parts === 1 ? kind : `${kind}, part ${part + 1} of ${parts}`,
      all.slice(part * size, (part + 1) * size),
    ]);
  });
}
