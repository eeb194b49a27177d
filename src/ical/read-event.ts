import ICAL from 'ical.js';
import { compactDate } from './content-line.js';
import {
  type FileZones,
  inZone,
  laterBy,
  type ReadTime,
  readTime,
  Unreadable,
  zoneOfId,
} from './read-time.js';
import { readPeople, readPlaces } from './read-places.js';
import { asHtml, asWebsite, descriptionOf, listOf, textOf } from './read-texts.js';
import { daysLater } from './whole-days.js';
import { withinTime } from './within-time.js';

/** An event of a calendar file: fields as a create takes them; what the file does not say is not there. */
export interface ReadEvent {
  uid: string;
  fields: Record<string, unknown>;
}

/** What is asked of the events of a file. */
export interface ReadOptions {
  zones: FileZones;
  /** Whether the file was written by Almanac: then `URL` is the page of the event, not its website. */
  isOurs: boolean;
  /** How many events a recurring one becomes; 0: it is refused. */
  occurrences: number;
}

/**
 * The events that a `VEVENT` stands for: one, or the first occurrences of a recurring one, each under an id of its own. Throws
 * `Unreadable` for what can not be an event here.
 */
export function readEvents(text: string, options: ReadOptions): ReadEvent[] {
  return orUnreadable(() => eventsOf(parsed(text), options));
}

function eventsOf(component: ICAL.Component, options: ReadOptions): ReadEvent[] {
  const uid = textOf(component, 'uid') ?? '';
  const override = component.getFirstProperty('recurrence-id');
  const isRecurring = ['rrule', 'rdate'].some((name) => component.hasProperty(name));
  if (textOf(component, 'status')?.toUpperCase() === 'CANCELLED') throw new Unreadable('it is cancelled');
  if ((isRecurring || override) && options.occurrences === 0)
    throw new Unreadable('it recurs: events here take place once; --occurrences 50 makes 50 events of it');
  if (override) {
    if (override.getFirstParameter('range')) throw new Unreadable('it changes all later occurrences at once');
    const at = override.getFirstValue();
    return [{ uid: occurrenceId(uid, at), fields: fieldsOf(component, options) }];
  }
  if (!isRecurring) return [{ uid, fields: fieldsOf(component, options) }];
  return occurrencesOf(component, uid, options);
}

/** What a `VTIMEZONE` describes, with its changes of this age worked out. Throws `Unreadable`. */
export function readTimeZone(text: string): ICAL.Timezone {
  return orUnreadable(() => {
    const zone = new ICAL.Timezone(parsed(text));
    zone.utcOffset(ICAL.Time.fromData({ year: 2100, month: 1, day: 1 }));
    return zone;
  });
}

/** Days of which programs do not say, as they have to, that they are no times. */
const UNSAID_DAYS =
  /^((?:DTSTART|DTEND|RECURRENCE-ID|EXDATE|RDATE)(?:;TZID=[^;:\r\n]*)?):(?=\d{8}(?:,\d{8})*\r$)/gim;

function parsed(text: string): ICAL.Component {
  const said = text.replace(UNSAID_DAYS, '$1;VALUE=DATE:');
  const calendar = new ICAL.Component(ICAL.parse(`BEGIN:VCALENDAR\r\n${said}END:VCALENDAR\r\n`));
  const [component] = calendar.getAllSubcomponents();
  if (!component) throw new Unreadable('it is empty');
  return component;
}

/** What ical.js has to say of a text, which it reads bit by bit, as a fault of the text; also that it finds no end, or stumbles. */
function orUnreadable<T>(read: () => T): T {
  try {
    return withinTime(read, () => new Unreadable('its dates take too long to work out'));
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    const why = error instanceof Error && !(error instanceof TypeError) ? `: ${error.message}` : '';
    throw new Unreadable(`it can not be read${why}`);
  }
}

function occurrencesOf(component: ICAL.Component, uid: string, options: ReadOptions): ReadEvent[] {
  const event = new ICAL.Event(component);
  const duration = event.duration;
  const iterator = event.iterator();
  const found: ReadEvent[] = [];
  for (let at = iterator.next(); at && found.length < options.occurrences; at = iterator.next()) {
    const end = at.clone();
    end.addDuration(duration);
    found.push({ uid: occurrenceId(uid, at), fields: fieldsOf(component, options, { start: at, end }) });
  }
  if (found.length === 0) throw new Unreadable('it recurs, and takes place at no time');
  return found;
}

