import type ICAL from 'ical.js';
import { formatWallClock, parseWallClock } from '../wordpress-text/dates/wall-clock.js';
import { buildZone, offsetAt, toFirstEpoch } from '../wordpress-text/dates/zones.js';

/** The wall clock time of an ical.js value, `YYYY-MM-DD HH:MM:SS`. */
export function wallOf({ year, month, day, hour, minute, second }: ICAL.Time): string {
  const two = (part: number) => String(part).padStart(2, '0');
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)}:${two(second)}`;
}

/** The wall clock time of a zone at an epoch second. */
export function wallAt(epoch: number, zone: string): string {
  return formatWallClock(epoch + offsetAt(buildZone(zone), epoch));
}

/** The epoch second of a zone's wall clock time; of two the first. */
export function epochOf(wall: string, zone: string): number {
  return toFirstEpoch(buildZone(zone), parseWallClock(wall) ?? 0);
}
