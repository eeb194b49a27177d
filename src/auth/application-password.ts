import { randomInt, randomUUID } from 'node:crypto';
import { blake2b } from '@noble/hashes/blake2.js';
import {
  asInteger,
  asMap,
  asString,
  canWriteBack,
  type PhpArray,
  serialize,
  unserialize,
} from '../lib/wordpress-text/php-serialize.js';
import { checkPassword, equal } from './password-hash.js';

const FAST_HASH = '$generic$';
const FAST_HASH_KEY = Buffer.from('wp_fast_hash_6.8+');
const DAY = 86_400;
const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const PASSWORD_LENGTH = 24;

/** One application password as stored; `index` is its key in the stored list. */
export interface ApplicationPassword {
  index: string | number;
  hash: string;
}

/** Normalizes a typed password to its ASCII letters and digits. */
export function normaliseApplicationPassword(supplied: string): string {
  return supplied.replace(/[^A-Za-z0-9]/g, '');
}

/** The hash of application passwords since WordPress 6.8: `$generic$` and a keyed 30-byte BLAKE2b as base64url. */
export function fastHash(message: string): string {
  const digest = blake2b(Buffer.from(message, 'utf8'), { key: FAST_HASH_KEY, dkLen: 30 });
  return FAST_HASH + Buffer.from(digest).toString('base64url');
}

/** A random password of letters and digits with 142 bits. */
export function randomPassword(): string {
  return Array.from({ length: PASSWORD_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
}

/**
 * Creates an application password: clear text in groups of four, and its entry in the usermeta `_application_passwords`;
 * `now` in epoch milliseconds.
 */
export function newApplicationPassword(
  name: string,
  now: number,
  hash: (password: string) => string = fastHash,
) {
  const password = randomPassword();
  const created = Math.floor(now / 1000);
  const rest = { created, last_used: null, last_ip: null };
  return {
    clear: password.replace(/(.{4})(?=.)/g, '$1 '),
    entry: { uuid: randomUUID(), app_id: '', name, password: hash(password), ...rest },
  };
}

/** Whether the hash is fast to check, unlike those from before WordPress 6.8. */
export function isFastHash(hash: string): boolean {
  return hash.startsWith(FAST_HASH);
}

/** Whether a normalised application password matches a stored hash. */
export async function checkApplicationPassword(supplied: string, hash: string): Promise<boolean> {
  return isFastHash(hash) ? equal(fastHash(supplied), hash) : checkPassword(supplied, hash);
}

/** The entries of the usermeta `_application_passwords`; none when missing or invalid. */
export function applicationPasswords(meta: string | undefined): ApplicationPassword[] {
  return [...asMap(unserialize(meta ?? ''))].flatMap(([index, entry]) => {
    const hash = asString(asMap(entry).get('password'));
    return hash === '' ? [] : [{ index, hash }];
  });
}

/**
 * Updates `last_used` (unix seconds) and `last_ip` of an entry in the usermeta; undefined when it was used within the last
 * day or the text cannot be serialized without loss.
 */
export function withLastUse(
  meta: string,
  index: string | number,
  now: number,
  address: string,
): string | undefined {
  const list = asMap(unserialize(meta));
  const used = asMap(list.get(index));
  if (used.size === 0 || asInteger(used.get('last_used')) + DAY > now || !canWriteBack(meta))
    return undefined;
  used.set('last_used', now).set('last_ip', address);
  for (const entry of list.values()) if (entry instanceof Map) nameEntry(entry);
  return serialize(list);
}

/** Adds the missing id of an entry from before WordPress 5.6.1, as PHP does on the next write. */
function nameEntry(entry: PhpArray): void {
  if (asString(entry.get('uuid')) === '') entry.set('uuid', randomUUID());
}
