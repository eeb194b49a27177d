import { mapYielding } from '../common/event-loop.js';

type Components = Readonly<Record<string, Readonly<Record<string, object>>>>;

/** The components referenced directly or indirectly by these objects, in order. */
export async function usedComponents<Kinds extends Components>(
  objects: readonly object[],
  components: Kinds,
): Promise<Kinds> {
  const used = new Set((await mapYielding(objects, referencesIn)).flat());
  // A referenced component is appended while iterating.
  for (const reference of used) {
    const [kind = '', name = ''] = reference.split('/');
    for (const further of referencesIn(components[kind]?.[name])) used.add(further);
  }
  const remaining = Object.entries(components).map(([kind, all]) => [
    kind,
    Object.fromEntries(Object.entries(all).filter(([name]) => used.has(`${kind}/${name}`))),
  ]);
  return Object.fromEntries(remaining) as Kinds;
}

/** The references in an object, such as `schemas/Event`. */
function referencesIn(value: unknown): string[] {
  const found: string[] = [];
  JSON.stringify(value, (key, inner: unknown) => {
    if (key === '$ref' && typeof inner === 'string') found.push(inner.replace('#/components/', ''));
    return inner;
  });
  return found;
}
