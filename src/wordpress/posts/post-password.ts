import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares a sent password with `post_password`, in a time that does not depend on where they differ. */
export function isPasswordRight(sent: string, stored: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(sent), digest(stored));
}
