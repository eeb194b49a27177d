import { isPhpEmpty } from '../formatting/php-empty.js';
import { toTimestamp } from './is-timestamp.js';
import { strtotime } from './strtotime.js';
import { type DateDetails, toDateDetails } from './wall-clock.js';
import { UTC } from './zone.js';

/** The parts of a stored date in any form that PHP parses, else 1970-01-01; `now` is epoch seconds. */
export function storedDateDetails(text: string, now: number): DateDetails {
  return toDateDetails(strtotime(text, now, UTC) || 0);
}

/**
 * Wall seconds of a stored date in any form that PHP parses, or of a timestamp; undefined for an unreadable (R18) or zero
 * date. `now` is epoch seconds.
 */
export function storedWallSeconds(text: string | undefined, now: number): number | undefined {
  if (text === undefined || isPhpEmpty(text) || text.startsWith('0000-00-00')) return undefined;
  const seconds = toTimestamp(text) ?? strtotime(text, now, UTC);
  return seconds === false ? undefined : seconds;
}
