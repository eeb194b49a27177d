/** A date and time of day without a zone; parts may overflow until they are normalised. */
export interface WallClock {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
}

/** The six zero-padded parts of a date, the members of `*_details`. */
export interface DateDetails {
  year: string;
  month: string;
  day: string;
  hour: string;
  minutes: string;
  seconds: string;
}

const PLAIN = /^(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d))?)?$/;
const DAY = 86400;
/** The Gregorian calendar repeats after 400 years; JavaScript's dates end in the year 275760. */
const CYCLE_YEARS = 400;
const CYCLE_DAYS = 146097;
/** Before this `Date.toISOString` writes four-digit years. */
const YEAR_10000 = 253402300800;

/** Days from 1970-01-01 in the Gregorian calendar; month and day may lie outside their range. */
export function daysFromCivil(year: number, month: number, day: number): number {
  const months = (year - 2000) * 12 + month - 1;
  const cycles = Math.floor(months / (CYCLE_YEARS * 12));
  const first = Date.UTC(2000, months - cycles * CYCLE_YEARS * 12) / (DAY * 1000);
  return first + cycles * CYCLE_DAYS + day - 1;
}

/** Wall seconds: the seconds since 1970-01-01 00:00:00 on the same clock, with overflowing parts carried over. */
export function toWallSeconds(wall: WallClock): number {
  const days = daysFromCivil(wall.year, wall.month, wall.day);
  return days * DAY + wall.hour * 3600 + wall.minute * 60 + wall.second;
}

/** The normalised parts of wall seconds, rounded down. */
export function fromWallSeconds(seconds: number): WallClock {
  const cycles = Math.floor(seconds / (CYCLE_DAYS * DAY));
  const date = new Date((Math.floor(seconds) - cycles * CYCLE_DAYS * DAY) * 1000);
  return {
    year: date.getUTCFullYear() + cycles * CYCLE_YEARS,
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
  };
}

/** The weekday of wall seconds, 0 for Sunday. */
export function weekdayOf(seconds: number): number {
  return (((Math.floor(seconds / DAY) + 4) % 7) + 7) % 7;
}

/** Wall seconds of `YYYY-MM-DD[ HH:MM[:SS]]` (also with `T`); undefined for other forms or a part out of range. */
export function parseWallClock(text: string): number | undefined {
  const match = PLAIN.exec(text);
  if (!match) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0));
  const valid = month <= 12 && day <= 31 && hour <= 24 && minute < 60 && second <= 60;
  return valid ? toWallSeconds({ year, month, day, hour, minute, second }) : undefined;
}

/** Wall seconds as `YYYY-MM-DD HH:MM:SS`, with a minus for years before 0. */
export function formatWallClock(seconds: number): string {
  if (seconds >= 0 && seconds < YEAR_10000) {
    const iso = new Date(Math.floor(seconds) * 1000).toISOString();
    return `${iso.slice(0, 10)} ${iso.slice(11, 19)}`;
  }
  const parts = toDateDetails(seconds);
  return `${parts.year}-${parts.month}-${parts.day} ${parts.hour}:${parts.minutes}:${parts.seconds}`;
}

/** Converts `YYYY-MM-DD HH:MM:SS` to `YYYYMMDDTHHMMSS`. */
export function compactDate(wall: string): string {
  return wall.replace(/[-:]/g, '').replace(' ', 'T');
}

/** A wall clock time for comparison with date columns: MariaDB reads years before 0 or after 9999 as the first date, MySQL 8 fails. */
export function comparableDate(wall: string): string {
  return /^\d{4}-/.test(wall) ? wall : '0000-01-01 00:00:00';
}

/** The parts of wall seconds, zero-padded. */
export function toDateDetails(seconds: number): DateDetails {
  const wall = fromWallSeconds(seconds);
  return {
    year: (wall.year < 0 ? '-' : '') + String(Math.abs(wall.year)).padStart(4, '0'),
    month: pad(wall.month),
    day: pad(wall.day),
    hour: pad(wall.hour),
    minutes: pad(wall.minute),
    seconds: pad(wall.second),
  };
}

/** Adds seconds to `YYYY-MM-DD HH:MM:SS`; other forms are returned unchanged. */
export function addSeconds(text: string, seconds: number): string {
  const wall = parseWallClock(text);
  return wall === undefined ? text : formatWallClock(wall + seconds);
}

/** Seconds from `start` to `end`, both `YYYY-MM-DD HH:MM:SS` on the same clock; 0 when one has another form. */
export function secondsBetween(start: string, end: string): number {
  const [from, to] = [parseWallClock(start), parseWallClock(end)];
  return from === undefined || to === undefined ? 0 : to - from;
}

/** Wall seconds with their UTC offset in seconds as ISO 8601: `2026-12-01T10:00:00+05:30`. */
export function formatIso(wallSeconds: number, offset: number): string {
  return formatWallClock(wallSeconds).replace(' ', 'T') + formatOffset(offset);
}

/** An offset in seconds as `+05:30`. */
export function formatOffset(offset: number): string {
  const minutes = Math.floor(Math.abs(offset) / 60);
  return `${offset < 0 ? '-' : '+'}${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}
