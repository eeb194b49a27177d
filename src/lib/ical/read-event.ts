import ICAL from 'ical.js';
import { cut } from '../safe-text.js';
import { canonicalZone, isValidZone } from '../wordpress-text/dates/zones.js';
import { MAX_TERM_NAME_LENGTH } from '../wordpress-text/formatting/sanitize.js';
import { compactDate } from './content-line.js';
import type { FileZones } from './file-zones.js';
import type { Loss } from './losses.js';
import { type ParsedComponent, parseComponent, whyUnreadable } from './parse-component.js';
import type { ContentLine } from './read-lines.js';
import { readPeople, readPlaces } from './read-places.js';
import { asHtml, asWebsite, descriptionOf, listOf, textOf } from './read-texts.js';
import { inZone, laterBy, type ReadTime, readTime, Unreadable } from './read-time.js';
import { daysLater } from './whole-days.js';
import { withinTime } from './within-time.js';

/** An imported event: fields of a create request; missing ones are absent. */
export interface ReadEvent {
  uid: string;
  fields: Record<string, unknown>;
  /** Parts that are not imported. */
  losses?: readonly Loss[];
  /** The `UID`, if other events of the file have it too. */
  sharedUid?: string;
}

/** Options of reading the events of a file. */
export interface ReadOptions {
  zones: FileZones;
  /** Whether Almanac wrote the file: then `URL` is the page of the event, not its website. */
  isOurs: boolean;
  /** The maximum of events made of a recurring one; 0 rejects it. */
  occurrences: number;
  /** Whether the file contains the series of a changed occurrence; otherwise the occurrence is an event of its own. */
  hasSeries?: boolean;
}

/**
 * Converts a `VEVENT` to events: one, or the first occurrences of a recurring one, each with its own id. Throws
 * `Unreadable` for an unsupported or invalid event.
 */
export function readEvents(lines: readonly ContentLine[], options: ReadOptions): ReadEvent[] {
  const parsed = parseComponent(lines);
  const [first, ...others] = orUnreadable(() => eventsOf(parsed, options));
  return first ? [{ ...first, losses: parsed.losses.list }, ...others] : [];
}

function eventsOf(parsed: ParsedComponent, options: ReadOptions): ReadEvent[] {
  const { component } = parsed;
  const uid = textOf(component, 'uid') ?? '';
  const override = component.getFirstProperty('recurrence-id');
  const isRecurring = ['rrule', 'rdate'].some((name) => component.hasProperty(name));
  const mayRecur = options.occurrences > 0;
  if (textOf(component, 'status')?.toUpperCase() === 'CANCELLED') throw new Unreadable('it is cancelled');
  if ((isRecurring || (override && options.hasSeries !== false)) && !mayRecur)
    throw new Unreadable('it recurs: events here take place once; --occurrences 50 makes 50 events of it');
  loseBadEnds(parsed, options.zones);
  if (override) {
    if (override.getFirstParameter('range')) throw new Unreadable('it changes all later occurrences at once');
    const at = override.getFirstValue();
    if (!mayRecur) parsed.lose(override, 'the event becomes one of its own: its series is not in the file');
    return [{ uid: occurrenceId(uid, at), fields: fieldsOf(parsed, options) }];
  }
  if (!isRecurring) return [{ uid, fields: fieldsOf(parsed, options) }];
  return withinTime(
    () => occurrencesOf(parsed, uid, options),
    () => new Unreadable('its dates take too long to work out'),
  );
}

/** Turns any error of ical.js, which parses lazily, into `Unreadable`. */
function orUnreadable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof Unreadable ? error : new Unreadable(whyUnreadable(error));
  }
}

/** The maximum duration in seconds: the time up to the year 9999. */
const MAX_SECONDS = 9999 * 366 * 86_400;

