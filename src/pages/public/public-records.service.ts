import { Injectable } from '@nestjs/common';
import { Environment } from '../../config/env.js';
import { ParameterReader } from '../../http/params/parameters.js';
import { decodePercent, type Parameters as Values } from '../../http/params/php-parameters.js';
import type { RequestContext } from '../../http/request-context.js';
import { RequestContexts } from '../../http/request-contexts.service.js';
import type { Html } from '../../lib/html.js';
import { localizeDate } from '../../lib/wordpress-text/dates/convert.js';
import { addSeconds, formatWallClock, secondsBetween } from '../../lib/wordpress-text/dates/wall-clock.js';
import { guessZoneName } from '../../lib/wordpress-text/dates/zones.js';
import { CategoriesService } from '../../resources/categories/categories.service.js';
import { ListEventsQuery } from '../../resources/events/event.dto.js';
import type { EventJson } from '../../resources/events/event-json.js';
import { EVENT } from '../../resources/events/event-type.js';
import { CreateEventDto } from '../../resources/events/event-write.dto.js';
import { EventsService } from '../../resources/events/events.service.js';
import { Occurrences } from '../../resources/events/occurrences.service.js';
import { Recurrences } from '../../resources/events/recurrences.service.js';
import { STEP_MS } from '../../resources/events/several-occurrences.js';
import { ORGANIZER } from '../../resources/organizers/organizer-type.js';
import { OrganizersService } from '../../resources/organizers/organizers.service.js';
import { TagsService } from '../../resources/tags/tags.service.js';
import { VenuePlaces } from '../../resources/venues/venue-places.service.js';
import { VENUE } from '../../resources/venues/venue-type.js';
import { VenuesService } from '../../resources/venues/venues.service.js';
import { PostsService } from '../../wordpress/posts/posts.service.js';
import { TermsService } from '../../wordpress/terms/terms.service.js';
import { asJson, CalendarPageService } from '../calendar/calendar-page.service.js';
import {
  type CalendarQuery,
  calendarSearch,
  filterParameters,
  InvalidCalendarUrl,
  readCalendarQuery,
} from '../calendar/calendar-query.js';
import { shownZone } from '../calendar/event-html.js';
import { datesAround } from '../calendar/recurrence-html.js';
import { isDate, moment, timesIn, wallText } from '../calendar/shown-time.js';
import { publicRoot } from '../calendar/site-links.js';
import { PageAssets } from '../page-assets.js';
import { publicTexts } from '../texts/public-texts.js';
import type { ArchiveAddress, RecordAddress } from './site-address.js';
import { PageTemplates } from './templates/page-templates.js';
import type { PublicPage } from './templates/page-views.js';

/** Upcoming events on the page of a venue or organizer. */
const UPCOMING = 20;
/** Events read to find a neighbour: as many may start at the same time. */
const NEIGHBOURS = 20;
/** Past events on a page, as on one of the calendar page's list. */
const PAST = 20;
/** How long lists of upcoming events may be cached, in milliseconds. */
const UPCOMING_MS = 15 * 60_000;

/** Builds the pages of records from the anonymous responses of the interface. */
@Injectable()
export class PublicRecords {
  /** The public URL of this server. */
  readonly publicRoot: string;

  constructor(
    private readonly env: Environment,
    private readonly assets: PageAssets,
    private readonly contexts: RequestContexts,
    private readonly reader: ParameterReader,
    private readonly calendar: CalendarPageService,
    private readonly templates: PageTemplates,
    private readonly posts: PostsService,
    private readonly terms: TermsService,
    private readonly events: EventsService,
    private readonly occurrences: Occurrences,
    private readonly recurrences: Recurrences,
    private readonly venues: VenuesService,
    private readonly places: VenuePlaces,
    private readonly organizers: OrganizersService,
    private readonly categories: CategoriesService,
    private readonly tags: TagsService,
  ) {
    this.publicRoot = publicRoot(env);
  }

