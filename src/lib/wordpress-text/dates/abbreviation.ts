import { NUMERIC_NAME_SUBSTITUTES, ZONE_GROUPS } from './data/zone-names.js';
import { parseDateTime } from './strtotime.js';
import { formatOffset } from './wall-clock.js';
import { currentZones } from './zone-offsets.js';
import { findZone, isUtcOffset, type Zone } from './zones.js';

const namesByZone = byZone(
  ZONE_GROUPS,
  (list) =>
    new Map([...list.matchAll(/(-?\d+) (\w+)/g)].map(([, offset, name = '']) => [Number(offset), name])),
);
const substitutes = byZone(NUMERIC_NAME_SUBSTITUTES, (name) => name);

/** A zone's abbreviation at a wall clock time (`CEST`, `-03`); empty for `UTC±…` and invalid input. */
export function abbreviationAt(wall: string, zoneText: string): string {
  const zone = isUtcOffset(zoneText) ? undefined : findZone(zoneText);
  const date = zone && parseDateTime(wall, 0, zone);
  return date ? nameAt(date.zone, date.offset, date.epoch) : '';
}

/** The abbreviation stored on write: `UTC±…` unchanged, a plain offset as `GMT+0200`. */
export function storedAbbreviation(wall: string, zoneText: string): string {
  if (isUtcOffset(zoneText)) return zoneText;
  const name = abbreviationAt(wall, zoneText);
  return name.includes(':') ? `GMT${name.replace(':', '')}` : name;
}

/** PHP's name of a zone at an epoch second, while it is `offset` seconds ahead of UTC. */
export function nameAt(zone: Zone, offset: number, epoch: number): string {
  if (zone.kind !== 'iana') return zone.name;
  const own = currentZones().periodAt(zone.name, epoch)?.name ?? '';
  if (/^[A-Z]/i.test(own)) return own;
  const name = namesByZone.get(zone.name)?.get(offset);
  return name ?? substitutes.get(zone.name) ?? formatOffset(offset).replace(':', '').replace(/00$/, '');
}

function byZone<T>(groups: typeof ZONE_GROUPS, read: (names: string) => T): ReadonlyMap<string, T> {
  return new Map(
    groups.flatMap(([names, zones]) => {
      const value = read(names);
      return zones.map((zone): [string, T] => [zone, value]);
    }),
  );
}
