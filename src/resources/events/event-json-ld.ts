import { formatIso, formatWallClock } from '../../lib/wordpress-text/dates/wall-clock.js';
import {
  buildZone,
  fixedUtcOffset,
  isUtcOffset,
  offsetAt,
  shiftMinutes,
  toEpoch,
  toFirstEpoch,
  type Zone,
} from '../../lib/wordpress-text/dates/zones.js';
import { isPhpEmpty } from '../../lib/wordpress-text/formatting/php-empty.js';
import { type LinkedPost, type LinkSettings, permalink, trimSlash } from '../../wordpress/posts/permalink.js';
import { firstMeta, type JsonLdTexts, type PostRecord } from '../../wordpress/posts/post-record.js';
import type { OrganizerJsonLd } from '../organizers/organizer.response.js';
import type { VenueJsonLd } from '../venues/venue.response.js';
import { type CurrencyOptions, currencyCode, eventCost } from './cost.js';

/** The input of an event's structured data besides its row. */
export interface EventJsonLdContext {
  texts: JsonLdTexts;
  links: LinkSettings;
  currency: CurrencyOptions;
  locale: string;
  /** The site's zone: an IANA name or `UTC±H`. */
  siteZone: string;
  /** Calendar option `tribe_events_timezone_mode`: the zone in which dates are shown. */
  zoneMode: 'event' | 'site';
  /** Reads a stored date as seconds of its wall clock; undefined where it is none. */
  wallSeconds(text: string | undefined): number | undefined;
  /** Whether the reader may read a private event. */
  readable: boolean;
  /** URL of the picture; undefined without a thumbnail id, false if the attachment does not exist. */
  image?: string | false;
  /** The first linked venue; undefined without a link, false if it does not exist or the reader may not see it. */
  location?: VenueJsonLd | false;
  /** The first linked organizer, by the same rules. */
  organizer?: OrganizerJsonLd | false;
}

/** An event's offer in schema.org terms. */
interface OfferJsonLd {
  '@type': 'Offer';
  price: string;
  priceCurrency: string;
  url: string;
  category: 'primary';
  availability: 'inStock';
  validFrom: string;
}

/** An event as schema.org `Event`, with members in the recorded order. */
export interface EventJsonLd {
  '@context': 'http://schema.org';
  '@type': 'Event';
  name: string;
  description: string;
  image?: string | false;
  url: string;
  eventAttendanceMode: string;
  eventStatus: string;
  /** Both are omitted for unreadable stored dates (R18). */
  startDate?: string;
  endDate?: string;
  location?: VenueJsonLd | false;
  organizer?: OrganizerJsonLd | false;
  offers?: OfferJsonLd;
  performer: 'Organization';
}

const STATUSES: ReadonlyMap<string | undefined, string> = new Map([
  ['canceled', 'EventCancelled'],
  ['postponed', 'EventPostponed'],
]);

/** Makes the structured data of an event. */
export function eventJsonLd(event: PostRecord, context: EventJsonLdContext): EventJsonLd {
  const { texts, image, location, organizer, readable } = context;
  const url = eventLink(event, context.links, readable);
  const status = firstMeta(event, '_tribe_events_status');
  const offers = offersOf(event, url, context);
  const startDate = zonedDate(event, '_EventStartDate', context);
  const endDate = zonedDate(event, '_EventEndDate', context);
  return {
    '@context': 'http://schema.org',
    '@type': 'Event',
    name: texts.name,
    description: texts.description,
    ...(image !== undefined && { image }),
    url,
    eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
    eventStatus: `https://schema.org/${STATUSES.get(status) ?? 'EventScheduled'}`,
    ...(startDate !== undefined && { startDate }),
    ...(endDate !== undefined && { endDate }),
    ...(location !== undefined && { location }),
    ...(organizer !== undefined && { organizer }),
    ...(offers && { offers }),
    performer: 'Organization',
  };
}

/** The event's URL in structured data: on sites with pretty links it always ends with a slash. */
export function eventLink(event: LinkedPost, links: LinkSettings, readable = false): string {
  const link = permalink(event, links, { readable });
  if (links.permalinkStructure === '') return link;
  return link.includes('?') ? `${link}%2F/` : `${trimSlash(link)}/`;
}

function offersOf(event: PostRecord, url: string, context: EventJsonLdContext): OfferJsonLd | undefined {
  const { price } = eventCost(event, context.currency, context.locale);
  if (price === '') return undefined;
  return {
    '@type': 'Offer',
    price: price.toLowerCase() === 'free' ? '0' : price,
    priceCurrency: currencyCode(event, context.currency),
    url,
    category: 'primary',
    availability: 'inStock',
    validFrom: `${event.date.slice(0, 10)}T00:00:00+00:00`,
  };
}

/** Undefined for an unreadable date. */
function zonedDate(event: PostRecord, key: string, context: EventJsonLdContext): string | undefined {
  const { wallSeconds, siteZone, zoneMode } = context;
  const wall = wallSeconds(firstMeta(event, key));
  if (wall === undefined) return undefined;
  const ownZone = firstMeta(event, '_EventTimezone') ?? '';
  const zone = isPhpEmpty(ownZone) ? siteZone : ownZone;
  // Stored UTC values are ignored: they may contradict the wall clock.
  if (zoneMode === 'site' && zone !== siteZone) return isoOfEpoch(toEpoch(buildZone(zone), wall), siteZone);
  // The plugin reads the text in the site's zone first, so that times in its daylight-saving gap move on.
  return isoOfWall(movedOutOfGap(wall, siteZone), zone);
}

function movedOutOfGap(wall: number, zoneText: string): number {
  const zone = buildZone(zoneText);
  const epoch = toEpoch(zone, wall);
  return epoch + offsetAt(zone, epoch);
}

/** Formats a wall clock with its zone's offset; in `UTC±H:MM`, which the plugin cannot parse, as UTC without offset. */
function isoOfWall(wall: number, zoneText: string): string {
  const fixed = fixedUtcOffset(zoneText);
  if (fixed !== undefined) return formatIso(wall, fixed);
  if (isUtcOffset(zoneText)) return formatWallClock(wall - shiftMinutes(zoneText) * 60);
  const zone = buildZone(zoneText);
  return isoIn(zone, toFirstEpoch(zone, wall));
}

function isoOfEpoch(epoch: number, zoneText: string): string {
  const fixed = fixedUtcOffset(zoneText);
  if (fixed !== undefined) return formatIso(epoch + fixed, fixed);
  return isUtcOffset(zoneText) ? formatWallClock(epoch) : isoIn(buildZone(zoneText), epoch);
}

function isoIn(zone: Zone, epoch: number): string {
  const offset = offsetAt(zone, epoch);
  return formatIso(epoch + offset, offset);
}
