import { isoDate } from '../../lib/wordpress-text/dates/convert.js';
import { formatOffset } from '../../lib/wordpress-text/dates/wall-clock.js';
import { webAddress } from '../../lib/wordpress-text/formatting/web-address.js';
import { venuesOf } from '../../resources/events/event-entry.js';
import type { EventJson } from '../../resources/events/event-json.js';
import type { EventStates } from '../../resources/events/event-states.js';
import type { OrganizerJson } from '../../resources/organizers/organizer.response.js';
import type { VenueJson } from '../../resources/venues/venue.response.js';
import { titleOf } from './event-html.js';
import { cutText, imageOf, plain } from './event-texts.js';
import { isDate, moment, timesIn } from './shown-time.js';

const DESCRIPTION = 500;
/** The smallest and the largest offset of a zone from UTC, in seconds. */
const OFFSETS = [-12 * 3600, 14 * 3600] as const;
const STATUSES = { canceled: 'EventCancelled', postponed: 'EventPostponed' };

/** The currency of the site's prices. */
export interface SiteCurrency {
  symbol?: string;
  code?: string;
}

/** Makes the schema.org data of an event from its JSON; undefined without a start, which they require. */
export function eventSchema(
  event: EventJson,
  { currency, cancelled, withVenue }: EventStates & { currency: SiteCurrency },
): object | undefined {
  const startDate = dateOf(event, event.start_date, event.utc_start_date);
  if (startDate === undefined) return undefined;
  const endDate = dateOf(event, timesIn(event).end, event.utc_end_date);
  const isOrdered = endDate !== undefined && Date.parse(endDate) >= Date.parse(startDate);
  const [venue] = venuesOf(event);
  const place = venue && placeOf(venue);
  // The venue may be hidden: the event is not online for that.
  const online = venue === undefined && !withVenue.has(event.id) ? websiteOf(event) : undefined;
  const off = cancelled.get(event.id);
  const prices = event.cost_details.values.map(priceOf).filter((price) => price >= 0 && price < Infinity);
  const priceCurrency = currencyOf(event, currency);
  const link = webAddress(event.url);
  return filled({
    '@context': 'https://schema.org',
    '@type': 'Event',
    name: titleOf(event),
    description: cutText(plain(event.excerpt) || plain(event.description), DESCRIPTION),
    url: link,
    image: imageOf(event),
    eventStatus: `https://schema.org/${off === undefined ? 'EventScheduled' : STATUSES[off]}`,
    startDate,
    // Damaged rows may end before they start.
    endDate: isOrdered && endDate,
    eventAttendanceMode: `https://schema.org/${online === undefined ? 'Offline' : 'Online'}EventAttendanceMode`,
    location: place ?? (online !== undefined && { '@type': 'VirtualLocation', url: online }),
    organizer: event.organizer.map(organizationOf).find((one) => 'name' in one),
    offers:
      prices.length > 0 &&
      priceCurrency !== undefined &&
      filled({
        '@type': 'Offer',
        price: Math.min(...prices),
        priceCurrency,
        url: link,
        availability: off === undefined && 'https://schema.org/InStock',
      }),
  });
}

/** The website of an event without a venue, which is where it takes place; undefined for its own page. */
function websiteOf(event: EventJson): string | undefined {
  const website = webAddress(event.website);
  return website === webAddress(event.url) ? undefined : website;
}

export function organizationOf({ organizer, website, url }: OrganizerJson): object {
  return filled({
    '@type': 'Organization',
    name: plain(organizer),
    url: webAddress(website) ?? webAddress(url),
  });
}

/** Makes the schema.org data of a venue; undefined if a password hides it. */
export function placeOf(venue: VenueJson): object | undefined {
  const address = filled({
    streetAddress: plain(venue.address),
    addressLocality: plain(venue.city),
    addressRegion: plain(venue.stateprovince),
    postalCode: plain(venue.zip),
    addressCountry: plain(venue.country),
  });
  const name = plain(venue.venue);
  if (name === '' && Object.keys(address).length === 0) return undefined;
  const hasAddress = Object.keys(address).length > 0;
  // Search engines require an address, which may be a text.
  return filled({
    '@type': 'Place',
    name,
    address: hasAddress ? { '@type': 'PostalAddress', ...address } : name,
  });
}

/** Currencies by the symbols that prices are written with; `$` and `¥` stand for the most used of several. */
const CURRENCIES: ReadonlyMap<string | undefined, string> = new Map([
  ['€', 'EUR'],
  ['$', 'USD'],
  ['£', 'GBP'],
  ['¥', 'JPY'],
  ['₹', 'INR'],
  ['CHF', 'CHF'],
]);

/** A price, `NaN` for other texts; `free` is how the interface writes the word in any case. */
function priceOf(value: string | number): number {
  if (value === 'free') return 0;
  return String(value).trim() === '' ? Number.NaN : Number(value);
}

/** Codes of ISO 4217. */
const CODES = new Set(Intl.supportedValuesOf('currency'));

function currencyOf({ cost_details: own }: EventJson, site: SiteCurrency): string | undefined {
  const symbol = own.currency_symbol || site.symbol;
  const code = symbol === site.symbol ? site.code : undefined;
  const codes = [own.currency_code, code].map((one) => one?.trim().toUpperCase() ?? '');
  return codes.find((one) => CODES.has(one)) ?? CURRENCIES.get(symbol);
}

/** A date, with its UTC offset unless all-day; undefined for one that cannot be read. */
function dateOf({ all_day, timezone }: EventJson, wall: string | null, utc: string | null) {
  if (!isDate(wall) || !exists(wall)) return undefined;
  if (all_day) return wall.slice(0, 10);
  const offset = isDate(utc) ? (moment(wall).getTime() - moment(utc).getTime()) / 1000 : Infinity;
  // Foreign rows may have a time in UTC that belongs to another date.
  if (offset < OFFSETS[0] || offset > OFFSETS[1]) return isoDate(wall, timezone);
  return wall.replace(' ', 'T') + formatOffset(offset);
}

/** Whether a day and its time exist: the runtime takes February 30 for March 2. */
const exists = (wall: string): boolean => moment(wall).toISOString().startsWith(wall.replace(' ', 'T'));

export const filled = (record: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(record).filter(([, value]) => value !== '' && value !== undefined && value !== false),
  );
