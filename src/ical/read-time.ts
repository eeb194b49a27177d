import ICAL from 'ical.js';
import { formatWallClock, parseWallClock } from '../wordpress/dates/wall-clock.js';
import { offsetAt, toFirstEpoch } from '../wordpress/dates/zone.js';
import { buildZone, canonicalZone, isValidZone } from '../wordpress/dates/zones.js';
import { WINDOWS_ZONES } from './data/windows-zones.js';
import { isDay } from './whole-days.js';

/** A time as a calendar file says it: a day, or the clock of a zone. */
export type ReadTime = { day: string } | { wall: string; zone: string };

/** Which zones a file's times are in. */
export interface FileZones {
  /** Of times that name none. */
  local: string;
  /** By their `TZID`: what the file itself says of them. */
  described: ReadonlyMap<string, ICAL.Timezone>;
}

/** A time, or what goes with it, can not be read. */
export class Unreadable extends Error {}

/** The zone as the calendar names it that a `TZID` means; undefined for a name that nobody knows. */
export function zoneOfId(id: string): string | undefined {
  const name = id.replace(/^"|"$/g, '').trim();
  const parts = name.split('/').filter(Boolean);
  const known = Object.hasOwn(WINDOWS_ZONES, name) ? WINDOWS_ZONES[name] : undefined;
  // Some programs put their own name before it: /example.org/2026a/Europe/Berlin.
  const candidates = [name, known, parts.slice(-3).join('/'), parts.slice(-2).join('/')];
  const found = candidates.find((one) => one !== undefined && one !== '' && isValidZone(one));
  return found === undefined ? undefined : canonicalZone(found);
}

/** The value of a date property, or of an occurrence made of it. Throws `Unreadable` for a zone that nobody knows. */
export function readTime(
  property: ICAL.Property,
  zones: FileZones,
  value: unknown = property.getFirstValue(),
): ReadTime {
  if (!(value instanceof ICAL.Time) || !isRead(property)) throw noDate(property);
  const wall = wallOf(value);
  if (parseWallClock(wall) === undefined || value.year < 1) throw noDate(property);
  if (value.isDate) return { day: wall.slice(0, 10) };
  if (value.zone === ICAL.Timezone.utcTimezone) return { wall, zone: 'UTC' };
  const id = property.getFirstParameter('tzid');
  if (!id) return { wall, zone: zones.local };
  const zone = zoneOfId(id);
  if (zone !== undefined) return { wall, zone };
  const described = zones.described.get(id);
  if (!described)
    throw new Unreadable(`the time zone "${id}" is not known, and the file does not describe it`);
  const there = value.clone();
  there.zone = described;
  return { wall: wallAt(there.toUnixTime(), zones.local), zone: zones.local };
}

function noDate(property: ICAL.Property): Unreadable {
  return new Unreadable(`${property.name.toUpperCase()} is no date`);
}

/** ical.js makes the 2nd of March of the 30th of February, and hides what stands there. */
function isRead(property: ICAL.Property): boolean {
  const said = String(property.toJSON()[3]);
  return parseWallClock(said.replace(/Z$/, '')) !== undefined && isDay(said.slice(0, 10));
}

/** So many seconds later, as a watch counts them: clocks may be put forward or back in between. */
export function laterBy({ wall, zone }: { wall: string; zone: string }, seconds: number) {
  return { wall: wallAt(toFirstEpoch(buildZone(zone), parseWallClock(wall) ?? 0) + seconds, zone), zone };
}

/** The same instant on the clock of another zone. */
export function inZone({ wall, zone }: { wall: string; zone: string }, other: string): string {
  return zone === other ? wall : wallAt(toFirstEpoch(buildZone(zone), parseWallClock(wall) ?? 0), other);
}

function wallAt(epoch: number, zone: string): string {
  return formatWallClock(epoch + offsetAt(buildZone(zone), epoch));
}

function wallOf({ year, month, day, hour, minute, second }: ICAL.Time): string {
  const two = (part: number) => String(part).padStart(2, '0');
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)}:${two(second)}`;
}
