import { ZONE_GROUPS } from './data/zone-names.js';
import { formatOffset } from './wall-clock.js';
import { ianaOffset } from './zone-offsets.js';

/** A time zone of one of PHP's three kinds: an IANA name with rules, an abbreviation, or a plain offset. */
export interface Zone {
  kind: 'iana' | 'abbreviation' | 'offset';
  /** PHP's name: `Europe/Paris`, `EST`, `+02:00`. */
  name: string;
  /** Seconds ahead of UTC of an abbreviation or an offset; unused for an IANA name. */
  offset: number;
}

/** The zone that PHP runs in. */
export const UTC: Zone = { kind: 'iana', name: 'UTC', offset: 0 };

export const TIMESTAMP_ZONE: Zone = { kind: 'offset', name: '+00:00', offset: 0 };

const THREE_HOURS = 10800;

/** Seconds that the zone is ahead of UTC at an epoch second; 0 for an IANA name unknown to the runtime. */
export function offsetAt(zone: Zone, epoch: number): number {
  if (zone.kind !== 'iana' || zone.name === 'UTC') return zone.offset;
  return ianaOffset(zone.name, epoch) ?? 0;
}

/**
 * Epoch seconds of wall seconds in a zone. A time in a gap moves forward by the gap. Of an ambiguous time PHP takes the
 * second east of Greenwich and the first west of it, as recorded: it takes the offset at the wall time read as UTC, and
 * only where that does not hold the offset before the transition.
 */
export function toEpoch(zone: Zone, wall: number): number {
  const guess = offsetAt(zone, wall);
  const actual = offsetAt(zone, wall - guess);
  if (guess === actual) return wall - guess;
  // West of Greenwich the guess is the offset before the transition: it stays for times inside a gap.
  const inGap = offsetAt(zone, wall - actual) !== actual && actual > guess;
  return wall - (inGap ? guess : actual);
}

/** Like `toEpoch`, but always the first of two occurrences: PHP's rule for a zone inside a date text. */
export function toFirstEpoch(zone: Zone, wall: number): number {
  const epoch = toEpoch(zone, wall);
  const earlier = wall - offsetAt(zone, epoch - THREE_HOURS);
  return earlier < epoch && earlier + offsetAt(zone, earlier) === wall ? earlier : epoch;
}

const UTC_HOURS = /^UTC([+-])(\d{1,2})(?:\.(\d+)|:([0-5]\d))?$/;
const CLOCK_OFFSET = /^([+-])(\d\d):([0-5]\d)$/;
const GMT_OFFSET = /^GMT([+-])(\d{1,2})(?::?([0-5]\d))?$/i;

