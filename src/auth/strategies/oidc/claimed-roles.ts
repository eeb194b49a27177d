type Claims = Readonly<Record<string, unknown>>;

/**
 * The roles of a token: the texts at a claim, whose name may have dots, or at a path; mapped, if there is a map. A single
 * text may hold several, separated by blanks.
 */
export function claimedRoles(
  claims: Claims,
  path: string,
  map: ReadonlyMap<string, readonly string[]>,
): string[] {
  const value = valueAt(claims, path);
  const texts =
    typeof value === 'string' ? [value, ...value.split(/\s+/)] : Array.isArray(value) ? value : [];
  const names = new Set(texts.filter((text): text is string => typeof text === 'string' && text !== ''));
  return [...new Set([...names].flatMap((name) => (map.size === 0 ? [name] : (map.get(name) ?? []))))];
}

function valueAt(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  let value: unknown = claims;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Claims)[name];
  }
  return value;
}
