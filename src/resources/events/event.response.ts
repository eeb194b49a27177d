import { combine, Expiring, type Unwrap } from '../../cache/expiring.js';
import { globalIds } from '../../calendar/global-ids.js';
import type { RequestTime } from '../../http/request-time.js';
import { restUrl } from '../../http/rest-request.js';
import { storedDateDetails, storedWallSeconds } from '../../lib/wordpress-text/dates/strtotime.js';
import type { DateDetails } from '../../lib/wordpress-text/dates/wall-clock.js';
import { escHtml } from '../../lib/wordpress-text/formatting/esc-html.js';
import { isPhpEmpty } from '../../lib/wordpress-text/formatting/php-empty.js';
import { isTruthyWord } from '../../lib/wordpress-text/formatting/truthy-word.js';
import {
  entryId,
  firstLink,
  firstMeta,
  hasPassword,
  type JsonLdTexts,
  type PostRecord,
} from '../../wordpress/posts/post-record.js';
import { leadingMembers, textMembers } from '../base/post-json.js';
import type { LoadedPost } from '../base/resource.js';
import { jsonLdOf, type ResponseContext, textsOf } from '../base/response-context.js';
import { type OrganizerJson, organizerJsonLd } from '../organizers/organizer.response.js';
import { ORGANIZER } from '../organizers/organizer-type.js';
import type { PostTermsJson } from '../terms/post-terms.service.js';
import { type VenueJson, venueJsonLd } from '../venues/venue.response.js';
import { VENUE } from '../venues/venue-type.js';
import { COST_KEYS, eventCost } from './cost.js';
import type { EventJson } from './event-json.js';
import { type EventJsonLd, eventJsonLd } from './event-json-ld.js';

/** An event with its terms and linked records. */
export interface LoadedEvent extends LoadedPost {
  terms: PostTermsJson;
  /** Linked records that exist and that the reader may see, in row order. */
  venues: readonly PostRecord[];
  organizers: readonly PostRecord[];
}

/** Makes the JSON of an event (docs/behaviour/events.md#members-of-an-event); only single reads have `json_ld`. */
export function toEventResponse(
  event: LoadedEvent,
  context: ResponseContext,
  { jsonLd = false } = {},
): Expiring<EventJson> {
  return combine((unwrap) => eventJson(event, context, jsonLd, unwrap));
}

function eventJson(event: LoadedEvent, context: ResponseContext, jsonLd: boolean, unwrap: Unwrap): EventJson {
  const { post } = event;
  const meta = (key: string) => firstMeta(post, key);
  const cost = eventCost(post, context.settings.currency, context.settings.render.locale);
  const website = meta('_EventURL');
  const venues = embedded<VenueJson>(event.venues, context, unwrap);
  const [only] = venues;
  const leading = leadingMembers(post, context);
  const json: EventJson = {
    id: entryId(post),
    ...globalIds(post, context.settings.links.home),
    ...leading,
    rest_url: restUrl(context.base, `/events/${entryId(post)}`),
    title: textsOf(post, context).title,
    ...textMembers(post, context),
    all_day: isTruthyWord(meta('_EventAllDay') ?? false),
    ...dateMembers('start_date', meta('_EventStartDate'), context, unwrap),
    ...dateMembers('end_date', meta('_EventEndDate'), context, unwrap),
    ...dateMembers('utc_start_date', meta('_EventStartDateUTC'), context, unwrap),
    ...dateMembers('utc_end_date', meta('_EventEndDateUTC'), context, unwrap),
    timezone: meta('_EventTimezone') ?? '',
    timezone_abbr: meta('_EventTimezoneAbbr') ?? '',
    cost: cost.text,
    cost_details: {
      currency_symbol: meta(COST_KEYS.symbol) ?? '',
      currency_code: meta(COST_KEYS.code) ?? '',
      currency_position: meta(COST_KEYS.position) ?? '',
      values: cost.values,
    },
    website: website === undefined ? leading.url : escHtml(website),
    show_map: isPhpFlagSet(meta('_EventShowMap')),
    show_map_link: isPhpFlagSet(meta('_EventShowMapLink')),
    hide_from_listings: meta('_EventHideFromUpcoming') === 'yes',
    sticky: post.menuOrder === -1,
    featured: Number(meta('_tribe_featured')) === 1,
    categories: event.terms['categories'] ?? [],
    tags: event.terms['tags'] ?? [],
    venue: only && venues.length === 1 ? only : venues,
    organizer: embedded<OrganizerJson>(event.organizers, context, unwrap),
    custom_fields: customFields(post, context),
  };
  // An event with a password has no structured data, even when the password was right, as recorded.
  const json_ld =
    jsonLd &&
    !hasPassword(post) &&
    jsonLdOf(post, context, (_, texts, image) => toEventJsonLd(event, context, { texts, image, unwrap }));
  if (json_ld) json.json_ld = json_ld;
  return json;
}

