import { toUtc } from './convert.js';
import { comparableDate, formatWallClock, parseWallClock } from './wall-clock.js';

// A plus that was not encoded arrives as a blank.
const INSTANT =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:\.\d{1,9})?)?(Z|[+\- ]([01]\d|2[0-3]):?([0-5]\d))?)?$/i;

/** No date that is stored is later: texts of longer years would sort before all of them. */
const LAST = '9999-12-31 23:59:59';

/**
 * An ISO 8601 date and time in UTC, `YYYY-MM-DD HH:MM:SS`, parts of a second dropped; one without an offset, or without a time, is
 * on the clock of the zone. Undefined for any other text, and for dates that there are not.
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
