import { createHash, createHmac } from 'node:crypto';
import { serialize } from '../../src/lib/wordpress-text/php-serialize.js';

/** WordPress's keys and salts of a test site, as environment variables. */
export const SECRETS = {
  LOGGED_IN_KEY: 'a key for login cookies',
  LOGGED_IN_SALT: 'a salt for login cookies',
  NONCE_KEY: 'a key for nonces',
  NONCE_SALT: 'a salt for nonces',
} as const;

const HALF_DAY = 43_200;
const TOKEN = 'a session token of forty-three characters..';
const md5 = (key: string, data: string) => createHmac('md5', key).update(data).digest('hex');

/**
 * The `Cookie` header of somebody who logged in, made as docs/behaviour/authentication.md#login-cookies says; `now` is
 * unix seconds.
 */
export function loginCookie(
  user: { login: string; passHash: string },
  siteUrl: string,
  now: number,
): Record<string, string> {
  const { login, passHash } = user;
  const expiration = now + 14 * 86_400;
  const isOld = passHash.startsWith('$P$') || passHash.startsWith('$2y$');
  const fragment = isOld ? passHash.slice(8, 12) : passHash.slice(-4);
  const secret = SECRETS.LOGGED_IN_KEY + SECRETS.LOGGED_IN_SALT;
  const key = md5(secret, [login, fragment, expiration, TOKEN].join('|'));
  const data = [login, expiration, TOKEN].join('|');
  const hmac = createHmac('sha256', key).update(data).digest('hex');
  const name = `wordpress_logged_in_${createHash('md5').update(siteUrl).digest('hex')}`;
  return { Cookie: `${name}=${encodeURIComponent(`${data}|${hmac}`)}` };
}

/** The nonce of a session as of a number of half days ago (docs/behaviour/authentication.md#nonces): valid for 0 and 1. */
export function nonceHeader(userId: number, now: number, halfDaysAgo: number): Record<string, string> {
  const tick = Math.ceil(now / HALF_DAY) - halfDaysAgo;
  const hash = md5(SECRETS.NONCE_KEY + SECRETS.NONCE_SALT, [tick, 'wp_rest', userId, TOKEN].join('|'));
  return { 'X-WP-Nonce': hash.slice(-12, -2) };
}

/** Usermeta `session_tokens` that lists the session. */
export function sessionTokens(now: number): string {
  const verifier = createHash('sha256').update(TOKEN).digest('hex');
  return serialize(new Map([[verifier, new Map([['expiration', now + 14 * 86_400]])]]));
}