/** Removes invalid ends; the event then has no duration. */
function loseBadEnds({ component, lose }: ParsedComponent, zones: FileZones): void {
  for (const property of component.getAllProperties('dtend')) {
    const why = faultOf(() => readTime(property, zones));
    if (why !== undefined) lose(property, why);
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

function occurrencesOf(parsed: ParsedComponent, uid: string, options: ReadOptions): ReadEvent[] {
  const event = new ICAL.Event(parsed.component);
  const duration = event.duration;
  const iterator = event.iterator();
  const found: ReadEvent[] = [];
  for (let at = iterator.next(); at && found.length < options.occurrences; at = iterator.next()) {
    const end = at.clone();
    end.addDuration(duration);
    found.push({ uid: occurrenceId(uid, at), fields: fieldsOf(parsed, options, { start: at, end }) });
  }
  if (found.length === 0) throw new Unreadable('it recurs, and takes place at no time');
  return found;
}

function occurrenceId(uid: string, at: unknown): string {
  return `${uid}/${at instanceof ICAL.Time ? at.toICALString().replace('Z', '') : ''}`;
}

function fieldsOf(
  parsed: ParsedComponent,
  { zones, isOurs }: ReadOptions,
  occurrence?: { start: ICAL.Time; end: ICAL.Time },
): Record<string, unknown> {
  const { component } = parsed;
  const fields: Record<string, unknown> = { ...datesOf(parsed, zones, occurrence) };
  const add = (name: string, value: unknown) => {
    if (value !== undefined) fields[name] = value;
  };
  const title = textOf(component, 'summary');
  // A title of invisible characters counts as missing.
  add('title', title !== undefined && /[^\s\p{C}]/u.test(title) ? asHtml(title) : undefined);
  add('description', descriptionOf(component));
  add('status', statusOf(component));
  add('categories', namesOf(parsed, 'categories'));
  add('tags', namesOf(parsed, 'x-almanac-tags'));
  add('cost', textOf(component, 'x-almanac-cost'));
  add('cost_stored', textOf(component, 'x-almanac-cost-stored'));
  const { places, address } = readPlaces(parsed);
  add('venue', places);
  add('organizer', readPeople(parsed));
  const hasPage = isOurs || isOwnPage(textOf(component, 'uid'), textOf(component, 'url'));
  add('website', websiteOf(parsed, hasPage ? 'x-almanac-website' : 'url') ?? (hasPage ? undefined : address));
  add('image', textOf(component, 'attach'));
  return fields;
}

/** Whether `URL` is the page of an event exported by Almanac, even if another program has rewritten the file. */
function isOwnPage(uid = '', url = ''): boolean {
  const host = /^\d+@(.+)$/.exec(uid)?.[1];
  return host !== undefined && URL.canParse(url) && new URL(url).host === host;
}

function websiteOf({ component, lose }: ParsedComponent, name: string): string | undefined {
  const text = textOf(component, name);
  const website = text === undefined ? undefined : asWebsite(text);
  const property = component.getFirstProperty(name);
  if (property && text !== undefined && website === undefined)
    lose(property, `"${cut(text, 80)}" is no address`);
  return website;
}

/** The names of terms without those that are too long. */
function namesOf({ component, losses, lineOf }: ParsedComponent, name: string): string[] | undefined {
  return listOf(component, name)?.filter((item) => {
    const isShort = item.length <= MAX_TERM_NAME_LENGTH || [...item].length <= MAX_TERM_NAME_LENGTH;
    const line = lineOf(component.getFirstProperty(name));
    if (!isShort)
      losses.add(
        line,
        name.toUpperCase(),
        `"${cut(item, 40)}" is longer than ${MAX_TERM_NAME_LENGTH} characters`,
      );
    return isShort;
  });
}

function statusOf(component: ICAL.Component): string {
  if (/^(private|confidential)$/i.test(textOf(component, 'class') ?? '')) return 'private';
  return textOf(component, 'status')?.toUpperCase() === 'TENTATIVE' ? 'draft' : 'publish';
}

function datesOf(
  parsed: ParsedComponent,
  zones: FileZones,
  occurrence?: { start: ICAL.Time; end: ICAL.Time },
): Record<string, unknown> {
  const { component } = parsed;
  const property = component.getFirstProperty('dtstart');
  if (!property) throw new Unreadable('it has no DTSTART');
  // Written by Almanac in the form that the API accepts.
  const stored = textOf(component, 'x-almanac-timezone');
  const own = stored !== undefined && isValidZone(stored) ? canonicalZone(stored) : undefined;
  const start = readTime(property, zones, occurrence?.start);
  const end = occurrence ? readTime(property, zones, occurrence.end) : endOf(parsed, property, start, zones);
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

/** The end; without a valid one an event lasts its first day, or has no duration. */
function endOf(
  { component, lose }: ParsedComponent,
  property: ICAL.Property,
  start: ReadTime,
  zones: FileZones,
): ReadTime {
  const end = component.getFirstProperty('dtend');
  const read = end && readTime(end, zones);
  if (read && 'day' in read === 'day' in start) return read;
  if (end) {
    lose(end, 'day' in start ? 'a time, where DTSTART is a day' : 'a day, where DTSTART is a time');
    return start;
  }
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

/** An id for a record without one, derived from its title and time. */
export function derivedUid(fields: Record<string, unknown>): string {
  const { title, description, start_date: start, timezone: zone } = fields;
  return `${compactDate(String(start))} ${String(zone ?? '')} ${String(title ?? description ?? '')}`;
}
