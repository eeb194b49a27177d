import { findZone } from '../wordpress-text/dates/find-zone.js';
import { formatOffset } from '../wordpress-text/dates/wall-clock.js';
import { canonicalZone, isValidZone } from '../wordpress-text/dates/zones.js';
import { WINDOWS_ZONES } from './data/windows-zones.js';

/** Zones of the IANA database with summer time whose names PHP takes for abbreviations without one. */
const SHADOWED: ReadonlyMap<string, string> = new Map([
  ['cet', 'Europe/Brussels'],
  ['met', 'Europe/Brussels'],
  ['eet', 'Europe/Athens'],
  ['wet', 'Europe/Lisbon'],
]);

/**
 * The zone that a `TZID` means where the file does not describe it: an IANA name, also behind a program's own prefix, a name of
 * Windows in any case, also as it is displayed, an offset, or an abbreviation. Undefined for an unknown name. Offsets are not
 * read as the interface reads them, which takes `UTC-11` for a city.
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

/** Whether a zone is that of a place, by the IANA database. */
export function isPlace(zone: string): boolean {
  return findZone(zone)?.kind === 'iana' && !zone.startsWith('Etc/');
}

function ianaZone(name: string): string | undefined {
  const zone = findZone(name);
  return zone?.kind === 'iana' ? zone.name : undefined;
}

/** Also as Outlook shows it, `(UTC-05:00) Eastern Time (US & Canada)`, and for the summer, `Eastern Daylight Time`. */
function windowsZone(lower: string): string | undefined {
  const displayed = lower
    .replace(/^\((?:utc|gmt)[^()]*\)\s*/, '')
    .replace(/ (?:daylight|summer) time$/, ' standard time');
  const zone = WINDOWS_ZONES.get(lower) ?? WINDOWS_ZONES.get(displayed);
  return zone === undefined ? undefined : ianaZone(zone);
}

/** `/example.org/2026a/Europe/Berlin`: some programs put a name of their own before it. */
function prefixed(name: string): string | undefined {
  const parts = name.split('/').filter(Boolean);
  return [3, 2, 1]
    .filter((count) => count < parts.length || name.startsWith('/'))
    .map((count) => ianaZone(parts.slice(-count).join('/')))
    .find((zone) => zone !== undefined);
}

const OFFSET = /^\(?(?:UTC|GMT)?\s*([+\u2212-])\s*(\d{1,2})(?:([:.]?)(\d\d)|\.(\d))?\)?$/i;
const HOUR = 3600;

/** `GMT+05:30`, `UTC+5.5`, `-0330`, `(GMT+01.00)`: seconds ahead of UTC, as the interface takes them. */
function offsetZone(name: string): string | undefined {
  const match = OFFSET.exec(name);
  if (!match) return undefined;
  const [, sign, hours, separator, digits = '0', tenth] = match;
  // Behind a point stand minutes, or a part of the hour that can be no minutes or is written so by WordPress.
  const isPart = separator === '.' && ['25', '50', '75'].includes(digits);
  const minutes = tenth === undefined ? (isPart ? Number(digits) * 0.6 : Number(digits)) : Number(tenth) * 6;
  const size = Number(hours) * HOUR + minutes * 60;
  const offset = formatOffset(sign === '+' ? size : -size);
  if (size === 0) return 'UTC';
  return minutes < 60 && isValidZone(offset) ? offset : undefined;
}
