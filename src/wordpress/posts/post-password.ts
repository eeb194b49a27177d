import { hash, timingSafeEqual } from 'node:crypto';
import { isPhpEmpty } from '../../lib/wordpress-text/formatting/php-empty.js';

/** Whether a record has a password; "0" counts as empty in PHP. */
export function hasPassword({ password }: { password: string }): boolean {
  return !isPhpEmpty(password);
}

/** Compares a sent password with `post_password` in constant time. */
export function isPasswordRight(sent: string, stored: string): boolean {
  const digest = (text: string) => hash('sha256', text, 'buffer');
  return timingSafeEqual(digest(sent), digest(stored));
}
