import { type Html, html } from '../../lib/html.js';
import { webAddress } from '../../lib/wordpress-text/formatting/web-address.js';
import { venuesOf } from '../../resources/events/event-entry.js';
import type { EventJson } from '../../resources/events/event-json.js';
import type { EventStates } from '../../resources/events/event-states.js';
import type { OrganizerJson } from '../../resources/organizers/organizer.response.js';
import type { EventTermJson } from '../../resources/terms/term.response.js';
import type { VenueJson } from '../../resources/venues/venue.response.js';
import type { Position } from '../../resources/venues/venue-places.service.js';
import { calendarLinks } from './calendar-links.js';
import { type CalendarQuery, calendarSearch, chosenZone } from './calendar-query.js';
import { categoryHue } from './category-hue.js';
import {
  addressOf,
  cutText,
  imageOf,
  mapLink,
  plain,
  safeDescription,
  type WithImage,
} from './event-texts.js';
import type { PageLanguage } from './page-language.js';
import { dateLinks, recurrenceRow } from './recurrence-html.js';
import {
  dateFormat,
  isDate,
  moment,
  sameZone,
  type TimeStyle,
  timesIn,
  timeText,
  zoneText,
} from './shown-time.js';
import type { SiteLinks } from './site-links.js';

/** The common input of the page's parts. */
export interface PageContext extends SiteLinks, EventStates {
  query: CalendarQuery;
  language: PageLanguage;
  style: TimeStyle;
  /** The site's zone: `Europe/Berlin` or `+05:30`. */
  zone: string;
  /** Whether times default to the site's clock instead of each event's own. */
  onSiteClock: boolean;
  /** Relative URLs of the server's root, this page and the interface. */
  root: string;
  here: string;
  api: string;
  /** URL of the site's uploads. */
  uploads: string;
  /** Alternative texts by the id of the image. */
  altTexts: ReadonlyMap<number, string>;
  /** In UTC, `YYYY-MM-DD HH:MM:SS`; on pages of events on several dates. */
  now?: string;
}

const EXCERPT = 200;
const SUMMARY = 160;

/** An event in a list; `address` is that of its page, by default its details in the calendar. */
export function eventItem(event: EventJson, context: PageContext, address?: string): Html {
  const [venue] = venuesOf(event);
  const { start } = timesIn(event, shownZone(context));
  const image = imageOf(event, 'medium');
  const place = venue && [plain(venue.venue), plain(venue.city)].filter(Boolean).join(', ');
  return html`<li class="item ${hueOf(event)}">
${isDate(start) && html`<p class="day" aria-hidden="true">${dayParts(start, context)}</p>`}
<div class="text">
<h3><a href="${address ?? context.here + calendarSearch(context.query, { event: event.id })}">${titleOf(event)}</a></h3>
${callOff(event, context)}<p class="when">${timeElement(event, context)}</p>
${place && html`<p class="place">${place}</p>`}
${event.cost && html`<p class="price">${plain(event.cost)}</p>`}
${event.excerpt && html`<p class="excerpt">${cutText(plain(event.excerpt), EXCERPT)}</p>`}
</div>
${image !== undefined && html`<img src="${image}" alt="" loading="lazy">`}
</li>
`;
}

