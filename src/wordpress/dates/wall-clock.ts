/** A date and time of day without a zone; parts may overflow until they are normalised. */
export interface WallClock {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
}

/** The six zero-padded parts of a date as `*_details` members show them. */
export interface DateDetails {
  year: string;
  month: string;
  day: string;
  hour: string;
  minutes: string;
  seconds: string;
}

const PLAIN = /^\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d)?)?$/;
const DAY = 86400;

/** Days from 1970-01-01 in the Gregorian calendar; month and day may lie outside their range. */
export function daysFromCivil(year: number, month: number, day: number): number {
  const months = year * 12 + month - 1;
  // Counting years from March puts the leap day last, which makes month lengths a linear formula.
  const shifted = months - 2;
  const y = Math.floor(shifted / 12);
  const m = shifted - y * 12;
  const leaps = Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400);
  return y * 365 + leaps + Math.floor((153 * m + 2) / 5) + day - 719469;
}

/** Wall seconds: the seconds from 1970-01-01 00:00:00 on the same clock, overflowing parts carried over. */
export function toWallSeconds(wall: WallClock): number {
  const days = daysFromCivil(wall.year, wall.month, wall.day);
  return days * DAY + wall.hour * 3600 + wall.minute * 60 + wall.second;
}

/** The normalised parts of wall seconds (fractions are dropped downwards). */
export function fromWallSeconds(seconds: number): WallClock {
  const days = Math.floor(seconds / DAY);
  const rest = Math.floor(seconds) - days * DAY;
  const shifted = days + 719468;
  const era = Math.floor(shifted / 146097);
  const dayOfEra = shifted - era * 146097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36524) - Math.floor(dayOfEra / 146096)) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const m = Math.floor((5 * dayOfYear + 2) / 153);
  const month = m < 10 ? m + 3 : m - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * m + 2) / 5) + 1,
    hour: Math.floor(rest / 3600),
    minute: Math.floor(rest / 60) % 60,
    second: rest % 60,
  };
}

/** The weekday of wall seconds, 0 for Sunday. */
export function weekdayOf(seconds: number): number {
  const day = (Math.floor(seconds / DAY) + 4) % 7;
  return day < 0 ? day + 7 : day;
}

/** Wall seconds of `YYYY-MM-DD[ HH:MM[:SS]]` (also with `T`); undefined for another form or a part out of range. */
export function parseWallClock(text: string): number | undefined {
  if (!PLAIN.test(text)) return undefined;
  const wall = {
    year: Number(text.slice(0, 4)),
    month: Number(text.slice(5, 7)),
    day: Number(text.slice(8, 10)),
    hour: Number(text.slice(11, 13)),
    minute: Number(text.slice(14, 16)),
    second: Number(text.slice(17, 19)),
  };
  const valid =
    wall.month <= 12 && wall.day <= 31 && wall.hour <= 24 && wall.minute < 60 && wall.second <= 60;
  return valid ? toWallSeconds(wall) : undefined;
}

/** Wall seconds as `YYYY-MM-DD HH:MM:SS`, with a minus before years before 0. */
export function formatWallClock(seconds: number): string {
  const parts = toDateDetails(seconds);
  return `${parts.year}-${parts.month}-${parts.day} ${parts.hour}:${parts.minutes}:${parts.seconds}`;
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

/** `YYYY-MM-DD HH:MM:SS` moved by so many seconds; a text of another form comes back unchanged. */
export function addSeconds(text: string, seconds: number): string {
  const wall = parseWallClock(text);
  return wall === undefined ? text : formatWallClock(wall + seconds);
}

/** Seconds from `start` to `end`, both `YYYY-MM-DD HH:MM:SS` on the same clock; 0 when one is not of that form. */
export function secondsBetween(start: string, end: string): number {
  const [from, to] = [parseWallClock(start), parseWallClock(end)];
  return from === undefined || to === undefined ? 0 : to - from;
}

/** Wall seconds and their offset from UTC in seconds as ISO 8601: `2026-12-01T10:00:00+05:30`. */
export function formatIso(wallSeconds: number, offset: number): string {
  return formatWallClock(wallSeconds).replace(' ', 'T') + formatOffset(offset);
}

/** An offset in seconds as `+05:30`. */
export function formatOffset(offset: number): string {
  const minutes = Math.floor(Math.abs(offset) / 60);
  return `${offset < 0 ? '-' : '+'}${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;
}

function pad(value: number): string {
  return value < 10 ? `0${value}` : `${value}`;
}
