import { asMap, isTruthy, type PhpValue, unserialize } from '../../lib/wordpress-text/php-serialize.js';

/** Role name → its capabilities, each given (true) or taken away (false). */
export type Roles = ReadonlyMap<string, ReadonlyMap<string, boolean>>;

/** Reads the option `{prefix}user_roles`; no roles when it is missing or not understood. */
export function parseRoles(option: string | undefined): Roles {
  const stored = asMap(unserialize(option ?? ''));
  return new Map([...stored].map(([name, role]) => [String(name), flags(asMap(role).get('capabilities'))]));
}

/**
 * What the usermeta `{prefix}capabilities` grants: every role that it names, whatever the value beside it, in order, then
 * its own entries over them; nothing when it is missing or not understood.
 */
export function capabilitiesOf(meta: string | undefined, roles: Roles): Set<string> {
  const own = flags(unserialize(meta ?? ''));
  const merged = new Map([...[...own.keys()].flatMap((name) => [...(roles.get(name) ?? [])]), ...own]);
  return new Set([...merged].filter(([, given]) => given).map(([name]) => name));
}

function flags(value: PhpValue | undefined): Map<string, boolean> {
  return new Map([...asMap(value)].map(([name, given]) => [String(name), isTruthy(given)]));
}
