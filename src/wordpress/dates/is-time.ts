import { isNumeric } from '../formatting/php-number.js';
import { strtotime } from './strtotime.js';
import { UTC } from './zone.js';

/**
 * The rule for date parameters: any number, or a text that PHP's date parser takes for an instant other than the epoch
 * itself. `now` is epoch seconds.
 */
export function isTime(value: unknown, now: number): boolean {
  return isNumeric(value) || (typeof value === 'string' && Boolean(strtotime(value, now, UTC)));
}
