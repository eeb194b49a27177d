import { ABBREVIATION_HOURS } from './data/abbreviation-offsets.js';
import { ZONE_GROUPS } from './data/zone-names.js';
import { formatOffset } from './wall-clock.js';
import { UTC, type Zone } from './zone.js';

const CORRECTION = /^(?:GMT)?([+-])(\d{1,2}?)(?::?([0-5]\d)(?::?([0-5]\d))?|:(\d))?$/i;

/** Zones by lower-case name and by canonical spelling (the fast path). */
const zones = new Map<string, Zone>();
for (const [, list] of ZONE_GROUPS) {
  for (const name of list.split(/\s+/)) addZone({ kind: 'iana', name, offset: 0 });
}
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
