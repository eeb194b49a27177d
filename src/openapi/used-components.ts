import { mapYielding } from '../common/event-loop.js';

type Components = Readonly<Record<string, Readonly<Record<string, object>>>>;

/** The components that these objects refer to, and those that these refer to in turn, in their order. */
export async function usedComponents<Kinds extends Components>(
  objects: readonly object[],
  components: Kinds,
): Promise<Kinds> {
  const used = new Set((await mapYielding(objects, referencesIn)).flat());
  // What a component refers to is added, and comes last.
  for (const reference of used) {
    const [kind = '', name = ''] = reference.split('/');
    for (const further of referencesIn(components[kind]?.[name])) used.add(further);
  }
  const kept = Object.entries(components).map(([kind, all]) => [
    kind,
    Object.fromEntries(Object.entries(all).filter(([name]) => used.has(`${kind}/${name}`))),
  ]);
  return Object.fromEntries(kept) as Kinds;
}

/** What an object refers to, as `schemas/Event`. */
function referencesIn(value: unknown): string[] {
  const found: string[] = [];
  JSON.stringify(value, (key, inner: unknown) => {
    if (key === '$ref' && typeof inner === 'string') found.push(inner.replace('#/components/', ''));
    return inner;
  });
  return found;
}