/** The JSON of linked records, rendered before. */
function embedded<Json extends object>(
  records: readonly PostRecord[],
  context: ResponseContext,
  unwrap: Unwrap,
): Json[] {
  return records.map(({ id }) => {
    const json = context.embedded.get(id) as Expiring<Json> | undefined;
    if (!json) throw new Error(`the linked post ${id} was not rendered`);
    return unwrap(json);
  });
}

/** An absolute stored date, or none; anything else is read relative to the present. */
const ABSOLUTE_DATE = /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)?$/;

/** Reads a stored date, which may be relative to the time (epoch seconds). */
function readDate<T>(
  text: string | undefined,
  time: RequestTime,
  read: (text: string | undefined, now: number) => T,
): Expiring<T> {
  const isWhole = ABSOLUTE_DATE.test(text ?? '');
  return isWhole ? Expiring.of(read(text, 0)) : time.atSecond((now) => read(text, now));
}

function dateMembers<Name extends string>(
  name: Name,
  value: string | undefined,
  { time }: ResponseContext,
  unwrap: Unwrap,
): Record<Name, string | null> & Record<`${Name}_details`, DateDetails> {
  const details = unwrap(readDate(value, time, (text, now) => storedDateDetails(text ?? '', now)));
  return { [name]: value ?? null, [`${name}_details`]: details } as ReturnType<typeof dateMembers<Name>>;
}

/** Reads a raw flag as PHP does: "" and "0" are false, any other text and a missing row are true. */
function isPhpFlagSet(value: string | undefined): boolean {
  return value === undefined || (value !== '' && value !== '0');
}

function customFields(post: PostRecord, { settings }: ResponseContext): EventJson['custom_fields'] {
  const filled = settings.customFields.flatMap(({ name, label }) => {
    const value = firstMeta(post, name) ?? '';
    return isPhpEmpty(value) ? [] : [[name, { label, value }] as const];
  });
  return filled.length > 0 ? Object.fromEntries(filled) : [];
}

function toEventJsonLd(
  { post, venues, organizers }: LoadedEvent,
  context: ResponseContext,
  { texts, image, unwrap }: { texts: JsonLdTexts; image: string | false | undefined; unwrap: Unwrap },
): EventJsonLd {
  const { settings } = context;
  const venue = firstLink(post, VENUE.linkKey, venues);
  const organizer = firstLink(post, ORGANIZER.linkKey, organizers);
  return eventJsonLd(post, {
    texts,
    links: settings.links,
    currency: settings.currency,
    locale: settings.render.locale,
    siteZone: settings.zone,
    zoneMode: settings.timezoneMode,
    wallSeconds: (text) => unwrap(readDate(text, context.time, storedWallSeconds)),
    readable: context.access.mayRead(post),
    image,
    location: venue && jsonLdOf(venue, context, venueJsonLd),
    organizer: organizer && jsonLdOf(organizer, context, organizerJsonLd),
  });
}