  /** The query of the calendar page that shows what an archive does; undefined for unknown terms and dates. */
  async calendarSearch({ term, params, isPast }: ArchiveAddress, context: RequestContext) {
    const filter = term && (await this.termFilter(term, context));
    if (term && !filter) return undefined;
    const search = new URLSearchParams({ ...params, ...filter }).toString();
    try {
      if (search === '') return '';
      const query = readCalendarQuery(search);
      if (!isPast) return calendarSearch(query);
      return calendarSearch(query, { date: await this.pastFrom(query, context), page: 1 });
    } catch (error) {
      if (error instanceof InvalidCalendarUrl) return undefined;
      throw error;
    }
  }

  /** The page of a record; undefined if there is none that anonymous callers may see. */
  async page(address: RecordAddress, root: string, context: RequestContext): Promise<Html | undefined> {
    const page = this.frame(root, context);
    const id = await this.idOf(address, context);
    if (id === undefined) return undefined;
    switch (address.kind) {
      case 'event':
        return this.eventPage(id, page, context);
      case 'venue': {
        const [venue] = await this.venues.some([id], context);
        if (!venue) return undefined;
        const positions = await this.places.positions({}, context);
        const events = await this.upcoming({ venue: String(id) }, context);
        const altTexts = await this.calendar.altTexts(venue);
        return this.templates.venue({ ...page, altTexts }, { venue, position: positions.get(id), events });
      }
      case 'organizer': {
        const [organizer] = await this.organizers.some([id], context);
        if (!organizer) return undefined;
        const events = await this.upcoming({ organizer: String(id) }, context);
        const altTexts = await this.calendar.altTexts(organizer);
        return this.templates.organizer({ ...page, altTexts }, { organizer, events });
      }
    }
  }

  async missing(root: string): Promise<Html> {
    return this.templates.missing(this.frame(root, await this.calendar.context()));
  }

  /** The page that an event with these values would have (docs/editor.md#what-it-does); `root` is relative. */
  async preview(values: Values, root: string, context: RequestContext): Promise<Html> {
    const fields = await this.reader.read(CreateEventDto, values, context);
    const anonymous = await this.contexts.anonymous();
    const event = asJson(await this.events.preview(fields, context, anonymous));
    return this.pageOf(event, this.frame(root, anonymous), anonymous);
  }

  private async eventPage(id: number, frame: PublicPage, context: RequestContext) {
    const found = await this.events.some([id], context);
    const [event] = await this.recurrences.addedTo(found, context);
    return event && this.pageOf(event, frame, context);
  }

  private async pageOf(event: EventJson, frame: PublicPage, context: RequestContext): Promise<Html> {
    const now = event.recurrence && context.time.within(STEP_MS, formatWallClock).value;
    const states = await this.calendar.statesOf([event], context);
    const own = await this.ownDate(event, context);
    const { before, after } = datesAround(event, now);
    const near = [before, after].filter((id) => id !== undefined);
    const [altTexts, previous, next, dates, positions] = await Promise.all([
      this.calendar.altTexts(event),
      this.neighbour(own ?? event, 'desc', frame, context),
      this.neighbour(own ?? event, 'asc', frame, context),
      near.length > 0 ? this.events.some(near, context) : [],
      this.places.positions({}, context),
    ]);
    return this.templates.event(
      { ...frame, ...states, now, altTexts },
      { event, previous, next, positions, dates: new Map(dates.map((date) => [date.id, date])) },
    );
  }

  /** The date that the own page of a recurring event has, the first one; undefined for other pages. */
  private async ownDate({ id, recurrence, start_date: start }: EventJson, context: RequestContext) {
    if (recurrence?.event_id !== id || !isDate(start)) return undefined;
    const date = await this.occurrences.onDay(id, start.slice(0, 10), 1, context.settings);
    const [found] = date === undefined ? [] : await this.events.some([date], context);
    return found;
  }

  private async idOf({ kind, record, day, sequence }: RecordAddress, { settings }: RequestContext) {
    const { type } = { event: EVENT, venue: VENUE, organizer: ORGANIZER }[kind];
    const id = typeof record === 'number' ? record : await this.posts.idAtAddress(type, record);
    if (!id || day === undefined) return id ?? undefined;
    return this.occurrences.onDay(id, day, Number(sequence), settings);
  }

