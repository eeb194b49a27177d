import { createHmac, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/**
 * Remembers which passwords fitted which costly hashes, so that only the first request of a client pays. Holds keyed
 * digests, never a password; a changed or revoked hash is another key, so nothing outlives a revocation.
 */
export class RememberedChecks {
  private readonly key = randomBytes(32);
  private readonly fitting = new LRUCache<string, true>({ max: 1000 });

  has(password: string, hash: string): boolean {
    return this.fitting.get(this.digest(password, hash)) === true;
  }

  add(password: string, hash: string): void {
    this.fitting.set(this.digest(password, hash), true);
  }

  private digest(password: string, hash: string): string {
    return createHmac('sha256', this.key).update(`${hash}\0${password}`, 'utf8').digest('base64');
  }
}
