import { asMap, isTruthy, type PhpValue, unserialize } from '../options/php-serialize.js';

/** Role name → its capabilities, each given (true) or taken away (false). */
export type Roles = ReadonlyMap<string, ReadonlyMap<string, boolean>>;

/** Which roles a user has, and what follows from them. */
export interface Grants {
  roles: readonly string[];
  capabilities: Set<string>;
}

/** Reads the option `{prefix}user_roles`; no roles when it is missing or not understood. */
export function parseRoles(option: string | undefined): Roles {
  const stored = asMap(unserialize(option ?? ''));
  return new Map([...stored].map(([name, role]) => [String(name), flags(asMap(role).get('capabilities'))]));
}

/**
 * What the usermeta `{prefix}capabilities` grants: every role that it names, whatever the value beside it, in order, then
 * its own entries over them; nothing when it is missing or not understood.
 */
export function grantsOf(meta: string | undefined, roles: Roles): Grants {
  const own = flags(unserialize(meta ?? ''));
  const names = [...own.keys()].filter((name) => roles.has(name));
  const merged = new Map([...names.flatMap((name) => [...(roles.get(name) ?? [])]), ...own]);
  return {
    roles: names,
    capabilities: new Set([...merged].filter(([, given]) => given).map(([name]) => name)),
  };
}

function flags(value: PhpValue | undefined): Map<string, boolean> {
  return new Map([...asMap(value)].map(([name, given]) => [String(name), isTruthy(given)]));
}