  /** Filters are by slug, or by id where a slug would be taken for one. */
  private async termFilter(
    { taxonomy, slug }: { taxonomy: 'category' | 'tag'; slug: string },
    context: RequestContext,
  ) {
    const service = { category: this.categories, tag: this.tags }[taxonomy];
    const { locale } = context.settings.render;
    const found = await this.terms.named(service.kind.taxonomy, [slug], locale);
    const term = found.find((one) => decodePercent(one.slug) === slug);
    if (!term || !(await service.tryFindVisible(term.id, context))) return undefined;
    return { [taxonomy]: Number.isNaN(Number(slug)) ? slug : String(term.id) };
  }

  private async list(params: Readonly<Record<string, string | number>>, context: RequestContext) {
    const query = { strict_dates: 'true', ...params };
    const found = await this.events.list(await this.reader.read(ListEventsQuery, query, context), context);
    return found.events.map(asJson);
  }

  /** The first day of a page of past events, from which the calendar page lists them; undefined if there are none. */
  private async pastFrom(query: CalendarQuery, context: RequestContext): Promise<string | undefined> {
    const { value: now } = context.time.within(UPCOMING_MS, formatWallClock);
    const latest = { ends_before: now, orderby: 'start_date', order: 'desc', per_page: PAST };
    const events = await this.list({ ...filterParameters(query), ...latest, page: query.page }, context);
    const zone = shownZone(this.calendar.frame(query, '', context));
    const days = events.map((event) => timesIn(event, zone).start.slice(0, 10));
    return days.filter((day) => day > '0001').toSorted()[0];
  }

  private upcoming(filter: Readonly<Record<string, string>>, context: RequestContext) {
    const { value: now } = context.time.within(UPCOMING_MS, formatWallClock);
    return this.list({ ...filter, ends_after: now, per_page: UPCOMING }, context);
  }

  /** The event before or after another, by start and id. */
  private async neighbour(
    event: EventJson,
    order: 'asc' | 'desc',
    { zone, onSiteClock }: PublicPage,
    context: RequestContext,
  ): Promise<EventJson | undefined> {
    const key = onSiteClock ? 'utc_start_date' : 'start_date';
    // Sites in UTC filter by UTC, but sort by the clock of each event.
    const isUtc = onSiteClock || /^(UTC|\+00:00)$/.test(zone);
    const start = isUtc ? event.utc_start_date : event.start_date;
    // The interface rejects dates before 1970.
    if (!isDate(start) || start < '1970-01-03' || start > '9999-12-30') return undefined;
    const way = order === 'asc' ? 1 : -1;
    // The edges are exclusive, and other events may start at the same time.
    const wall = wallText(new Date(moment(start).getTime() - way * 1000));
    const edge = isUtc ? wall : edgeIn(context.settings.zone, wall, order);
    const params = { [way > 0 ? 'starts_after' : 'starts_before']: edge, orderby: 'start_date' };
    const events = await this.list({ ...params, order, per_page: NEIGHBOURS }, context);
    const compare = (a: EventJson, b: EventJson) => {
      const [from, to] = [a[key] ?? '', b[key] ?? ''];
      return way * (from === to ? a.id - b.id : from < to ? -1 : 1);
    };
    return events.filter((other) => compare(other, event) > 0).toSorted(compare)[0];
  }

  private frame(root: string, context: RequestContext): PublicPage {
    const { settings } = context;
    const page = this.calendar.frame({ filters: {}, page: 1, embed: false }, root, context);
    const styles = ['calendar.css', 'public.css', 'theme.css'].flatMap(
      (name) => this.assets.address(name) ?? [],
    );
    return {
      ...page,
      stylesheets: styles.map((address) => root + address),
      publicTexts: publicTexts(page.language.lang),
      isIndexed: settings.options.get('blog_public') !== '0',
      mapTiles: this.env.mapTiles,
    };
  }
}

/** A wall clock of the site as a filter; one that a change of the clock skips would mean a later one. */
function edgeIn(zone: string, wall: string, order: 'asc' | 'desc'): string {
  const name = guessZoneName(zone);
  const intended = localizeDate(`${wall} ${name}`, zone, 0) || wall;
  const isSkipped = order === 'asc' && intended > wall;
  return `${isSkipped ? addSeconds(wall, -secondsBetween(wall, intended)) : wall} ${name}`;
}
