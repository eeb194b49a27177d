import { createHash, randomBytes } from 'node:crypto';

/** The beginning of every API key, by which scanners of secrets know it. */
const BEGIN = 'almk_';
const KEY = /^almk_([0-9a-f]{16})_([A-Za-z0-9_-]{43})$/;

/** The two parts of a key. */
export interface ApiKeyParts {
  /** Public; identifies the row. */
  id: string;
  secret: string;
}

/** A new key, and the hash of its secret of 32 random bytes; a fast hash is enough for so many. */
export function newApiKey(): ApiKeyParts & { text: string; secretHash: string } {
  const id = randomBytes(8).toString('hex');
  const secret = randomBytes(32).toString('base64url');
  return { id, secret, text: `${BEGIN}${id}_${secret}`, secretHash: hashSecret(secret) };
}

export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** Whether a bearer token is meant to be an API key. */
export const isApiKey = (token: string): boolean => token.startsWith(BEGIN);

/** The parts of a key; undefined for a malformed one. */
export function parseApiKey(token: string): ApiKeyParts | undefined {
  const [, id, secret] = KEY.exec(token) ?? [];
  return id !== undefined && secret !== undefined ? { id, secret } : undefined;
}
