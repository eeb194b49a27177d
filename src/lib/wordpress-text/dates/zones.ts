import { findZone } from './find-zone.js';
import { guessZoneName, isUtcOffset } from './utc-offset.js';
import { UTC, type Zone } from './zone.js';

/** The two options that name a site's zone. */
export interface SiteZoneOptions {
  /** Option `timezone_string`, empty when the site uses an offset. */
  timezoneString: string;
  /** Option `gmt_offset`, hours. */
  gmtOffset: string | number;
}

const UTC_HOURS = /^UTC([+-])(\d{1,2})(?:\.(\d+)|:([0-5]\d))?$/;
const CLOCK_OFFSET = /^([+-])(\d\d):([0-5]\d)$/;
const GMT_OFFSET = /^GMT([+-])(\d{1,2})(?::?([0-5]\d))?$/i;

/** The site's zone as the plugin stores it: `timezone_string`, else `UTC±gmt_offset`, else `UTC`. */
export function siteZone({ timezoneString, gmtOffset }: SiteZoneOptions): string {
  const offset = String(gmtOffset).trim();
  if (timezoneString !== '') return timezoneString;
  if (offset === '' || Number.isNaN(Number(offset))) return 'UTC';
  return /^[+-]/.test(offset) ? `UTC${offset}` : `UTC+${offset}`;
}

/** The zone in which wall clock times of a zone text are read: manual offsets become a city, unknown texts UTC. */
export function buildZone(text: string): Zone {
  // Only here `UTC+0` is plain UTC; `localizeDate` reads it as London, as recorded.
  const name = isUtcOffset(text) ? guessZoneName(text.replace(/[+-]0$/, '')) : text;
  return findZone(name) ?? UTC;
}

/** Whether a write accepts this zone (W13): IANA names, known abbreviations, offsets from -12 to +14 hours. */
export function isValidZone(text: string): boolean {
  const hours = UTC_HOURS.exec(text);
  if (hours) {
    const [, sign, whole, fraction = '', minutes = 0] = hours;
    return inRange(sign, Number(whole) + Number(`0.${fraction}0`) + Number(minutes) / 60);
  }
  const clock = CLOCK_OFFSET.exec(text) ?? GMT_OFFSET.exec(text);
  if (clock) return inRange(clock[1], Number(clock[2]) + Number(clock[3] ?? 0) / 60);
  const zone = findZone(text);
  return zone !== undefined && zone.kind !== 'offset';
}

/** The canonical spelling of a zone, `Europe/Berlin` for `europe/berlin` (W13); offsets are returned unchanged. */
export function canonicalZone(text: string): string {
  const zone = findZone(text);
  return zone && zone.kind !== 'offset' ? zone.name : text;
}

function inRange(sign: string | undefined, hours: number): boolean {
  return hours <= (sign === '-' ? 12 : 14);
}
