import { buildDateObject } from './build-date-object.js';
import { strtotime } from './strtotime.js';
import { formatWallClock } from './wall-clock.js';
import { UTC } from './zone.js';

const DAY = 86400;
const YEAR_10000 = 253402300800;
const CUTOFF = /^(\d{1,2}):(\d\d)/;

/**
 * The start of a date's UTC day, at the option `multiDayCutoff` (`HH:MM`), as `YYYY-MM-DD HH:MM:SS`. An invalid date
 * counts as 1970-01-01; `now` is epoch seconds.
 */
export function beginningOfDay(value: unknown, cutoff: string, now: number): string {
  return formatWallClock(dayOf(value, now) + cutoffSeconds(cutoff));
}

/** The end of a date's UTC day: one second before the cutoff of the next day. */
export function endOfDay(value: unknown, cutoff: string, now: number): string {
  return formatWallClock(dayOf(value, now) + DAY + cutoffSeconds(cutoff) - 1);
}

/** Epoch seconds of the start of a date's day. Past the year 9999 PHP misreads the formatted day as a time, as recorded. */
function dayOf(value: unknown, now: number): number {
  const epoch = buildDateObject(value, 'UTC', now)?.epoch ?? 0;
  const day = Math.floor(epoch / DAY) * DAY;
  if (day < YEAR_10000) return day;
  return strtotime(formatWallClock(day).replace(/ .*/, ''), now, UTC) || 0;
}

function cutoffSeconds(cutoff: string): number {
  const match = CUTOFF.exec(cutoff);
  return match ? Number(match[1]) * 3600 + Number(match[2]) * 60 : 0;
}
