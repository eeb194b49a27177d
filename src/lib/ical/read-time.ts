import ICAL from 'ical.js';
import { cut } from '../safe-text.js';
import { parseWallClock } from '../wordpress-text/dates/wall-clock.js';
import { buildZone, toEpoch } from '../wordpress-text/dates/zones.js';
import type { FileZones, Moment } from './file-zones.js';
import { epochOf, wallAt, wallOf } from './wall-time.js';
import { isDay } from './whole-days.js';
import { zoneOfId } from './zone-names.js';

/** A date property: a day or an instant. */
export type ReadTime = { day: string } | Moment;

/** An event, or one of its properties, cannot be read. */
export class Unreadable extends Error {}

/** Reads a date property, or the value of an occurrence; throws `Unreadable`, also for an unknown zone. */
export function readTime(
  property: ICAL.Property,
  zones: FileZones,
  value: unknown = property.getFirstValue(),
): ReadTime {
  if (!(value instanceof ICAL.Time) || !isRead(property)) throw noDate(property);
  const wall = wallOf(value);
  if (parseWallClock(wall) === undefined || value.year < 1) throw noDate(property);
  if (value.isDate) return { day: wall.slice(0, 10) };
  const id = property.getFirstParameter('tzid')?.trim();
  if (value.zone === ICAL.Timezone.utcTimezone)
    return momentIn((id && zoneOfId(id)) || zones.utcZone, epochOf(wall, 'UTC'));
  if (!id) return { epoch: epochOf(wall, zones.local), wall, zone: zones.local };
  const moment = zones.moment(wall, id);
  if (!moment)
    throw new Unreadable(`the time zone "${cut(id, 80)}" is not known, and the file does not describe it`);
  return moment;
}

function noDate(property: ICAL.Property): Unreadable {
  return new Unreadable(`${property.name.toUpperCase()} is no date`);
}

/** Whether the date exists; ical.js turns 30 February into 2 March. */
function isRead(property: ICAL.Property): boolean {
  const raw = String(property.toJSON()[3]);
  return parseWallClock(raw.replace(/Z$/, '')) !== undefined && isDay(raw.slice(0, 10));
}

/** An instant in a zone, or in UTC where the API would read the zone's ambiguous wall clock time as another instant. */
export function momentIn(zone: string, epoch: number): Moment {
  const wall = wallAt(epoch, zone);
  const isClear = toEpoch(buildZone(zone), parseWallClock(wall) ?? 0) === epoch;
  return isClear ? { epoch, wall, zone } : { epoch, wall: wallAt(epoch, 'UTC'), zone: 'UTC' };
}

/** Adds elapsed seconds, whatever the zone's transitions in between. */
export function laterBy({ epoch, zone }: Moment, seconds: number): Moment {
  return { epoch: epoch + seconds, wall: wallAt(epoch + seconds, zone), zone };
}

/** The wall clock time of an instant in another zone. */
export function inZone({ epoch, wall, zone }: Moment, other: string): string {
  return zone === other ? wall : wallAt(epoch, other);
}
