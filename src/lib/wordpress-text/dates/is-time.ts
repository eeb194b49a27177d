import { isNumeric } from '../formatting/php-number.js';
import { strtotime } from './strtotime.js';
import { UTC } from './zone.js';

/**
 * The rule for date parameters: any number, or a text that PHP's date parser takes for an instant other than the epoch
 * itself; blanks alone are none. `now` is epoch seconds.
 */
export function isTime(value: unknown, now: number): boolean {
  if (isNumeric(value)) return true;
  return typeof value === 'string' && /[^\s\0]/.test(value) && Boolean(strtotime(value, now, UTC));
}
