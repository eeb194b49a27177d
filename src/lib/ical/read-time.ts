import ICAL from 'ical.js';
import { cut } from '../safe-text.js';
import { parseWallClock } from '../wordpress-text/dates/wall-clock.js';
import { buildZone } from '../wordpress-text/dates/zones.js';
import { toEpoch } from '../wordpress-text/dates/zone.js';
import type { FileZones, Moment } from './file-zones.js';
import { epochOf, wallAt, wallOf } from './wall-time.js';
import { isDay } from './whole-days.js';
import { zoneOfId } from './zone-names.js';

/** A time as a calendar file says it: a day, or an instant. */
export type ReadTime = { day: string } | Moment;

/** A time, or what goes with it, can not be read. */
export class Unreadable extends Error {}

/** The value of a date property, or of an occurrence made of it. Throws `Unreadable`, also for an unknown zone. */
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
    return shownIn((id && zoneOfId(id)) || zones.shown, epochOf(wall, 'UTC'));
  if (!id) return { epoch: epochOf(wall, zones.local), wall, zone: zones.local };
  const moment = zones.moment(wall, id);
  if (!moment)
    throw new Unreadable(`the time zone "${cut(id, 80)}" is not known, and the file does not describe it`);
  return moment;
}

function noDate(property: ICAL.Property): Unreadable {
  return new Unreadable(`${property.name.toUpperCase()} is no date`);
}

/** ical.js makes the 2nd of March of the 30th of February, and hides what stands there. */
function isRead(property: ICAL.Property): boolean {
  const said = String(property.toJSON()[3]);
  return parseWallClock(said.replace(/Z$/, '')) !== undefined && isDay(said.slice(0, 10));
}

/** In UTC where the interface would take the zone's clock for another instant: in one of two hours that it shows twice. */
function shownIn(zone: string, epoch: number): Moment {
  const wall = wallAt(epoch, zone);
  const isClear = toEpoch(buildZone(zone), parseWallClock(wall) ?? 0) === epoch;
  return isClear ? { epoch, wall, zone } : { epoch, wall: wallAt(epoch, 'UTC'), zone: 'UTC' };
}

/** So many seconds later, as a watch counts them: clocks may be put forward or back in between. */
export function laterBy({ epoch, zone }: Moment, seconds: number): Moment {
  return { epoch: epoch + seconds, wall: wallAt(epoch + seconds, zone), zone };
}

/** The same instant on the clock of another zone. */
export function inZone({ epoch, wall, zone }: Moment, other: string): string {
  return zone === other ? wall : wallAt(epoch, other);
}