/** The details of an event, also used in the calendar's dialog. */
export function eventArticle(event: EventJson, context: PageContext, positions: Positions): Html {
  const { texts } = context.language;
  const pageOf = (address: unknown) => (context.isSite ? context.localUrl(address) : webAddress(address));
  const image = imageOf(event);
  const description = safeDescription(event.description, context);
  const page = pageOf(event.url);
  const isProtected = event.all_day === null;
  return html`<article class="event ${hueOf(event)}" id="event">
${image !== undefined && html`<img src="${image}" alt="${altOf(event, context)}" loading="lazy">`}
<p class="terms">${event.categories.map((term) => chip(term, 'category', context))}${event.tags.map((term) => chip(term, 'tag', context))}</p>
<h2 id="event-title">${titleOf(event)}</h2>
${callOff(event, context)}<dl>
<div><dt>${texts.when}</dt><dd>${timeElement(event, context, true)}</dd></div>
${recurrenceRow(event, context.language, context.style.hour12)}${venuesOf(event).map((venue) => {
  const onMap = venueOnMap(event, venue, positions);
  return venueRow(venue, pageOf(venue.url), addressAndMap(venue, onMap, context.language), context, OUT);
})}
${organizerRow(event, ({ url }) => pageOf(url), context, OUT)}
${costAndWebsite(event, context.language)}
</dl>
${dateLinks(event, context, (id) => context.here + calendarSearch(context.query, { event: id }))}${isProtected ? html`<p class="note">${texts.protected}</p>` : description && html`<div class="description" dir="auto">${description}</div>`}
<p class="actions">
${!isProtected && addingLinks(event, context)}
${page !== undefined && html`<a class="button" href="${page}" ${OUT}>${texts.eventPage}</a>`}
</p>
</article>
`;
}

/** The positions of venues by id. */
export type Positions = ReadonlyMap<number, Position>;

/** What a page may show of a venue on a map. */
export interface OnMap {
  position?: Position;
  hasLink: boolean;
}

/** The maps that an event allows of its venue. */
export function venueOnMap(event: EventJson, { id }: VenueJson, positions: Positions): OnMap {
  const position = event.show_map === false ? undefined : positions.get(id);
  return { position, hasLink: event.show_map_link !== false };
}

/** Address, map link and given map of a venue; undefined if it has none of them. */
export function addressAndMap(
  venue: VenueJson,
  { position, hasLink }: OnMap,
  { texts }: PageLanguage,
  map?: Html,
): Html | undefined {
  const address = addressOf(venue).join(', ');
  const link = hasLink ? mapLink(venue, position) : undefined;
  if (address === '' && !map && link === undefined) return undefined;
  return html`${address !== '' && html`<bdi>${address}</bdi>`}${
    link !== undefined && html`${address !== '' && html`<br>`}<a href="${link}" ${OUT}>${texts.map}</a>`
  }${map}`;
}

/** The row of a venue, with the URL of its page; nothing if a password hides it. */
export function venueRow(
  { venue }: VenueJson,
  url: string | undefined,
  place: Html | undefined,
  { language }: PageContext,
  attributes?: Html,
): Html | false {
  const name = plain(venue);
  if (name === '' && place === undefined) return false;
  const lines = [name !== '' && linked(name, url, attributes), place].filter(Boolean);
  return html`<div><dt>${language.texts.where}</dt><dd>${lines.map((line, at) => [at > 0 && html`<br>`, line])}</dd></div>
`;
}

/** The row of an event's organizers, with the URLs of their pages. */
export function organizerRow(
  { organizer: all }: EventJson,
  urlOf: (organizer: OrganizerJson) => string | undefined,
  { language }: PageContext,
  attributes?: Html,
): Html | false {
  const named = all.flatMap((one) => {
    const name = plain(one.organizer);
    return name === '' ? [] : [linked(name, urlOf(one), attributes)];
  });
  if (named.length === 0) return false;
  return html`<div><dt>${language.texts.organizer}</dt><dd>${named.map((one, at) => [at > 0 && ', ', one])}</dd></div>`;
}

/** Rows of the cost and the website, which the interface fills with the event's own page where there is none. */
export function costAndWebsite(event: EventJson, { texts }: PageLanguage): Html {
  const website = webAddress(event.website);
  const isOther = website !== undefined && website !== webAddress(event.url);
  return html`${event.cost && html`<div><dt>${texts.cost}</dt><dd><bdi>${plain(event.cost)}</bdi></dd></div>`}
${isOther && html`<div><dt>${texts.website}</dt><dd><a href="${website}" dir="ltr" ${OUT}>${new URL(website).host}</a></dd></div>`}`;
}

