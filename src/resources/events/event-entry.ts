import type { CalendarEntry, CalendarPerson, CalendarPlace } from '../../lib/ical/calendar-entry.js';
import { toStoredUtc } from '../../lib/wordpress-text/dates/convert.js';
import { formatWallClock, parseWallClock } from '../../lib/wordpress-text/dates/wall-clock.js';
import { htmlEntityDecode } from '../../lib/wordpress-text/formatting/html-entity-decode.js';
import { isNumeric } from '../../lib/wordpress-text/formatting/php-number.js';
import { wpStripAllTags } from '../../lib/wordpress-text/formatting/php-strings.js';
import type { OrganizerJson } from '../organizers/organizer.response.js';
import type { VenueJson } from '../venues/venue.response.js';
import type { EventJson } from './event-json.js';

/** Data of a calendar entry that are not in an event's JSON. */
interface EntryContext {
  /** The UID of an event in files. */
  uidOf: (id: number) => string;
  /** The cost text of an event in files. */
  costOf: (event: EventJson) => string | undefined;
  /** The site's time zone. */
  zone: string;
  /** Positions in degrees by venue id. */
  positions: ReadonlyMap<number, { latitude: number; longitude: number }>;
  /** Ids of cancelled and postponed events. */
  cancelled: Pick<ReadonlySet<number>, 'has'>;
  /** Whether an id is that of one of several occurrences. */
  isOccurrence?: (id: number) => boolean;
}

/** Members that exports add to an event. */
export interface ExportedParts {
  /** The cost as returned by `storedCost`. */
  cost_stored?: string;
}

/** Converts an event's JSON to a calendar entry; undefined without a valid start. */
export function toCalendarEntry(
  event: EventJson & ExportedParts,
  { uidOf, costOf, zone, positions, cancelled, isOccurrence }: EntryContext,
): CalendarEntry | undefined {
  const [start = '', end = start] = [event.start_date, event.end_date].map(wallClock);
  if (start === '') return undefined;
  const ownZone = event.timezone || 'UTC';
  // UTC times before year 1 or after 9999 cannot be written; the wall clock is close enough.
  const utc = (stored: string | null, wall: string) =>
    wallClock(stored) ?? wallClock(toStoredUtc(wall, ownZone)) ?? wall;
  return {
    id: event.id,
    uid: uidOf(event.id),
    isOccurrence: isOccurrence?.(event.id),
    title: plainText(event.title),
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
    categories: event.categories.map(({ name }) => plainText(name)),
    tags: event.tags.map(({ name }) => plainText(name)),
    venues: venuesOf(event).map((venue) => ({ ...placeOf(venue), ...positions.get(venue.id) })),
    organizers: event.organizer.map(personOf),
  };
}

/** The last modification in UTC of the event, its venues and organizers. */
function lastChange(event: EventJson, zone: string): string {
  const changes = [event, ...venuesOf(event), ...event.organizer].map(
    ({ modified = '', modified_utc: utc = '' }) =>
      // Drafts have no UTC time.
      utc.startsWith('0000') ? toStoredUtc(modified, zone) : utc,
  );
  // Publishing a scheduled event does not change `modified`.
  if (event.status !== 'future') changes.push(event.date_utc);
  return changes.reduce((last, one) => (one > last ? one : last));
}

/** Parses a stored date; undefined outside the years 0001 to 9999. */
function wallClock(stored: string | null): string | undefined {
  const seconds = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(stored ?? '') && parseWallClock(stored ?? '');
  const wall = typeof seconds === 'number' ? formatWallClock(seconds) : '';
  return /^(?!0000)\d{4}-/.test(wall) ? wall : undefined;
}

/** The host in the UIDs of a site's events; the port distinguishes sites on one machine. */
export function hostOf(home: string): string {
  return URL.canParse(home) ? new URL(home).host : 'localhost';
}

/** The venues of an event, whose JSON has a single one without a list. */
export function venuesOf({ venue }: EventJson): VenueJson[] {
  return Array.isArray(venue) ? venue : [venue];
}

/** Converts HTML to plain text. */
export function plainText(html: unknown): string {
  return typeof html === 'string' ? htmlEntityDecode(wpStripAllTags(html)) : '';
}

/** The website of an event; undefined if the JSON falls back to its own page. */
export function websiteOf({ website, url }: EventJson): string | undefined {
  const own = htmlEntityDecode(website);
  return own === '' || own === url || website === url ? undefined : own;
}

/** The cost as a text that a write stores identically. */
export function costText({ cost, cost_details: details }: EventJson): string | undefined {
  const values = details.values.map(String);
  if (values.length === 0) return undefined;
  if (!values.every(isNumeric)) return plainText(cost);
  const { currency_symbol: symbol, currency_position: position } = details;
  return values.map((value) => (position === 'prefix' ? symbol + value : value + symbol)).join(', ');
}

function placeOf(json: VenueJson): CalendarPlace {
  const { venue, address, city, state, province, zip, country, phone, website } = json;
  return { name: plainText(venue), address, city, state, province, zip, country, phone, website };
}

function personOf({ organizer, email, website, phone }: OrganizerJson): CalendarPerson {
  return { name: plainText(organizer), email, website, phone };
}
