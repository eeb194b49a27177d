import { createHash, timingSafeEqual } from 'node:crypto';
import { checkOffLoop, type HashCheck } from './hash-pool.js';

const MAX_PASSWORD_LENGTH = 4096;
const MD5_LENGTH = 32;

/** Whether a password matches a stored hash of any kind: MD5, phpass, `$wp`, bcrypt, argon2. */
export async function checkPassword(
  password: string,
  hash: string,
  checkSlow: HashCheck = checkOffLoop,
): Promise<boolean> {
  if (!isSlow(hash)) return equal(createHash('md5').update(password, 'utf8').digest('hex'), hash);
  return Buffer.byteLength(password, 'utf8') <= MAX_PASSWORD_LENGTH && checkSlow({ password, hash });
}

/** Whether the hash is slow by design. */
function isSlow(hash: string): boolean {
  return Buffer.byteLength(hash, 'utf8') > MD5_LENGTH;
}

/** Compares two texts in constant time. */
export function equal(a: string, b: string): boolean {
  const left = Buffer.from(a, 'utf8');
  const right = Buffer.from(b, 'utf8');
  return left.length === right.length && timingSafeEqual(left, right);
}
