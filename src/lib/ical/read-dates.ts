import ICAL from 'ical.js';
import { canonicalZone, isValidZone } from '../wordpress-text/dates/zones.js';
import type { FileZones } from './file-zones.js';
import { type ParsedComponent, whyUnreadable } from './parse-component.js';
import { textOf } from './read-texts.js';
import { inZone, laterBy, momentIn, type ReadTime, readTime, Unreadable } from './read-time.js';
import { daysLater } from './whole-days.js';

/** The dates of an event; the end of whole days is the day after them. */
export interface ReadDates {
  start: ReadTime;
  end: ReadTime;
}

/** The maximum duration in seconds: the time up to the year 9999. */
const MAX_SECONDS = 9999 * 366 * 86_400;

/** Removes invalid ends; the event then has no duration. */
export function loseBadEnds({ component, lose }: ParsedComponent, zones: FileZones): void {
  const start = component.getFirstProperty('dtstart');
  const isDay =
    start && faultOf(() => readTime(start, zones)) === undefined
      ? 'day' in readTime(start, zones)
      : undefined;
  for (const property of component.getAllProperties('dtend')) {
    const why = faultOf(() => readTime(property, zones));
    if (why !== undefined) lose(property, why);
    else if (isDay !== undefined && 'day' in readTime(property, zones) !== isDay)
      lose(property, isDay ? 'a time, where DTSTART is a day' : 'a day, where DTSTART is a time');
  }
  for (const property of component.getAllProperties('duration')) {
    const isBad = faultOf(() => {
      const value = property.getFirstValue();
      if (!(value instanceof ICAL.Duration) || !(Math.abs(value.toSeconds()) <= MAX_SECONDS))
        throw new Unreadable('no duration');
    });
    if (isBad !== undefined) lose(property, 'invalid value');
  }
}

function faultOf(read: () => unknown): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    return error instanceof Unreadable ? error.message : whyUnreadable(error);
  }
}

/** The date fields of an event, by default its own dates in their zone; throws `Unreadable`. */
export function dateFields(
  parsed: ParsedComponent,
  zones: FileZones,
  occurrence?: ReadDates,
  inZoneOf?: string,
): Record<string, unknown> {
  const { component } = parsed;
  // Written by Almanac in the form that the API accepts.
  const stored = textOf(component, 'x-almanac-timezone');
  const own = inZoneOf ?? (stored !== undefined && isValidZone(stored) ? canonicalZone(stored) : undefined);
  const { start, end } = occurrence ?? ownDates(parsed, zones);
  if ('day' in start) {
    if (!('day' in end)) throw new Unreadable('it begins on a day and ends at a time');
    if (end.day < start.day) throw new Unreadable('it ends before it begins');
    const last = end.day > start.day ? daysLater(end.day, -1) : start.day;
    return { all_day: true, start_date: start.day, end_date: last, timezone: own ?? zones.local };
  }
  if ('day' in end) throw new Unreadable('it begins at a time and ends on a day');
  // An end of which the zone has two is written in UTC.
  const zone = own ?? (momentIn(start.zone, end.epoch).zone === start.zone ? start.zone : 'UTC');
  return { all_day: false, start_date: inZone(start, zone), end_date: inZone(end, zone), timezone: zone };
}

function ownDates(parsed: ParsedComponent, zones: FileZones): ReadDates {
  const property = parsed.component.getFirstProperty('dtstart');
  if (!property) throw new Unreadable('it has no DTSTART');
  const start = readTime(property, zones);
  return { start, end: endOf(parsed, property, start, zones) };
}

/** The end; without a valid one an event lasts its first day, or has no duration. */
function endOf(
  { component, lose }: ParsedComponent,
  property: ICAL.Property,
  start: ReadTime,
  zones: FileZones,
): ReadTime {
  const end = component.getFirstProperty('dtend');
  if (end) return readTime(end, zones);
  const given = component.getFirstProperty('duration');
  const duration = given?.getFirstValue();
  const value = property.getFirstValue();
  if (!given || !(duration instanceof ICAL.Duration) || !(value instanceof ICAL.Time)) return start;
  const at = value.clone();
  const { isNegative, weeks, days, hours, minutes, seconds } = duration;
  // Days are nominal, hours are exact (RFC 5545, 3.3.6).
  at.addDuration(ICAL.Duration.fromData({ isNegative, weeks, days }));
  const time = (hours * 60 + minutes) * 60 + seconds;
  if (at.year < 1 || at.year > 9999) {
    lose(given, 'invalid value');
    return start;
  }
  const last = readTime(property, zones, at);
  if ('day' in last) return last;
  const later = laterBy(last, isNegative ? -time : time);
  if (/^\d{4}-/.test(later.wall)) return later;
  lose(given, 'invalid value');
  return start;
}
