import type { CalendarEntry, CalendarPerson, CalendarPlace } from '../../lib/ical/calendar-entry.js';
import type { OrganizerJson } from '../organizers/organizer.response.js';
import type { VenueJson } from '../venues/venue.response.js';
import { toStoredUtc } from '../../lib/wordpress-text/dates/convert.js';
import { formatWallClock, parseWallClock } from '../../lib/wordpress-text/dates/wall-clock.js';
import { htmlEntityDecode } from '../../lib/wordpress-text/formatting/html-entity-decode.js';
import { isNumeric } from '../../lib/wordpress-text/formatting/php-number.js';
import { wpStripAllTags } from '../../lib/wordpress-text/formatting/wp-strip-all-tags.js';
import type { EventJson } from './event-json.js';

/** What is not in an event's JSON. */
export interface EntryContext {
  /** The id of an event in files. */
  uidOf: (id: number) => string;
  /** The cost of an event as files say it. */
  costOf: (event: EventJson) => string | undefined;
  /** The site's time zone. */
  zone: string;
  /** Degrees by the id of a venue. */
  positions: ReadonlyMap<number, { latitude: number; longitude: number }>;
  /** Ids of events that do not take place, or not at their time. */
  cancelled: Pick<ReadonlySet<number>, 'has'>;
}

/** What an export adds to an event. */
export interface StoredParts {
  /** Its cost as `storedCost` has it. */
  cost_stored?: string;
}

/** An event as a calendar file says it, made of what the interface shows to the same reader; undefined without a date. */
export function toCalendarEntry(
  event: EventJson & StoredParts,
  { uidOf, costOf, zone, positions, cancelled }: EntryContext,
): CalendarEntry | undefined {
  const [start = '', end = start] = [event.start_date, event.end_date].map(wallClock);
  if (start === '') return undefined;
  const ownZone = event.timezone || 'UTC';
  // An hour before the year 1, or after 9999, is in no year that can be written: there the clock itself is close enough.
  const utc = (stored: string | null, wall: string) =>
    wallClock(stored) ?? wallClock(toStoredUtc(wall, ownZone)) ?? wall;
  return {
    id: event.id,
    uid: uidOf(event.id),
    title: shownText(event.title),
    html: event.description,
    allDay: event.all_day === true,
    start,
    end,
    utcStart: utc(event.utc_start_date, start),
    utcEnd: utc(event.utc_end_date, end),
    zone: ownZone,
    createdUtc: event.date_utc,
    modifiedUtc: lastChange(event, zone),
    status: event.status,
    isCancelled: cancelled.has(event.id),
    url: event.url,
    website: websiteOf(event),
    cost: costOf(event),
    storedCost: event.cost_stored,
    image: event.image ? event.image.url || undefined : undefined,
    categories: event.categories.map(({ name }) => shownText(name)),
    tags: event.tags.map(({ name }) => shownText(name)),
    venues: venuesOf(event).map((venue) => ({ ...placeOf(venue), ...positions.get(venue.id) })),
    organizers: event.organizer.map(personOf),
  };
}

/** When what an entry says was changed last, in UTC: the event, its venues or organizers. */
function lastChange(event: EventJson, zone: string): string {
  const changes = [event, ...venuesOf(event), ...event.organizer].map(
    ({ modified = '', modified_utc: utc = '' }) =>
      // A draft has none in UTC.
      utc.startsWith('0000') ? toStoredUtc(modified, zone) : utc,
  );
  // A scheduled event changes when it is published, which is no change of its record.
  if (event.status !== 'future') changes.push(event.date_utc);
  return changes.reduce((last, one) => (one > last ? one : last));
}

/** A stored date, if it is one that calendars of today can say. */
function wallClock(stored: string | null): string | undefined {
  const seconds = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(stored ?? '') && parseWallClock(stored ?? '');
  const wall = typeof seconds === 'number' ? formatWallClock(seconds) : '';
  return /^(?!0000)\d{4}-/.test(wall) ? wall : undefined;
}

/** The host that the ids of a site's events end with; its port tells sites of one machine apart. */
export function hostOf(home: string): string {
  return URL.canParse(home) ? new URL(home).host : 'localhost';
}

/** The venues of an event, which shows a single one without a list. */
export function venuesOf({ venue }: EventJson): VenueJson[] {
  return Array.isArray(venue) ? venue : [venue];
}

/** A text that is shown as HTML, as people read it. */
export function shownText(html: unknown): string {
  return typeof html === 'string' ? htmlEntityDecode(wpStripAllTags(html)) : '';
}

/** The website of an event; without one the interface shows its own page. */
export function websiteOf({ website, url }: EventJson): string | undefined {
  const own = htmlEntityDecode(website);
  return own === '' || own === url || website === url ? undefined : own;
}

/** The cost of an event in a form that a write stores the same way. */
export function costText({ cost, cost_details: details }: EventJson): string | undefined {
  const values = details.values.map(String);
  if (values.length === 0) return undefined;
  if (!values.every(isNumeric)) return shownText(cost);
  const { currency_symbol: symbol, currency_position: position } = details;
  return values.map((value) => (position === 'prefix' ? symbol + value : value + symbol)).join(', ');
}

function placeOf(shown: VenueJson): CalendarPlace {
  const { venue, address, city, state, province, zip, country, phone, website } = shown;
  return { name: shownText(venue), address, city, state, province, zip, country, phone, website };
}

function personOf({ organizer, email, website, phone }: OrganizerJson): CalendarPerson {
  return { name: shownText(organizer), email, website, phone };
}
