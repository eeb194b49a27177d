/** The maximum of items in a group: what one test can process within its timeout on a busy machine. */
const LARGEST = 50;

/** Groups items by kind, in order of first appearance; splits and numbers large groups. */
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
