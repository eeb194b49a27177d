import { buildDateObject } from './build-date-object.js';
import { findZone } from './find-zone.js';
import { parseDateTime } from './strtotime.js';
import { guessZoneName, isUtcOffset, shiftMinutes } from './utc-offset.js';
import { formatWallClock, parseWallClock } from './wall-clock.js';
import { offsetAt, toEpoch, UTC } from './zone.js';
import { buildZone } from './zones.js';

/**
 * Converts a wall clock time of a zone to UTC, `YYYY-MM-DD HH:MM:SS`. `UTC±…` is plain arithmetic, an unknown zone counts
 * as UTC, an invalid date is returned unchanged. Writes use `toStoredUtc` instead.
 */
export function toUtc(wall: string, zoneText: string): string {
  if (isUtcOffset(zoneText)) return shiftBy(wall, -shiftMinutes(zoneText));
  return mapSeconds(wall, (seconds) => toEpoch(findZone(zoneText) ?? UTC, seconds));
}

/** Converts a UTC time to the wall clock of a zone: the reverse of `toUtc`. */
export function fromUtc(utc: string, zoneText: string): string {
  if (isUtcOffset(zoneText)) return shiftBy(utc, shiftMinutes(zoneText));
  return mapSeconds(utc, (seconds) => seconds + offsetAt(findZone(zoneText) ?? UTC, seconds));
}

/**
 * The UTC time stored on write for a wall clock time (`YYYY-MM-DD HH:MM:SS`): like `toUtc`, but `UTC±…` follows the rules
 * of the city that PHP guesses for it, summer time included.
 */
export function toStoredUtc(wall: string, zoneText: string): string {
  return mapSeconds(wall, (seconds) => toEpoch(buildZone(zoneText), seconds));
}

/**
 * A date parameter (in UTC unless it names a zone) on the wall clock of the site's zone; false for an invalid date or an
 * unknown zone. `UTC+0` means London here, as recorded.
 */
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
