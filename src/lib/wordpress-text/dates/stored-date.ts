import { isPhpEmpty } from '../formatting/php-empty.js';
import { toTimestamp } from './is-timestamp.js';
import { strtotime } from './strtotime.js';
import { type DateDetails, toDateDetails } from './wall-clock.js';
import { UTC } from './zone.js';

/** The parts of a stored date in any spelling that PHP reads, 1970-01-01 for every other; `now` is epoch seconds. */
export function storedDateDetails(text: string, now: number): DateDetails {
  return toDateDetails(strtotime(text, now, UTC) || 0);
}

/**
 * Wall seconds of a stored date in any spelling that PHP reads, or of a timestamp, a zone named in it counted in;
 * undefined where nothing can be read (R18), a zero date included. `now` is epoch seconds.
 */
export function storedWallSeconds(text: string | undefined, now: number): number | undefined {
  if (text === undefined || isPhpEmpty(text) || text.startsWith('0000-00-00')) return undefined;
  const seconds = toTimestamp(text) ?? strtotime(text, now, UTC);
  return seconds === false ? undefined : seconds;
}
