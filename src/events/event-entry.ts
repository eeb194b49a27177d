import type { CalendarEntry, CalendarPerson, CalendarPlace } from '../ical/calendar-entry.js';
import type { OrganizerJson } from '../organizers/organizer.response.js';
import type { VenueJson } from '../venues/venue.response.js';
import { toStoredUtc } from '../wordpress/dates/convert.js';
import { formatWallClock, parseWallClock } from '../wordpress/dates/wall-clock.js';
import { htmlEntityDecode } from '../wordpress/formatting/html-entity-decode.js';
import { isNumeric } from '../wordpress/formatting/php-number.js';
import { wpStripAllTags } from '../wordpress/formatting/wp-strip-all-tags.js';
import type { EventJson } from './event-json.js';

/** What is not in an event's JSON. */
export interface EntryContext {
  /** The site's, without a port: what ids end with. */
  host: string;
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
  { host, zone, positions, cancelled }: EntryContext,
): CalendarEntry | undefined {
  const [start = '', end = start] = [event.start_date, event.end_date].map(wallClock);
  if (start === '') return undefined;
  const ownZone = event.timezone || 'UTC';
  // An hour before the year 1, or after 9999, is in no year that can be written: there the clock itself is close enough.
  const utc = (stored: string | null, wall: string) =>
    wallClock(stored) ?? wallClock(toStoredUtc(wall, ownZone)) ?? wall;
  return {
    uid: `${event.id}@${host}`,
    title: shownText(event.title),
    html: event.description,
    allDay: event.all_day === true,
    start,
    end,
    utcStart: utc(event.utc_start_date, start),
    utcEnd: utc(event.utc_end_date, end),
    zone: ownZone,
    createdUtc: event.date_utc,
    // A draft has none in UTC.
    modifiedUtc: event.modified_utc.startsWith('0000')
      ? toStoredUtc(event.modified, zone)
      : event.modified_utc,
    status: event.status,
    isCancelled: cancelled.has(event.id),
    url: event.url,
    website: websiteOf(event),
    cost: costText(event),
    storedCost: event.cost_stored,
    image: event.image ? event.image.url || undefined : undefined,
    categories: event.categories.map(({ name }) => shownText(name)),
    tags: event.tags.map(({ name }) => shownText(name)),
    venues: venuesOf(event).map((venue) => ({ ...placeOf(venue), ...positions.get(venue.id) })),
    organizers: event.organizer.map(personOf),
  };
}

/** A stored date, if it is one that calendars of today can say. */
function wallClock(stored: string | null): string | undefined {
  const seconds = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(stored ?? '') && parseWallClock(stored ?? '');
  const wall = typeof seconds === 'number' ? formatWallClock(seconds) : '';
  return /^(?!0000)\d{4}-/.test(wall) ? wall : undefined;
}

/** The host that the ids of a site's events end with. */
export function hostOf(home: string): string {
  return URL.canParse(home) ? new URL(home).hostname : 'localhost';
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
  return own === '' || own === url ? undefined : own;
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
