import { createHmac } from 'node:crypto';
import { equal } from './password-hash.js';

const HALF_DAY = 43_200;
const ACTION = 'wp_rest';

/** Who a nonce is for: the user (0 = nobody), the login cookie's token, and the secret of scheme `nonce`. */
export interface NonceOwner {
  userId: number;
  token: string;
  secret: string;
}

/** The half day that a moment (unix seconds) is in. */
export function nonceTick(now: number): number {
  return Math.ceil(now / HALF_DAY);
}

/** The ten hex digits that protect REST requests made with a login cookie, for one half day. */
export function createNonce(tick: number, { userId, token, secret }: NonceOwner): string {
  const data = `${tick}|${ACTION}|${userId}|${token}`;
  return createHmac('md5', secret).update(data, 'utf8').digest('hex').slice(-12, -2);
}

/** Whether a nonce was made in this half day or the one before. */
export function checkNonce(nonce: string, now: number, owner: NonceOwner): boolean {
  const tick = nonceTick(now);
  return [tick, tick - 1].some((half) => equal(createNonce(half, owner), nonce));
}
