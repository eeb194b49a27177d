import { StartError } from '../../database/start-error.js';
import { isEmail } from '../../lib/wordpress-text/formatting/sanitize.js';
import { asMap, isTruthy, unserialize } from '../../lib/wordpress-text/php-serialize.js';
import type { Roles } from '../../wordpress/users/capabilities.js';

/** Usermeta of every new user, besides name and rights. */
export const NEW_USER_META = {
  nickname: '',
  first_name: '',
  last_name: '',
  description: '',
  rich_editing: 'true',
  syntax_highlighting: 'true',
  comment_shortcuts: 'false',
  admin_color: 'fresh',
  use_ssl: '0',
  show_admin_bar_front: 'true',
  locale: '',
} as const;

/** Throws for login names that WordPress rejects or that do not fit the column. */
export function checkLogin(login: string): void {
  if (!/^[A-Za-z0-9_.@-]+( [A-Za-z0-9_.@-]+)*$/.test(login) || login.length > 60)
    throw new StartError(
      'A login name has 1 to 60 letters, digits, blanks and any of "_.@-", and no accents.',
    );
}

/** Throws for invalid e-mail addresses and those that do not fit the column. */
export function checkEmail(email: string): void {
  if (!isEmail(email) || email.length > 100) throw new StartError(`"${email}" is not an e-mail address.`);
}

/** Throws for passwords that are too short, too long to hash, or that WordPress would trim. */
export function checkPassword(password: string): void {
  if (password.length < 8 || Buffer.byteLength(password) > 4096)
    throw new StartError('A password has at least 8 characters, and at most 4096 bytes.');
  if (password.trim() !== password) throw new StartError('A password neither begins nor ends with a blank.');
}

/** The role names in the usermeta `{prefix}capabilities`. */
export function rolesIn(meta: string, roles: Roles): string[] {
  return [...asMap(unserialize(meta))].flatMap(([name]) => (roles.has(String(name)) ? [String(name)] : []));
}

/** The usermeta `{prefix}user_level` of a role: its highest `level_N`. */
export function levelOf(capabilities: ReadonlyMap<string, boolean> | undefined): number {
  const levels = [...(capabilities ?? [])].flatMap(([name, given]) => {
    const [, level] = /^level_(\d+)$/.exec(name) ?? [];
    return level !== undefined && isTruthy(given) ? [Number(level)] : [];
  });
  return Math.max(0, ...levels);
}
