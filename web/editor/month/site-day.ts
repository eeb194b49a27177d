import { isUtcOffset, shiftMinutes } from '../../../src/lib/wordpress-text/dates/zones.js';
import { wallClock } from '../checks.js';

/** The day of a time zone as sites store it, such as `UTC+5.5`, at an instant: `YYYY-MM-DD`. */
export function dayInZone(zone: string, instant: number): string {
  const clock = isUtcOffset(zone) ? '' : wallClock(zone, instant);
  return (clock || new Date(instant + shiftMinutes(zone) * 60_000).toISOString()).slice(0, 10);
}
