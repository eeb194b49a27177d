import { buildDateObject, isTimestamp, parseDateTime, strtotime } from './strtotime.js';
import { comparableDate, formatIso, formatWallClock, parseWallClock } from './wall-clock.js';
import {
  buildZone,
  findZone,
  guessZoneName,
  isUtcOffset,
  offsetAt,
  shiftMinutes,
  toEpoch,
  UTC,
} from './zones.js';

/** Converts a wall clock time to UTC (invalid: unchanged), `UTC±…` by arithmetic; writes use `toStoredUtc`. */
export function toUtc(wall: string, zoneText: string): string {
  if (isUtcOffset(zoneText)) return shiftBy(wall, -shiftMinutes(zoneText));
  return mapSeconds(wall, (seconds) => toEpoch(findZone(zoneText) ?? UTC, seconds));
}

/** Converts a UTC time to the wall clock of a zone: the reverse of `toUtc`. */
export function fromUtc(utc: string, zoneText: string): string {
  if (isUtcOffset(zoneText)) return shiftBy(utc, shiftMinutes(zoneText));
  return mapSeconds(utc, (seconds) => seconds + offsetAt(findZone(zoneText) ?? UTC, seconds));
}

/** The UTC time to store: like `toUtc`, but `UTC±…` follows the city that PHP guesses for it. */
export function toStoredUtc(wall: string, zoneText: string): string {
  return mapSeconds(wall, (seconds) => toEpoch(buildZone(zoneText), seconds));
}

/** A date parameter, in UTC by default, on the site's clock, or false; `UTC+0` is London, as recorded. */
export function localizeDate(value: unknown, zoneText: string, now: number): string | false {
  const date = buildDateObject(value, 'UTC', now);
  const zone = findZone(guessZoneName(zoneText));
  return date && zone ? formatWallClock(date.epoch + offsetAt(zone, date.epoch)) : false;
}

function shiftBy(text: string, minutes: number): string {
  return minutes === 0 ? text : mapSeconds(text, (seconds) => seconds + minutes * 60);
}

function mapSeconds(text: string, convert: (seconds: number) => number): string {
  const seconds = parseWallClock(text) ?? parseDateTime(text, 0, UTC)?.wall;
  return seconds === undefined ? text : formatWallClock(convert(seconds));
}

/** A date text as the wall clock of a zone, in which it is read unless it names its own; undefined if unreadable. */
export function wallClockIn(text: string, zoneText: string, now: number): string | undefined {
  const fixed = { kind: 'offset', name: zoneText, offset: shiftMinutes(zoneText) * 60 } as const;
  const zone = isUtcOffset(zoneText) ? fixed : (findZone(zoneText) ?? UTC);
  const date = parseDateTime(isTimestamp(text) ? `@${Number(text)}` : text, now, zone);
  return date && formatWallClock(date.epoch + offsetAt(zone, date.epoch));
}

/** A stored wall clock of a zone as ISO 8601 with its offset; undefined for zero dates and texts of other forms. */
export function isoDate(wall: string, zoneText: string): string | undefined {
  const seconds = wall.startsWith('0000') ? undefined : parseWallClock(wall);
  return seconds === undefined ? undefined : isoWithUtc(seconds, parseWallClock(toUtc(wall, zoneText)));
}

const DAY = 86400;

/** Wall seconds as ISO 8601 with the offset to their UTC time, or in UTC where ISO 8601 cannot express the offset. */
export function isoWithUtc(wall: number, utc = wall): string {
  const offset = wall - utc;
  // Stored times may contradict each other: whole minutes, less than a day.
  const canExpress = Math.abs(offset) < DAY && offset % 60 === 0;
  return canExpress ? formatIso(wall, offset) : isoUtc(utc);
}

/** UTC seconds as ISO 8601. */
export const isoUtc = (utc: number): string => `${formatWallClock(utc).replace(' ', 'T')}Z`;

// An unencoded plus in a query arrives as a space.
const INSTANT =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:\.\d{1,9})?)?(Z|[+\- ]([01]\d|2[0-3]):?([0-5]\d))?)?$/i;

/** The latest storable date; five-digit years would sort before it. */
const LAST = '9999-12-31 23:59:59';

/** Converts an ISO 8601 date or date-time, by default in `zone`, to UTC; undefined for invalid ones. */
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

const YEAR_10000 = 253402300800;
const CUTOFF = /^(\d{1,2}):(\d\d)/;

/** The start of a date's UTC day (invalid: 1970-01-01), at the cutoff `HH:MM`; `now` is epoch seconds. */
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
