import { buildDateObject } from './build-date-object.js';
import { findZone } from './find-zone.js';
import { parseDateTime } from './strtotime.js';
import { guessZoneName, isUtcOffset, shiftMinutes } from './utc-offset.js';
import { formatWallClock, parseWallClock } from './wall-clock.js';
import { offsetAt, toEpoch, UTC } from './zone.js';
import { buildZone } from './zones.js';

/**
 * A wall clock of a zone in UTC, `YYYY-MM-DD HH:MM:SS`. `UTC±…` is plain arithmetic, an unknown zone counts as UTC; a text
 * that is no date comes back as it is. What is stored on write differs: see `toStoredUtc`.
 */
export function toUtc(wall: string, zoneText: string): string {
  if (isUtcOffset(zoneText)) return shift(wall, -shiftMinutes(zoneText));
  return move(wall, (seconds) => toEpoch(findZone(zoneText) ?? UTC, seconds));
}

/** The reverse of `toUtc`: a UTC time on the wall clock of a zone. */
export function fromUtc(utc: string, zoneText: string): string {
  if (isUtcOffset(zoneText)) return shift(utc, shiftMinutes(zoneText));
  return move(utc, (seconds) => seconds + offsetAt(findZone(zoneText) ?? UTC, seconds));
}

/**
 * The UTC time that a write stores for a wall clock (`YYYY-MM-DD HH:MM:SS`): like `toUtc`, but `UTC±…` goes by the rules
 * of the city guessed for it, summer time included.
 */
export function toStoredUtc(wall: string, zoneText: string): string {
  return move(wall, (seconds) => toEpoch(buildZone(zoneText), seconds));
}

/**
 * The instant of a given value (a text is read as UTC unless it says otherwise) on the wall clock of the site's zone;
 * false when the value is no date or the zone unknown. Here `UTC+0` means London, as recorded.
 */
export function localizeDate(value: unknown, zoneText: string, now: number): string | false {
  const date = buildDateObject(value, 'UTC', now);
  const zone = findZone(guessZoneName(zoneText));
  return date && zone ? formatWallClock(date.epoch + offsetAt(zone, date.epoch)) : false;
}

function shift(text: string, minutes: number): string {
  return minutes === 0 ? text : move(text, (seconds) => seconds + minutes * 60);
}

function move(text: string, by: (seconds: number) => number): string {
  const seconds = parseWallClock(text) ?? parseDateTime(text, 0, UTC)?.wall;
  return seconds === undefined ? text : formatWallClock(by(seconds));
}