function occurrenceId(uid: string, at: unknown): string {
  return `${uid}/${at instanceof ICAL.Time ? at.toICALString().replace('Z', '') : ''}`;
}

function fieldsOf(
  component: ICAL.Component,
  { zones, isOurs }: ReadOptions,
  occurrence?: { start: ICAL.Time; end: ICAL.Time },
): Record<string, unknown> {
  const fields: Record<string, unknown> = { ...datesOf(component, zones, occurrence) };
  const add = (name: string, value: unknown) => {
    if (value !== undefined) fields[name] = value;
  };
  const title = textOf(component, 'summary');
  add('title', title === undefined ? undefined : asHtml(title));
  add('description', descriptionOf(component));
  add('status', statusOf(component));
  add('categories', listOf(component, 'categories'));
  add('tags', listOf(component, 'x-almanac-tags'));
  add('cost', textOf(component, 'x-almanac-cost'));
  add('cost_stored', textOf(component, 'x-almanac-cost-stored'));
  const { places, address } = readPlaces(component);
  add('venue', places);
  add('organizer', readPeople(component));
  const website = isOurs ? textOf(component, 'x-almanac-website') : (textOf(component, 'url') ?? address);
  add('website', website === undefined ? undefined : asWebsite(website));
  add('image', textOf(component, 'attach'));
  return fields;
}

function statusOf(component: ICAL.Component): string {
  if (/^(private|confidential)$/i.test(textOf(component, 'class') ?? '')) return 'private';
  return textOf(component, 'status')?.toUpperCase() === 'TENTATIVE' ? 'draft' : 'publish';
}

function datesOf(
  component: ICAL.Component,
  zones: FileZones,
  occurrence?: { start: ICAL.Time; end: ICAL.Time },
): Record<string, unknown> {
  const property = component.getFirstProperty('dtstart');
  if (!property) throw new Unreadable('it has no DTSTART');
  const kept = textOf(component, 'x-almanac-timezone');
  const own = kept === undefined ? undefined : zoneOfId(kept);
  const start = readTime(property, zones, occurrence?.start);
  const end = occurrence
    ? readTime(property, zones, occurrence.end)
    : endOf(component, property, start, zones);
  if ('day' in start) {
    if (!('day' in end)) throw new Unreadable('it begins on a day and ends at a time');
    if (end.day < start.day) throw new Unreadable('it ends before it begins');
    const last = end.day > start.day ? daysLater(end.day, -1) : start.day;
    return { all_day: true, start_date: start.day, end_date: last, timezone: own ?? zones.local };
  }
  if ('day' in end) throw new Unreadable('it begins at a time and ends on a day');
  const zone = own ?? start.zone;
  return { all_day: false, start_date: inZone(start, zone), end_date: inZone(end, zone), timezone: zone };
}

/** Without an end a day lasts that day, and anything else no time. */
function endOf(
  component: ICAL.Component,
  property: ICAL.Property,
  start: ReadTime,
  zones: FileZones,
): ReadTime {
  const end = component.getFirstProperty('dtend');
  if (end) return readTime(end, zones);
  const duration = component.getFirstPropertyValue('duration');
  const value = property.getFirstValue();
  if (!(duration instanceof ICAL.Duration) || !(value instanceof ICAL.Time)) return start;
  const at = value.clone();
  const { isNegative, weeks, days, hours, minutes, seconds } = duration;
  // Days are those of the calendar, hours those that pass (RFC 5545, 3.3.6).
  at.addDuration(ICAL.Duration.fromData({ isNegative, weeks, days }));
  const time = (hours * 60 + minutes) * 60 + seconds;
  const last = readTime(property, zones, at);
  return 'day' in last ? last : laterBy(last, isNegative ? -time : time);
}

/** The id that a record without one is known by: the same for the same title at the same time. */
export function derivedUid({ title, start_date: start, timezone: zone }: Record<string, unknown>): string {
  return `${compactDate(String(start))} ${String(zone ?? '')} ${String(title)}`;
}
