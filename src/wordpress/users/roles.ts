import { asMap, isTruthy, type PhpValue, unserialize } from '../../lib/wordpress-text/php-serialize.js';

/** The capabilities of each role: granted (true) or denied (false). */
export type Roles = ReadonlyMap<string, ReadonlyMap<string, boolean>>;

/** Parses the option `{prefix}user_roles`; empty when missing or invalid. */
export function parseRoles(option: string | undefined): Roles {
  const stored = asMap(unserialize(option ?? ''));
  return new Map([...stored].map(([name, role]) => [String(name), flags(asMap(role).get('capabilities'))]));
}

/**
 * The capabilities granted by the usermeta `{prefix}capabilities`: those of every named role, whatever its value, in
 * order, overridden by its own entries; none when missing or invalid.
 */
export function capabilitiesOf(meta: string | undefined, roles: Roles): Set<string> {
  const own = flags(unserialize(meta ?? ''));
  const merged = new Map([...[...own.keys()].flatMap((name) => [...(roles.get(name) ?? [])]), ...own]);
  return new Set([...merged].filter(([, given]) => given).map(([name]) => name));
}

function flags(value: PhpValue | undefined): Map<string, boolean> {
  return new Map([...asMap(value)].map(([name, given]) => [String(name), isTruthy(given)]));
}
