import { toUtc } from './convert.js';
import { comparableDate, formatWallClock, parseWallClock } from './wall-clock.js';

// An unencoded plus in a query arrives as a space.
const INSTANT =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:\.\d{1,9})?)?(Z|[+\- ]([01]\d|2[0-3]):?([0-5]\d))?)?$/i;

/** The latest storable date; five-digit years would sort before it. */
const LAST = '9999-12-31 23:59:59';

/**
 * Converts an ISO 8601 date or date-time to UTC, `YYYY-MM-DD HH:MM:SS`, without fractions; without an offset it is in
 * `zone`. Undefined for other forms and for dates that do not exist.
 */
export function instantText(text: string, zone: string): string | undefined {
  const match = INSTANT.exec(text);
  if (!match) return undefined;
  const [, day, time = '00:00', second = '00', offset, hours, minutes] = match;
  const wall = `${day} ${time}:${second}`;
  const seconds = parseWallClock(wall);
  if (seconds === undefined || formatWallClock(seconds) !== wall) return undefined;
  const ahead = hours === undefined ? 0 : (Number(hours) * 60 + Number(minutes)) * 60;
  const utc =
    offset === undefined
      ? toUtc(wall, zone)
      : formatWallClock(seconds - (offset.startsWith('-') ? -ahead : ahead));
  return /^\d{5}/.test(utc) ? LAST : comparableDate(utc);
}
