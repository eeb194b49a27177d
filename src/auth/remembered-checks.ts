import { createHmac, randomBytes } from 'node:crypto';

/**
 * Remembers which passwords fitted which costly hashes, so that only the first request of a client pays. Holds keyed
 * digests, never a password; a changed or revoked hash is another key, so nothing outlives a revocation.
 */
export class RememberedChecks {
  private readonly key = randomBytes(32);
  private readonly fitting = new Set<string>();

  constructor(private readonly capacity = 1000) {}

  has(password: string, hash: string): boolean {
    const digest = this.digest(password, hash);
    if (!this.fitting.delete(digest)) return false;
    this.fitting.add(digest);
    return true;
  }

  add(password: string, hash: string): void {
    this.fitting.add(this.digest(password, hash));
    const [oldest] = this.fitting;
    if (this.fitting.size > this.capacity && oldest !== undefined) this.fitting.delete(oldest);
  }

  private digest(password: string, hash: string): string {
    return createHmac('sha256', this.key).update(`${hash}\0${password}`, 'utf8').digest('base64');
  }
}
