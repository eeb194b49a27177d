import { hash, timingSafeEqual } from 'node:crypto';

/** Compares a sent password with `post_password`, in a time that does not depend on where they differ. */
export function isPasswordRight(sent: string, stored: string): boolean {
  const digest = (text: string) => hash('sha256', text, 'buffer');
  return timingSafeEqual(digest(sent), digest(stored));
}
