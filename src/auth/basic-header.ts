import { splitOnce } from '../lib/wordpress-text/formatting/uri-parts.js';

const BASIC = /^Basic +([A-Za-z0-9/+]+={0,2})$/i;

/** What a Basic `Authorization` header carries. */
export interface Credentials {
  login: string;
  password: string;
}

/** The credentials of a Basic header; null when it is of another kind, malformed, or its password is empty. */
export function parseBasicHeader(header: string | undefined): Credentials | null {
  const encoded = BASIC.exec(header?.trim() ?? '')?.[1];
  if (encoded === undefined) return null;
  const pair = Buffer.from(encoded, 'base64').toString('utf8');
  const [login, password] = splitOnce(pair, ':');
  return password === '' ? null : { login, password };
}
