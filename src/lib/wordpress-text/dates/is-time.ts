import { isNumeric } from '../formatting/php-number.js';
import { strtotime } from './strtotime.js';
import { UTC } from './zone.js';

/**
 * Whether a value is a valid date parameter: a number, or a non-blank text that PHP's date parser reads as an instant
 * other than the epoch. `now` is epoch seconds.
 */
export function isTime(value: unknown, now: number): boolean {
  if (isNumeric(value)) return true;
  return typeof value === 'string' && /[^\s\0]/.test(value) && Boolean(strtotime(value, now, UTC));
}
