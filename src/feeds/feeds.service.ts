import { Injectable } from '@nestjs/common';
import type { CalendarSettings } from '../calendar/calendar-settings.js';
import { truncateWithEllipsis } from '../resources/events/truncate-html.js';
import type { GetEventBySlugQuery, GetEventQuery, ListEventsQuery } from '../resources/events/event.dto.js';
import type { EventJson } from '../resources/events/event-json.js';
import { EVENT } from '../resources/events/event-type.js';
import { EventsService } from '../resources/events/events.service.js';
import { getRawParams, sentTexts } from '../http/params/check-context.js';
import { restUrl } from '../http/rest-request.js';
import { RestResponse } from '../http/rest-response.js';
import type { RequestContext } from '../http/request-context.js';
import { inUtf8 } from '../http/serialized-response.js';
import type { CalendarEntry } from '../lib/ical/calendar-entry.js';
import type { PostPage } from '../resources/base/list-query.js';
import { linkHeader } from '../resources/base/page.js';
import { htmlEntityDecode } from '../lib/wordpress-text/formatting/html-entity-decode.js';
import { prettyLink } from '../wordpress/posts/permalink.js';
import { mapYielding } from '../common/event-loop.js';
import { absoluteLinks } from './absolute-links.js';
import { CalendarEntries } from './calendar-entries.service.js';
import { calendarOf, calendarPieces } from './calendar-file.js';
import type { Feed } from './feed.js';
import type { FeedKind } from './feed-kind.js';
import { FeedNames } from './feed-names.service.js';

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

/** Parameters that are not repeated: those that open records, and the position. */
const UNREPEATED_PARAMS = ['password', 'context', 'page', 'cursor'];

/** Writes lists of events and single ones as calendar files and feeds. */
@Injectable()
export class FeedsService {
  constructor(
    private readonly events: EventsService,
    private readonly entries: CalendarEntries,
    private readonly names: FeedNames,
  ) {}

  /** A list as a calendar file; by default it starts a month ago, or yesterday if that exceeds one file. */
  async calendar(query: ListEventsQuery, context: RequestContext): Promise<RestResponse> {
    const isDated = query.include !== undefined || DATES.some((name) => query[name] !== undefined);
    const more = { ...query, start_date: PAST_PERIOD };
    const isFirst = query.page === 1 && !query.cursor;
    const wide = isDated || !isFirst ? undefined : await this.events.idsOnPage(more, context);
    const fits = wide !== undefined && wide.total <= query.per_page;
    const found = fits ? wide : await this.events.idsOnPage(query, context);
    const entries = await this.read(found.ids, query, context);
    const name = await this.names.of(query, context);
    const pieces = calendarPieces({ ...calendarOf(context.settings), name, refresh: REFRESH }, [entries]);
    return calendarAnswer(
      'events',
      await mapYielding(pieces, inUtf8),
      nextOf('/events.ics', query, found, context),
    );
  }

  async event(id: number, query: GetEventQuery, context: RequestContext): Promise<RestResponse> {
    return this.eventFile(await this.events.get(id, inJson(query), context), context);
  }

  async eventBySlug(
    slug: string,
    query: GetEventBySlugQuery,
    context: RequestContext,
  ): Promise<RestResponse> {
    return this.eventFile(await this.events.getBySlug(slug, inJson(query), context), context);
  }

  private async eventFile(event: EventJson, context: RequestContext): Promise<RestResponse> {
    const entries = await this.entries.of([withShownText(event)], context.settings);
    const pieces = calendarPieces(calendarOf(context.settings), [entries]);
    return calendarAnswer(`event-${event.id}`, await mapYielding(pieces, inUtf8));
  }

  async feed(
    { path, type, charset = '', pieces }: FeedKind,
    query: ListEventsQuery,
    context: RequestContext,
  ): Promise<RestResponse> {
    const found = await this.events.idsOnPage(query, context);
    const { options, links, render } = context.settings;
    const entries = await this.read(found.ids, query, context);
    const next = nextOf(path, query, found, context);
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
    for (let at = 0; at < ids.length; at += BATCH_SIZE) {
      const part = ids.slice(at, at + BATCH_SIZE);
      const rendered = await this.events.some(part, context, query);
      const byId = new Map(rendered.map((event) => [event.id, event]));
      const sorted = part.flatMap((id) => byId.get(id) ?? []);
      entries.push(...(await this.entries.of(sorted.map(withShownText), context.settings)));
    }
    return entries;
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

/** The URL of the next page, if there is one. */
function nextOf(
  path: string,
  query: ListEventsQuery,
  { total, next }: Pick<PostPage, 'total' | 'next'>,
  context: RequestContext,
) {
  if (next !== undefined)
    return next === null ? undefined : feedAddress(path, query, context, { cursor: next });
  const isLast = query.page * query.per_page >= total;
  return isLast ? undefined : feedAddress(path, query, context, { page: query.page + 1 });
}

/** The URL of a feed page: its path with the sent parameters and a new position. */
function feedAddress(
  path: string,
  query: object,
  { base }: RequestContext,
  place: { page?: number; cursor?: string },
): string {
  const { page = 1, cursor = getRawParams(query)['cursor'] } = place;
  const texts = sentTexts(query, UNREPEATED_PARAMS);
  if (page > 1) texts.push(['page', String(page)]);
  if (typeof cursor === 'string') texts.push(['cursor', cursor]);
  const text = new URLSearchParams(texts).toString();
  return restUrl(base, path) + (text && `?${text}`);
}