/** Links that add an event to calendars. */
export function addingLinks(event: EventJson, { api, language }: PageContext): Html {
  const links = calendarLinks(event, titleOf(event));
  return html`<a class="button primary" href="${api}/events/${event.id}.ics">${language.texts.addToCalendar}</a>
${links.map(({ name, address }) => html`<a class="button" href="${address}" ${OUT}>${name}</a>\n`)}`;
}

/** Time and text of an event for search engines and shared links. */
export function eventSummary(event: EventJson, context: PageContext): string {
  const when = timeText(timesIn(event, shownZone(context)), context.style);
  const about = event.all_day === null ? '' : plain(event.excerpt) || plain(event.description);
  return cutText([when, about].filter(Boolean).join('. '), SUMMARY);
}

export function callOff({ id }: EventJson, { cancelled: isCancelled, language }: PageContext): Html | false {
  const off = isCancelled.get(id);
  return off !== undefined && html`<p class="off">${language.texts[off]}</p>\n`;
}

/** The alternative text of a record's image; empty where it has none. */
export const altOf = ({ image }: WithImage, { altTexts }: Pick<PageContext, 'altTexts'>): string =>
  (image && altTexts.get(image.id)) || '';

/** The plain title of an event, never empty because links need a name. */
export function titleOf(event: EventJson): string {
  return plain(event.title) || `#${event.id}`;
}

/** The zone of times; undefined for each event's own. The server does not know the visitor's. */
export function shownZone(context: PageContext): string | undefined {
  return chosenZone(context.query, context) === 'event' ? undefined : context.zone;
}

/** A time element with data for the script to convert it. */
export function timeElement(event: EventJson, context: PageContext, isLong = false): Html {
  const zone = shownZone(context);
  const time = timesIn(event, zone);
  const { language, zone: site } = context;
  const ofEvent = zone ?? event.timezone;
  const needsZone = !time.allDay && ofEvent !== '' && (isLong || !sameZone(ofEvent, site));
  const { all_day, start_date, end_date, utc_start_date, utc_end_date, timezone } = event;
  const times = { all_day, start_date, end_date, utc_start_date, utc_end_date, timezone };
  return html`<time datetime="${isDate(start_date) && start_date.replace(' ', 'T')}" data-times="${JSON.stringify(times)}"${isLong && ' data-long'}>${timeText(time, context.style)}${
    needsZone && ` (${zoneText(ofEvent, utc_start_date, language.tag)})`
  }</time>`;
}

function dayParts(start: string, { language }: PageContext): Html[] {
  const date = moment(start);
  const part = (options: Intl.DateTimeFormatOptions) =>
    dateFormat(language.tag, { ...options, timeZone: 'UTC' }).format(date);
  return [
    html`<span>${part({ weekday: 'short' })}</span>`,
    html`<b>${part({ day: 'numeric' })}</b>`,
    html`<span>${part({ month: 'short' })}</span>`,
  ];
}

/** External links would otherwise open inside an embedding frame. */
export const OUT = html`target="_blank" rel="noopener"`;

/** A name, isolated from the direction of the page, with a link where it has a URL. */
function linked(name: string, url: string | undefined, attributes?: Html): Html {
  const link = html`<a href="${url}"${attributes && html` ${attributes}`}>${name}</a>`;
  return html`<bdi>${url === undefined ? name : link}</bdi>`;
}

export function chip(
  { name, slug }: EventTermJson,
  filter: 'category' | 'tag',
  { here, query }: PageContext,
): Html {
  const filters = { [filter]: slug };
  const to = calendarSearch(query, { filters, event: undefined, page: 1 });
  return html`<a class="chip ${filter === 'category' ? categoryHue(slug) : 'tag'}" href="${here}${to}">${plain(name)}</a> `;
}

export function hueOf({ categories }: EventJson): string {
  return categoryHue(categories[0]?.slug);
}
