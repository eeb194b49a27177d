import { buildDateObject } from './build-date-object.js';
import { strtotime } from './strtotime.js';
import { formatWallClock } from './wall-clock.js';
import { UTC } from './zone.js';

const DAY = 86400;
const YEAR_10000 = 253402300800;
const CUTOFF = /^(\d{1,2}):(\d\d)/;

/**
 * The start of the day of a date (`YYYY-MM-DD HH:MM:SS`): its day in UTC, at the option `multiDayCutoff` (`HH:MM`). What is
 * no date counts as 1970-01-01; `now` is epoch seconds.
 */
export function beginningOfDay(value: unknown, cutoff: string, now: number): string {
  return formatWallClock(dayOf(value, now) + cutoffSeconds(cutoff));
}

/** The last second of the same day: one second before the next day's cutoff. */
export function endOfDay(value: unknown, cutoff: string, now: number): string {
  return formatWallClock(dayOf(value, now) + DAY + cutoffSeconds(cutoff) - 1);
}

/** Epoch seconds that a date's day begins with. The day is written as text and read again, as recorded: past the year 9999 its digits are taken for a time. */
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
