import { formatOffset } from '../wordpress-text/dates/wall-clock.js';
import { canonicalZone, findZone, isValidZone } from '../wordpress-text/dates/zones.js';
import { WINDOWS_ZONES } from './data/windows-zones.js';

/** IANA zones with daylight time whose names PHP reads as abbreviations without it. */
const SHADOWED: ReadonlyMap<string, string> = new Map([
  ['cet', 'Europe/Brussels'],
  ['met', 'Europe/Brussels'],
  ['eet', 'Europe/Athens'],
  ['wet', 'Europe/Lisbon'],
]);

/**
 * Resolves a `TZID` that the file does not define: an IANA name (also with a program's prefix), a Windows name or display
 * name, an offset, or an abbreviation; undefined for an unknown one. Unlike in the API, `UTC-11` is an offset, not a city.
 */
export function zoneOfId(id: string): string | undefined {
  const name = id.replace(/^"|"$/g, '').trim();
  const lower = name.toLowerCase();
  return (
    SHADOWED.get(lower) ??
    ianaZone(name) ??
    windowsZone(lower) ??
    offsetZone(name) ??
    prefixed(name) ??
    (isValidZone(name) ? canonicalZone(name) : undefined)
  );
}

/** Whether a zone is a geographic IANA zone. */
export function isPlace(zone: string): boolean {
  return findZone(zone)?.kind === 'iana' && !zone.startsWith('Etc/');
}

function ianaZone(name: string): string | undefined {
  const zone = findZone(name);
  return zone?.kind === 'iana' ? zone.name : undefined;
}

/** Resolves Windows names, also Outlook's `(UTC-05:00) Eastern Time (US & Canada)` and `Eastern Daylight Time`. */
function windowsZone(lower: string): string | undefined {
  const displayed = lower
    .replace(/^\((?:utc|gmt)[^()]*\)\s*/, '')
    .replace(/ (?:daylight|summer) time$/, ' standard time');
  const zone = WINDOWS_ZONES.get(lower) ?? WINDOWS_ZONES.get(displayed);
  return zone === undefined ? undefined : ianaZone(zone);
}

/** Resolves names with a program's prefix: `/example.org/2026a/Europe/Berlin`. */
function prefixed(name: string): string | undefined {
  const parts = name.split('/').filter(Boolean);
  return [3, 2, 1]
    .filter((count) => count < parts.length || name.startsWith('/'))
    .map((count) => ianaZone(parts.slice(-count).join('/')))
    .find((zone) => zone !== undefined);
}

const OFFSET = /^\(?(?:UTC|GMT)?\s*([+\u2212-])\s*(\d{1,2})(?:([:.]?)(\d\d)|\.(\d))?\)?$/i;
const HOUR = 3600;

/** Resolves `GMT+05:30`, `UTC+5.5`, `-0330`, `(GMT+01.00)` to an offset that the API accepts. */
function offsetZone(name: string): string | undefined {
  const match = OFFSET.exec(name);
  if (!match) return undefined;
  const [, sign, hours, separator, digits = '0', tenth] = match;
  // After a point stand minutes, or fractions of the hour as WordPress writes them.
  const isPart = separator === '.' && ['25', '50', '75'].includes(digits);
  const minutes = tenth === undefined ? (isPart ? Number(digits) * 0.6 : Number(digits)) : Number(tenth) * 6;
  const size = Number(hours) * HOUR + minutes * 60;
  const offset = formatOffset(sign === '+' ? size : -size);
  if (size === 0) return 'UTC';
  return minutes < 60 && isValidZone(offset) ? offset : undefined;
}