/** The site's zone as the plugin stores it: `timezone_string`, else `UTC±gmt_offset`, else `UTC`. */
export function siteZone(options: { timezoneString: string; gmtOffset: string | number }): string {
  const offset = String(options.gmtOffset).trim();
  if (options.timezoneString !== '') return options.timezoneString;
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

/** PHP's zone abbreviations with their hours ahead of UTC; of ambiguous ones (IST, CST) PHP's choice. */
const ABBREVIATION_HOURS = `
  A 1, ACDT 10.5, ACST 9.5, ADT -3, AEDT 11, AEST 10, AKDT -8, AKST -9, AST -4, AWST 8, B 2, BST 1,
  C 3, CAT 2, CDT -5, CEST 2, CET 1, CHST 10, CST -6, D 4, E 5, EAT 3, EDT -4, EEST 3, EET 2, EST -5,
  F 6, G 7, GMT 0, H 8, HDT -9, HKT 8, HST -10, I 9, IDT 3, IST 2, JST 9, K 10, KST 9, L 11, M 12,
  MDT -6, MEST 2, MET 1, MSD 4, MSK 3, MST -7, N -1, NDT -2.5, NST -3.5, NZDT 13, NZST 12, O -2, P -3,
  PDT -7, PKT 5, PST -8, Q -4, R -5, S -6, SAST 2, SST -11, T -7, U -8, UTC 0, V -9, W -10, WAT 1,
  WEST 1, WET 0, WIB 7, WIT 9, WITA 8, X -11, Y -12, Z 0`;

const CORRECTION = /^(?:GMT)?([+-])(\d{1,2}?)(?::?([0-5]\d)(?::?([0-5]\d))?|:(\d))?$/i;

/** Zones by lower-case name and by canonical spelling (the fast path). */
const zones = new Map<string, Zone>();
for (const [, names] of ZONE_GROUPS) addZoneNames(names);
// As in PHP an abbreviation wins over the IANA name of the same letters: `EST`, `CET` have no summer time.
for (const entry of ABBREVIATION_HOURS.split(',')) {
  const [name = '', hours] = entry.trim().split(' ');
  addZone({ kind: 'abbreviation', name, offset: Number(hours) * 3600 });
}
addZone(UTC);

/** Finds a zone as PHP's `DateTimeZone` does, ignoring case; undefined where PHP throws. */
export function findZone(text: string): Zone | undefined {
  return zones.get(text) ?? zones.get(text.toLowerCase()) ?? findOffset(text);
}

/** Adds IANA names from newer time zone data; known names stay unchanged. */
export function addZoneNames(names: readonly string[]): void {
  for (const name of names) if (!zones.has(name.toLowerCase())) addZone({ kind: 'iana', name, offset: 0 });
}

function addZone(zone: Zone): void {
  zones.set(zone.name, zone);
  zones.set(zone.name.toLowerCase(), zone);
}

/** Parses an offset such as `+02:00`, `-0530`, `+2`, `GMT+2`; undefined for other forms. */
export function findOffset(text: string): Zone | undefined {
  const match = CORRECTION.exec(text);
  if (!match) return undefined;
  const [, sign, hours, minutes, seconds = 0, minute = 0] = match;
  const size = Number(hours) * 3600 + Number(minutes ?? minute) * 60 + Number(seconds);
  const offset = sign === '-' ? -size : size;
  return { kind: 'offset', name: formatOffset(offset), offset };
}

/** Offsets from UTC in hours with the zone that PHP guesses for them, as recorded (timezone_strings). */
const CITIES = `
  -11 Pacific/Apia, -10.5 Pacific/Honolulu, -10 Pacific/Honolulu, -9 America/Anchorage, -8 America/Los_Angeles,
  -7 America/Denver, -6 America/Chicago, -5 America/New_York, -4.5 America/Caracas, -4 America/Halifax,
  -3.5 America/St_Johns, -3 America/Sao_Paulo, -1 Atlantic/Azores, 0 Europe/London, 1 Europe/Paris,
  1.5 Africa/Johannesburg, 2 Europe/Helsinki, 3 Europe/Moscow, 4 Asia/Dubai, 5 Asia/Karachi, 5.5 Asia/Kolkata,
  5.75 Asia/Katmandu, 7 Asia/Krasnoyarsk, 8 Asia/Shanghai, 8.5 Asia/Hong_Kong, 9 Asia/Tokyo,
  9.5 Australia/Adelaide, 10 Australia/Melbourne, 11.5 Pacific/Auckland, 12 Pacific/Auckland`;

/** The zone that stands for an offset from UTC in hours; any other offset is UTC. */
const UTC_OFFSET_CITIES: ReadonlyMap<number, string> = new Map(
  CITIES.trim()
    .split(/,\s+/)
    .map((entry) => {
      const [hours, city = ''] = entry.split(' ');
      return [Number(hours), city];
    }),
);

const HOURS = /^\s*(?:([+-]?\d+):(\d+)|([+-]?(?:\d+\.?\d*|\.\d+)))$/;
const FIXED = /^UTC([+-])(\d[\d.]{0,3})$/;

/** Whether a zone text is a manual offset of WordPress (`UTC+5.5`, `UTC-3:30`): `UTC` with anything after it. */
export function isUtcOffset(text: string): boolean {
  const trimmed = text.trim();
  return trimmed.startsWith('UTC') && trimmed.length > 3;
}

/** The city that the plugin guesses for `UTC±H[.f]` or `UTC±H:MM` (minutes are added), as recorded. */
export function guessZoneName(text: string): string {
  if (!isUtcOffset(text)) return text;
  const [, whole, minutes = 0, number] = HOURS.exec(text.trim().slice(3)) ?? [];
  return UTC_OFFSET_CITIES.get(Number(whole ?? number) + Number(minutes) / 60) ?? 'UTC';
}

/** Seconds of `UTC±H[.f]` in JSON-LD (at most 4 characters after the sign, below 100 hours); else undefined. */
export function fixedUtcOffset(text: string): number | undefined {
  const match = FIXED.exec(text);
  const hours = Number(match?.[2]);
  if (!match || Number.isNaN(hours) || hours >= 100) return undefined;
  const minutes = Math.floor(hours * 60 + 1e-9);
  return (match[1] === '-' ? -minutes : minutes) * 60;
}

/** Minutes that `UTC±H[.f]` or `UTC±H:MM` shifts a clock; 0 below a whole hour, as recorded. */
export function shiftMinutes(text: string): number {
  const match = /^\s*UTC\s*([+-]?)(\d+)(?:\.(\d*)|:(\d+))?/.exec(text);
  const hours = Number(match?.[2] ?? 0);
  if (!match || hours === 0) return 0;
  const minutes = match[4] === undefined ? Number(`0.${match[3] ?? ''}0`) * 60 : Number(match[4]);
  const size = Math.round(hours * 60 + minutes);
  return match[1] === '-' ? -size : size;
}
