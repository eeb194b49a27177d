import { globalIds } from '../calendar/global-ids.js';
import {
  hasJsonLd,
  isLocked,
  jsonLdImage,
  jsonLdTexts,
  postUrl,
  type ResponseContext,
  textsOf,
} from '../resources/response-context.js';
import { restUrl } from '../http/rest-request.js';
import { toOrganizerJsonLd } from '../organizers/organizer.response.js';
import { toVenueJsonLd } from '../venues/venue.response.js';
import { CATEGORY } from '../categories/category-type.js';
import type { TermType } from '../event-terms/term-type.js';
import { ORGANIZER } from '../organizers/organizer-type.js';
import { TAG } from '../tags/tag-type.js';
import { VENUE } from '../venues/venue-type.js';
import { storedDateDetails } from '../wordpress/dates/stored-date.js';
import { escHtml } from '../wordpress/formatting/esc-html.js';
import { isPhpEmpty } from '../wordpress/formatting/php-empty.js';
import { isTruthyWord } from '../wordpress/formatting/truthy-word.js';
import { firstLink } from '../wordpress/posts/linked-ids.js';
import { maskProtected } from '../wordpress/posts/post-password.js';
import { firstMeta, type PostRecord } from '../wordpress/posts/post-record.js';
import { imageOf } from '../wordpress/posts/post-response.js';
import type { TermRecord } from '../wordpress/terms/term-record.js';
import { COST_KEYS, eventCost } from './cost.js';
import type { EventBundle } from './event-bundles.service.js';
import { type EventJsonLd, eventJsonLd } from './event-json-ld.js';

/** TODO */
export type EventJson = Record<string, unknown>;

/**
 * An event as the interface shows it (docs/behaviour/events.md#members-of-an-event); `json_ld` belongs to single reads
 * only.
 */
export function toEventResponse(
  event: EventBundle,
  context: ResponseContext,
  { jsonLd = false } = {},
): EventJson {
  const { post } = event;
  const locked = isLocked(post, context);
  const texts = textsOf(post, context);
  const meta = (key: string) => firstMeta(post, key);
  const cost = eventCost(post, context.settings.currency, context.settings.render.locale);
  const url = postUrl(post, context);
  const website = meta('_EventURL');
  const embedded = (records: readonly PostRecord[]) => records.map(({ id }) => context.embedded.get(id));
  const venues = embedded(event.venues);
  const { global_id, global_id_lineage } = globalIds(post, context.settings.links.home);
  const body: Record<string, unknown> = {
    id: post.id,
    global_id,
    global_id_lineage,
    author: String(post.author),
    status: post.status,
    date: post.date,
    date_utc: post.dateGmt,
    modified: post.modified,
    modified_utc: post.modifiedGmt,
    url,
    rest_url: restUrl(context.base, `/events/${post.id}`),
    title: texts.title,
    description: texts.description,
    excerpt: texts.excerpt,
    slug: post.name,
    image: imageOf(post, context.render),
    all_day: isTruthyWord(meta('_EventAllDay') ?? false),
    ...dateMembers('start_date', meta('_EventStartDate'), context),
    ...dateMembers('end_date', meta('_EventEndDate'), context),
    ...dateMembers('utc_start_date', meta('_EventStartDateUTC'), context),
    ...dateMembers('utc_end_date', meta('_EventEndDateUTC'), context),
    timezone: meta('_EventTimezone') ?? '',
    timezone_abbr: meta('_EventTimezoneAbbr') ?? '',
    cost: cost.text,
    cost_details: {
      currency_symbol: meta(COST_KEYS.symbol) ?? '',
      currency_code: meta(COST_KEYS.code) ?? '',
      currency_position: meta(COST_KEYS.position) ?? '',
      values: cost.values,
    },
    website: website === undefined ? url : escHtml(website),
    show_map: isShown(meta('_EventShowMap')),
    show_map_link: isShown(meta('_EventShowMapLink')),
    hide_from_listings: meta('_EventHideFromUpcoming') === 'yes',
    sticky: post.menuOrder === -1,
    featured: Number(meta('_tribe_featured')) === 1,
    categories: termMembers(event.terms, CATEGORY, context),
    tags: termMembers(event.terms, TAG, context),
    venue: venues.length === 1 ? venues[0] : venues,
    organizer: embedded(event.organizers),
    custom_fields: customFields(post, context),
  };
  if (locked) return maskProtected(body);
  // An event keeps it back even when its password was right, as recorded.
  return jsonLd && post.password === '' && hasJsonLd(post, context)
    ? { ...body, json_ld: toEventJsonLd(event, context) }
    : body;
}

function dateMembers(
  name: string,
  value: string | undefined,
  { now }: ResponseContext,
): Record<string, unknown> {
  return {
    [name]: value ?? null,
    [`${name}_details`]: storedDateDetails(value ?? '', Math.floor(now / 1000)),
  };
}

/** PHP's reading of a raw flag: "" and "0" are no, every other text is yes, no row at all is yes. */
function isShown(value: string | undefined): boolean {
  return value === undefined || (value !== '' && value !== '0');
}

function termMembers(terms: readonly TermRecord[], { taxonomy, path }: TermType, { base }: ResponseContext) {
  const collection = restUrl(base, `/${path}`);
  return terms
    .filter((term) => term.taxonomy === taxonomy)
    .map((term) => ({
      name: term.name,
      slug: term.slug,
      term_group: term.termGroup,
      term_taxonomy_id: term.termTaxonomyId,
      taxonomy,
      description: term.description,
      parent: term.parent,
      count: term.count,
      filter: 'raw',
      id: term.id,
      urls: {
        self: `${collection}/${term.id}`,
        collection,
        ...(term.parent ? { up: `${collection}/${term.parent}` } : {}),
      },
    }));
}

function customFields(post: PostRecord, { settings }: ResponseContext): unknown {
  const filled = settings.customFields.flatMap(({ name, label }) => {
    const value = firstMeta(post, name);
    return isPhpEmpty(value) ? [] : [[name, { label, value }] as const];
  });
  return filled.length > 0 ? Object.fromEntries(filled) : [];
}

function toEventJsonLd({ post, venues, organizers }: EventBundle, context: ResponseContext): EventJsonLd {
  const { settings } = context;
  const venue = firstLink(post, VENUE.linkKey, venues);
  const organizer = firstLink(post, ORGANIZER.linkKey, organizers);
  return eventJsonLd(post, {
    texts: jsonLdTexts(post, context),
    links: settings.links,
    currency: settings.currency,
    locale: settings.render.locale,
    siteZone: settings.zone,
    zoneMode: settings.timezoneMode,
    now: Math.floor(context.now / 1000),
    readable: context.access.mayRead(post),
    image: jsonLdImage(post, context),
    location: venue && toVenueJsonLd(venue, context),
    organizer: organizer && toOrganizerJsonLd(organizer, context),
  });
}
