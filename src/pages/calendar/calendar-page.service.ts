import { Injectable } from '@nestjs/common';
import { RestException } from '../../common/errors/rest-exception.js';
import { mapYielding } from '../../common/event-loop.js';
import { Environment } from '../../config/env.js';
import { Database } from '../../database/database.js';
import { noRoute } from '../../http/errors/error-response.js';
import { ParameterReader } from '../../http/params/parameters.js';
import type { RequestContext } from '../../http/request-context.js';
import { RequestContexts } from '../../http/request-contexts.service.js';
import { SerializedJson } from '../../http/serialized-response.js';
import { type Html, html } from '../../lib/html.js';
import { formatOffset, formatWallClock } from '../../lib/wordpress-text/dates/wall-clock.js';
import { buildZone, fixedUtcOffset, guessZoneName } from '../../lib/wordpress-text/dates/zones.js';
import { htmlEntityDecode } from '../../lib/wordpress-text/formatting/html-entity-decode.js';
import { CategoriesService } from '../../resources/categories/categories.service.js';
import { ListCategoriesQuery } from '../../resources/categories/category.dto.js';
import { ListEventsQuery } from '../../resources/events/event.dto.js';
import type { EventJson } from '../../resources/events/event-json.js';
import { type EventStates, eventStates } from '../../resources/events/event-states.js';
import { EventsService } from '../../resources/events/events.service.js';
import { Occurrences } from '../../resources/events/occurrences.service.js';
import { Recurrences } from '../../resources/events/recurrences.service.js';
import { STEP_MS } from '../../resources/events/several-occurrences.js';
import { truncateHtml } from '../../resources/events/truncate-html.js';
import { ListOrganizersQuery } from '../../resources/organizers/organizer.dto.js';
import { OrganizersService } from '../../resources/organizers/organizers.service.js';
import { ListTagsQuery } from '../../resources/tags/tag.dto.js';
import { TagsService } from '../../resources/tags/tags.service.js';
import { ListVenuesQuery } from '../../resources/venues/venue.dto.js';
import { VenuePlaces } from '../../resources/venues/venue-places.service.js';
import { VenuesService } from '../../resources/venues/venues.service.js';
import { alternativeTexts } from '../../wordpress/media/alternative-texts.js';
import { firstDayOf } from '../first-day.js';
import { PageAssets } from '../page-assets.js';
import { EN } from '../texts/calendar-en.js';
import { fill } from '../texts/fill.js';
import { type CalendarPage, calendarPage, type EventPage, errorPage, eventPage } from './calendar-html.js';
import { type CalendarQuery, filterParameters } from './calendar-query.js';
import { shownZone } from './event-html.js';
import { plain, type WithImage } from './event-texts.js';
import type { Choices } from './filter-form.js';
import { listedEvent, monthRange } from './inlined-events.js';
import { hoursOf, pageLanguage } from './page-language.js';
import { moment, timesIn, wallClock, wallText } from './shown-time.js';
import { publicRoot, siteLinks } from './site-links.js';

/** Events per page of the list. */
const PER_PAGE = 20;
/** In milliseconds: days begin at quarters of an hour in every zone. */
const QUARTER = 15 * 60_000;
/** Characters of a text that the list processes. */
const IN_LIST = 5_000;
/** Maximum choices of a filter; a URL may name others. */
const MAX_CHOICES = 100;
/** Maximum events in the page for the script. */
const MAX_INLINED = 100;

/** A filter by a term or record, which may be gone. */
const RECORD_FILTER = /^(?:categories|tags)=|^(?:venue|organizer)=[1-9]\d{0,14}$/;

/** A page and when it expires, in epoch milliseconds. */
interface TimelyPage {
  html: Html;
  until: number;
}

/** Builds the calendar page from the anonymous responses of the interface. */
@Injectable()
export class CalendarPageService {
  constructor(
    private readonly env: Environment,
    private readonly database: Database,
    private readonly assets: PageAssets,
    private readonly contexts: RequestContexts,
    private readonly reader: ParameterReader,
    private readonly events: EventsService,
    private readonly occurrences: Occurrences,
    private readonly recurrences: Recurrences,
    private readonly categories: CategoriesService,
    private readonly tags: TagsService,
    private readonly venues: VenuesService,
    private readonly places: VenuePlaces,
    private readonly organizers: OrganizersService,
  ) {}

