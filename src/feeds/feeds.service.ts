import { Injectable } from '@nestjs/common';
import type { CalendarSettings } from '../calendar/calendar-settings.js';
import { mapYielding } from '../common/event-loop.js';
import { getRawParams, sentTexts } from '../http/params/check-context.js';
import type { RequestContext } from '../http/request-context.js';
import { restUrl } from '../http/rest-request.js';
import { RestResponse } from '../http/rest-response.js';
import { inUtf8 } from '../http/serialized-response.js';
import type { CalendarEntry } from '../lib/ical/calendar-entry.js';
import { htmlEntityDecode } from '../lib/wordpress-text/formatting/html-entity-decode.js';
import type { PostPage } from '../resources/base/list-query.js';
import { linkHeader } from '../resources/base/page.js';
import type { ReadQuery } from '../resources/base/response-context.js';
import type { GetEventBySlugQuery, GetEventQuery, ListEventsQuery } from '../resources/events/event.dto.js';
import type { EventJson } from '../resources/events/event-json.js';
import { EVENT } from '../resources/events/event-type.js';
import { EventsService } from '../resources/events/events.service.js';
import { Occurrences } from '../resources/events/occurrences.service.js';
import { truncateWithEllipsis } from '../resources/events/truncate-html.js';
import type { ListEntry } from '../wordpress/posts/list-order.js';
import { prettyLink } from '../wordpress/posts/permalink.js';
import { absoluteLinks } from './absolute-links.js';
import { CalendarEntries } from './calendar-entries.service.js';
import { calendarOf, calendarPieces } from './calendar-file.js';
import type { Feed } from './feed.js';
import type { FeedKind } from './feed-kind.js';
import { FeedNames } from './feed-names.service.js';
import { FileEvents, type LoadEvents } from './file-events.service.js';

/** Events loaded and rendered at a time. */
const BATCH_SIZE = 50;
/** Calendar files include events of this period if they fit: people look them up. */
const PAST_PERIOD = '-30 days';
/** Refresh interval for calendar programs. */
const REFRESH = 'PT1H';

const DATES = [
  'start_date',
  'end_date',
  'starts_before',
  'starts_after',
  'ends_before',
  'ends_after',
] as const;

/** The maximum of pages of dates in a calendar file. */
const MAX_PAGES = 10;

/** A position in a list. */
interface Place {
  page?: number;
  cursor?: string;
}

/** The entries of a calendar file. */
interface FilePages {
  entries: ListEntry[];
  /** How many pages they are. */
  count: number;
  next?: Place;
}

/** Parameters that are not repeated: those that open records, and the position. */
const UNREPEATED_PARAMS = ['password', 'context', 'page', 'cursor'];

/** Writes lists of events and single ones as calendar files and feeds. */
@Injectable()
export class FeedsService {
  constructor(
    private readonly events: EventsService,
    private readonly occurrences: Occurrences,
    private readonly entries: CalendarEntries,
    private readonly files: FileEvents,
    private readonly names: FeedNames,
  ) {}

  /** A list as a calendar file; by default it starts a month ago, or yesterday if that exceeds one file. */
  async calendar(query: ListEventsQuery, context: RequestContext): Promise<RestResponse> {
    const isDated = query.include !== undefined || DATES.some((name) => query[name] !== undefined);
    const more = { ...query, start_date: PAST_PERIOD };
    const isFirst = query.page === 1 && !query.cursor;
    const alone = new Set(query.include?.ids);
    const wide = isDated || !isFirst ? undefined : await this.filePages(more, context);
    let pages = wide && !wide.next ? wide : await this.filePages(query, context);
    let events = await this.files.of(pages.entries, context, { alone });
    if (events.length > query.per_page && pages.count > 1) {
      // An event whose rule is not known takes a place for each date.
      pages = await this.filePages(query, context, 1);
      events = await this.files.of(pages.entries, context, { alone });
    }
    const entries = await this.files.read(events, this.loadBy(query, context), context.settings);
    const name = await this.names.of(query, context);
    const pieces = calendarPieces({ ...calendarOf(context.settings), name, refresh: REFRESH }, [entries]);
    return calendarAnswer(
      'events',
      await mapYielding(pieces, inUtf8),
      pages.next && feedAddress('/events.ics', query, context, pages.next),
    );
  }

  async event(id: number, query: GetEventQuery, context: RequestContext): Promise<RestResponse> {
    const sent = inJson(query);
    return this.eventFile(await this.events.get(id, sent, context), sent, context);
  }

  async eventBySlug(
    slug: string,
    query: GetEventBySlugQuery,
    context: RequestContext,
  ): Promise<RestResponse> {
    const sent = inJson(query);
    return this.eventFile(await this.events.getBySlug(slug, sent, context), sent, context);
  }

  /** An event with all of its dates; one date alone by the id of that date. */
  private async eventFile(
    event: EventJson,
    query: ReadQuery,
    context: RequestContext,
  ): Promise<RestResponse> {
    const date = await this.occurrences.byId(event.id, context.settings);
    const list = date ? [{ id: date.postId, row: date.id }] : await this.occurrences.entriesOf([event.id]);
    const events = await this.files.of(list, context, { alone: new Set(date && [event.id]) });
    const load = this.loadBy(query, context);
    const isKnown = (ids: readonly number[]) => ids.length === 1 && ids[0] === event.id;
    const entries = await this.files.read(
      events,
      async (ids) => (isKnown(ids) ? [withShownText(event)] : load(ids)),
      context.settings,
    );
    const pieces = calendarPieces(calendarOf(context.settings), [entries]);
    return calendarAnswer(`event-${event.id}`, await mapYielding(pieces, inUtf8));
  }

