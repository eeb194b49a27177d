import { createHash, createHmac } from 'node:crypto';
import { asInteger, asMap, unserialize } from '../lib/wordpress-text/php-serialize.js';
import { equal } from './password-hash.js';
import type { SecretScheme } from './secrets.js';

/** The name prefixes of login cookies by scheme. */
export const COOKIE_PREFIXES = {
  auth: 'wordpress_',
  secure_auth: 'wordpress_sec_',
  logged_in: 'wordpress_logged_in_',
} as const satisfies Partial<Record<SecretScheme, string>>;

/** The length of the column `user_login`. */
const MAX_LOGIN_LENGTH = 60;

export interface LoginCookie {
  login: string;
  /** Unix seconds, unparsed. */
  expiration: string;
  token: string;
  hmac: string;
}

export function cookieName(scheme: keyof typeof COOKIE_PREFIXES, siteUrl: string): string {
  return COOKIE_PREFIXES[scheme] + createHash('md5').update(siteUrl, 'utf8').digest('hex');
}

/** Parses a decoded cookie value; null when it is invalid. */
export function parseLoginCookie(value: string | undefined): LoginCookie | null {
  const parts = value?.split('|', 5) ?? [];
  const [login = '', expiration = '', token = '', hmac = ''] = parts;
  if (parts.length !== 4 || parts.includes('')) return null;
  if (login.length > MAX_LOGIN_LENGTH || !/^\d{1,15}$/.test(expiration)) return null;
  return { login, expiration, token, hmac };
}

/** Whether the cookie has expired (`now` in unix seconds); a POST has an hour of grace. */
export function isExpired(cookie: LoginCookie, now: number, method: string): boolean {
  return Number(cookie.expiration) + (method === 'POST' ? 3600 : 0) < now;
}

/** Whether the cookie has a valid signature for this password hash and the secret of its scheme. */
export function isSigned(cookie: LoginCookie, passHash: string, secret: string): boolean {
  const data = `${cookie.login}|${cookie.expiration}|${cookie.token}`;
  const key = signingKey(cookie, passHash, secret);
  return equal(createHmac('sha256', key).update(data, 'utf8').digest('hex'), cookie.hmac);
}

/** The key of the cookie's signature, which depends on the password hash. */
export function signingKey(cookie: LoginCookie, passHash: string, secret: string): string {
  const data = `${cookie.login}|${passwordFragment(passHash)}|${cookie.expiration}|${cookie.token}`;
  return createHmac('md5', secret).update(data, 'utf8').digest('hex');
}

/** The four characters of a password hash that go into the signing key. */
export function passwordFragment(hash: string): string {
  return hash.startsWith('$P$') || hash.startsWith('$2y$') ? hash.slice(8, 12) : hash.slice(-4);
}

/** Whether the usermeta `session_tokens` lists the token's unexpired session (`now` in unix seconds). */
export function hasSession(sessionTokens: string | undefined, token: string, now: number): boolean {
  const verifier = createHash('sha256').update(token, 'utf8').digest('hex');
  const session = asMap(unserialize(sessionTokens ?? '')).get(verifier);
  if (session === undefined) return false;
  return asInteger(session instanceof Map ? session.get('expiration') : session) >= now;
}

/** Parses a `Cookie` header with values decoded as in PHP; the first cookie of a name wins. */
export function parseCookies(header: string | undefined): Map<string, string> {
  const cookies = new Map<string, string>();
  for (const pair of header?.split(';') ?? []) {
    const equals = pair.indexOf('=');
    const name = pair.slice(0, equals).trim();
    if (equals > 0 && name !== '' && !cookies.has(name))
      cookies.set(name, decode(pair.slice(equals + 1).trim()));
  }
  return cookies;
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value.replaceAll('+', ' '));
  } catch {
    return value;
  }
}