  /** Builds the page for a URL, with links relative to `root`; throws for an invalid URL and for missing events. */
  async page(query: CalendarQuery, root: string): Promise<TimelyPage> {
    const context = await this.context();
    const html = await this.html(query, root, context);
    return { html, until: context.time.validity().until };
  }

  private async html(query: CalendarQuery, root: string, context: RequestContext): Promise<Html> {
    const page = this.frame(query, root, context);
    if (query.event !== undefined) {
      const found = await this.events.some([query.event], context);
      const [event] = await this.recurrences.addedTo(found, context);
      if (!event) throw new RestException('not_found', 'rest-event-not-found', page.language.texts.notFound);
      const now = event.recurrence && context.time.within(STEP_MS, formatWallClock).value;
      const altTexts = await this.altTexts(event);
      const frame = { ...page, ...(await this.statesOf([event], context)), altTexts, now };
      return eventPage(frame, event, await this.places.positions({}, context));
    }
    const [list, choices, inlined] = await Promise.all([
      this.list(query, page, context),
      this.choices(context),
      this.inlined(query, page, context),
    ]);
    const states = await this.statesOf(list.events, context);
    return calendarPage({ ...page, ...states }, list, choices, inlined);
  }

  async errorPage(query: CalendarQuery, root: string, exception: RestException): Promise<Html> {
    const page = this.frame(query, root, await this.context());
    const { invalidUrl, invalidValue, notFound } = page.language.texts;
    if (query.event !== undefined) return errorPage(page, notFound);
    const params = (exception.details.data?.['params'] ?? {}) as Record<string, string>;
    const name = Object.keys(params).join(', ');
    // The interface has its messages in English alone.
    if (name !== '' && invalidValue !== EN.invalidValue)
      return errorPage(page, invalidUrl, html`<p>${fill(invalidValue, { name })}</p>`);
    const message = Object.values(params).join(' ') || exception.message;
    return errorPage(page, invalidUrl, html`<p lang="en" dir="ltr">${message}</p>`);
  }

  async statesOf(events: readonly EventJson[], { settings }: RequestContext): Promise<EventStates> {
    const ids = events.map(({ id }) => id);
    return eventStates(this.database, events, await this.occurrences.postOf(ids, settings));
  }

  /** The alternative text of the image of a record, by the image's id. */
  altTexts(record: WithImage) {
    return alternativeTexts(this.database, [record]);
  }

  async context(): Promise<RequestContext> {
    const context = await this.contexts.anonymous();
    if (context.settings.restDisabled) throw noRoute();
    // Records come serialized from the cache of lists.
    return { ...context, allowSerialized: true };
  }

  private async list(query: CalendarQuery, page: CalendarPage, context: RequestContext): Promise<EventPage> {
    const day = query.date ?? page.today;
    const midnight = `${day} 00:00:00`;
    const params = {
      ...filterParameters(query),
      ends_after: beforeDay(day, context.settings.zone),
      strict_dates: 'true',
      page: query.page,
      per_page: PER_PAGE,
    };
    const list = await this.listQuery(params, context);
    if (!list) return { events: [], isLast: true };
    const found = await this.events.list(list, context);
    const ended = (event: EventJson) => {
      const { start, end } = timesIn(event, shownZone(page));
      return start < midnight && end === midnight;
    };
    const visible = found.events.map(asJson).filter((event) => !ended(event));
    const events = await mapYielding(visible, shortened);
    return { events, isLast: query.page >= found.total_pages };
  }

  /** The query of a list; undefined if a filter names what does not exist, so that nothing matches. */
  private async listQuery(params: Readonly<Record<string, unknown>>, context: RequestContext) {
    try {
      return await this.reader.read(ListEventsQuery, params, context);
    } catch (error) {
      const names = error instanceof RestException ? Object.keys(error.details.data?.['params'] ?? {}) : [];
      const isGone = names.every((name) => RECORD_FILTER.test(`${name}=${params[name]}`));
      if (names.length > 0 && isGone) return undefined;
      throw error;
    }
  }

  /** The events of the first month, which the script need not request; undefined for other views and for too many. */
  private async inlined(query: CalendarQuery, { today }: CalendarPage, context: RequestContext) {
    const month = `${(query.date ?? today).slice(0, 7)}-01`;
    const isFirst = (query.view ?? 'month') === 'month' && query.page === 1;
    if (!isFirst || month < '1970-02' || month > '9999') return undefined;
    const range = monthRange(month);
    const params = {
      ...filterParameters(query),
      ends_after: range.from,
      starts_before: range.to,
      strict_dates: 'true',
    };
    const list = await this.listQuery(params, context);
    if (!list) return { ...range, events: [] };
    const found = await this.events.list({ ...list, per_page: MAX_INLINED }, context);
    if (found.total > MAX_INLINED) return undefined;
    return { ...range, events: await mapYielding(found.events, (record) => listedEvent(asJson(record))) };
  }

