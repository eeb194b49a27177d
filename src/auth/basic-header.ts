import { splitOnce } from '../lib/wordpress-text/formatting/uri-parts.js';

const BASIC = /^Basic +([A-Za-z0-9/+]+={0,2})$/i;

/** The credentials of a Basic `Authorization` header. */
export interface Credentials {
  login: string;
  password: string;
}

/** Parses a Basic header; null for another scheme, a malformed header, or an empty password. */
export function parseBasicHeader(header: string | undefined): Credentials | null {
  const encoded = BASIC.exec(header?.trim() ?? '')?.[1];
  if (encoded === undefined) return null;
  const pair = Buffer.from(encoded, 'base64').toString('utf8');
  const [login, password] = splitOnce(pair, ':');
  return password === '' ? null : { login, password };
}
