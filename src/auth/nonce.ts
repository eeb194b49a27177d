import { createHmac } from 'node:crypto';
import { equal } from './password-hash.js';

const HALF_DAY = 43_200;
const ACTION = 'wp_rest';

/** The owner of a nonce: user id (0: not signed in), token of the login cookie, and secret of the scheme `nonce`. */
interface NonceOwner {
  userId: number;
  token: string;
  secret: string;
}

/** The index of the half day of a time in unix seconds. */
export function nonceTick(now: number): number {
  return Math.ceil(now / HALF_DAY);
}

/** Creates the ten hex digits of the nonce of a half day. */
export function createNonce(tick: number, { userId, token, secret }: NonceOwner): string {
  const data = `${tick}|${ACTION}|${userId}|${token}`;
  return createHmac('md5', secret).update(data, 'utf8').digest('hex').slice(-12, -2);
}

/** Whether a nonce is of this half day or the one before. */
export function checkNonce(nonce: string, now: number, owner: NonceOwner): boolean {
  const tick = nonceTick(now);
  return [tick, tick - 1].some((valid) => equal(createNonce(valid, owner), nonce));
}