  private async choices(context: RequestContext): Promise<Choices> {
    const first = async <T extends { per_page: number }>(query: new () => T): Promise<T> => ({
      ...(await this.reader.read(query, {}, context)),
      per_page: MAX_CHOICES,
    });
    const [categories, tags, venues, organizers] = await Promise.all([
      first(ListCategoriesQuery).then((list) => this.categories.list(list, context)),
      first(ListTagsQuery).then((list) => this.tags.list(list, context)),
      first(ListVenuesQuery).then((list) => this.venues.list(list, context)),
      first(ListOrganizersQuery).then((list) => this.organizers.list(list, context)),
    ]);
    const { compare } = new Intl.Collator(pageLanguage(context.settings.render.locale).tag);
    const named = (items: readonly (readonly [value: string | number | undefined, name: unknown])[]) =>
      new Map(
        items
          .map(([value, name]) => [String(value), plain(name)] as const)
          .filter(([, name]) => name !== '')
          .toSorted(([, a], [, b]) => compare(a, b)),
      );
    return {
      category: named(categories.categories.map(({ slug, name }) => [slug, name])),
      tag: named(tags.tags.map(({ slug, name }) => [slug, name])),
      venue: named(venues.venues.map(asJson).map(({ id, venue }) => [id, venue])),
      organizer: named(organizers.organizers.map(asJson).map(({ id, organizer }) => [id, organizer])),
    };
  }

  frame(query: CalendarQuery, root: string, { settings, base, time }: RequestContext): CalendarPage {
    const language = pageLanguage(settings.render.locale);
    const zone = zoneName(settings.zone);
    const hours = hoursOf(settings.options.get('time_format'), language.tag);
    const asset = (name: string) => {
      const address = this.assets.address(name);
      return address === undefined ? undefined : root + address;
    };
    const { pathPrefix } = this.env;
    const { value: utc } = time.within(QUARTER, formatWallClock);
    return {
      query,
      language,
      style: { language: language.tag, ...hours },
      zone,
      onSiteClock: settings.timezoneMode === 'site',
      root,
      here: `${root}calendar`,
      api: `${root}${pathPrefix.slice(1)}${pathPrefix && '/'}${base.namespace}`,
      siteName: htmlEntityDecode(settings.options.get('blogname') ?? ''),
      about: htmlEntityDecode(settings.options.get('blogdescription') ?? ''),
      currency: settings.currency,
      ...siteLinks(settings.links.home, root, this.env),
      canonical: `${publicRoot(this.env)}/calendar`,
      script: asset('calendar.js'),
      gridScript: asset('grid.js'),
      stylesheet: asset('calendar.css'),
      theme: asset('theme.css'),
      today: wallClock(utc, zone).slice(0, 10),
      firstDay: firstDayOf(settings.options),
      dayCutoff: settings.dayCutoff,
      cancelled: new Map(),
      withVenue: new Set(),
      uploads: settings.render.uploadsUrl,
      altTexts: new Map(),
    };
  }
}

/**
 * The second before a day on the site's clock, which the list excludes, as a date of the interface: that reads dates without
 * a zone as UTC and rejects the second before 1970.
 */
function beforeDay(day: string, zone: string): string {
  if (day < '1970-01-03') return `${day} 00:00:01`;
  const second = wallText(new Date(moment(`${day} 00:00:00`).getTime() - 1000));
  return `${second} ${guessZoneName(zone)}`;
}

/** The zone's name for browsers, which do not know offsets by name. */
function zoneName(text: string): string {
  const offset = fixedUtcOffset(text);
  return offset === undefined ? buildZone(text).name : formatOffset(offset);
}

/** Truncates the texts of an event for the list. */
const shortened = (event: EventJson): EventJson => ({
  ...event,
  excerpt: truncateHtml(event.excerpt, IN_LIST),
  description: truncateHtml(event.description, IN_LIST),
});

/** Parses a record that may be serialized already. */
export function asJson<T extends object>(record: T): T {
  return record instanceof SerializedJson ? (JSON.parse(record.json) as T) : record;
}