  /**
   * The entries of a page, and of the next pages as long as their events fit into a file: a series takes one place for all
   * of its dates.
   */
  private async filePages(
    query: ListEventsQuery,
    context: RequestContext,
    most = MAX_PAGES,
  ): Promise<FilePages> {
    const posts = new Set<number>();
    const done: FilePages = { entries: [], count: 0 };
    for (let { page } = query; done.count < most; page++) {
      const found = await this.events.idsOnPage({ ...query, page }, context);
      const entries = await this.files.entriesOf(found.ids, context);
      for (const { id } of entries) posts.add(id);
      if (done.count > 0 && posts.size > query.per_page) break;
      done.entries.push(...entries);
      done.count += 1;
      done.next = nextPlace({ ...query, page }, found);
      const isFull = posts.size >= query.per_page && posts.size === done.entries.length;
      if (done.next?.page === undefined || isFull) break;
    }
    return done;
  }

  async feed(
    { path, type, charset = '', pieces }: FeedKind,
    query: ListEventsQuery,
    context: RequestContext,
  ): Promise<RestResponse> {
    const found = await this.events.idsOnPage(query, context);
    const { options, links, render } = context.settings;
    const entries = await this.read(found.ids, query, context);
    const place = nextPlace(query, found);
    const next = place && feedAddress(path, query, context, place);
    const feed: Feed = {
      title: await this.names.of(query, context),
      description: htmlEntityDecode(options.get('blogdescription') ?? ''),
      home: calendarLink(context.settings),
      language: render.locale.split('_').slice(0, 2).join('-'),
      self: feedAddress(path, query, context, { page: query.page }),
      next,
      items: entries.map((entry) => ({
        ...entry,
        html: absoluteLinks(entry.html, entry.url || `${links.home}/`),
        id: `${links.home}/?post_type=${EVENT.type}&p=${entry.id}`,
      })),
    };
    return RestResponse.ofText(type + charset, await mapYielding(pieces(feed), inUtf8), headersOf(next));
  }

  /** The entries of the events with these ids, in order. */
  private async read(
    ids: readonly number[],
    query: ListEventsQuery,
    context: RequestContext,
  ): Promise<CalendarEntry[]> {
    const entries: CalendarEntry[] = [];
    const load = this.loadBy(query, context);
    for (let at = 0; at < ids.length; at += BATCH_SIZE) {
      const part = ids.slice(at, at + BATCH_SIZE);
      const byId = new Map((await load(part)).map((event) => [event.id, event]));
      const sorted = part.flatMap((id) => byId.get(id) ?? []);
      entries.push(...(await this.entries.of(sorted, context.settings)));
    }
    return entries;
  }

  /** Loads events as a request shows them. */
  private loadBy(query: ReadQuery, context: RequestContext): LoadEvents {
    return async (ids) => (await this.events.some(ids, context, query)).map(withShownText);
  }
}

/** The calendar page of the site. */
function calendarLink({ links, eventsSlug }: CalendarSettings): string {
  return links.permalinkStructure === ''
    ? `${links.home}/?post_type=${EVENT.type}`
    : prettyLink(links, eventsSlug);
}

/** `_format` selects a form of JSON; files are built from the ordinary one. */
const inJson = <Query extends object>(query: Query): Query => ({ ...query, _format: undefined });

const withShownText = (event: EventJson): EventJson => ({
  ...event,
  description: truncateWithEllipsis(event.description),
});

function calendarAnswer(name: string, pieces: readonly string[], next?: string): RestResponse {
  return RestResponse.ofText('text/calendar; charset=utf-8', pieces, {
    'Content-Disposition': `inline; filename="${name}.ics"`,
    // The same URL may respond with JSON.
    Vary: 'Accept',
    ...headersOf(next),
  });
}

function headersOf(next: string | undefined) {
  const links = linkHeader({ next_rest_url: next });
  return { Allow: 'GET', ...(links && { Link: links }) };
}

/** Where the next page is, if there is one. */
function nextPlace(
  query: Pick<ListEventsQuery, 'page' | 'per_page'>,
  { total, next }: Pick<PostPage, 'total' | 'next'>,
): Place | undefined {
  if (next !== undefined) return next === null ? undefined : { cursor: next };
  const isLast = query.page * query.per_page >= total;
  return isLast ? undefined : { page: query.page + 1 };
}

/** The URL of a feed page: its path with the sent parameters and a new position. */
function feedAddress(path: string, query: object, { base }: RequestContext, place: Place): string {
  const { page = 1, cursor = getRawParams(query)['cursor'] } = place;
  const texts = sentTexts(query, UNREPEATED_PARAMS);
  if (page > 1) texts.push(['page', String(page)]);
  if (typeof cursor === 'string') texts.push(['cursor', cursor]);
  const text = new URLSearchParams(texts).toString();
  return restUrl(base, path) + (text && `?${text}`);
}
