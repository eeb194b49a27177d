import { Controller, Get, Param } from '@nestjs/common';
import { EventsService } from '../events/events.service.js';
import { GetEventBySlugQuery, GetEventQuery, ListEventsQuery } from '../events/event.dto.js';
import { Keep } from '../http/keep.decorator.js';
import { Parameters } from '../http/parameters.js';
import { PathId } from '../http/path-id.js';
import { Context, type RequestContext } from '../http/request-context.js';
import { FEEDS_PLACE } from '../http/rest-request.js';
import { atomPieces } from './atom.js';
import { CalendarFileQuery } from './feed.dto.js';
import { type FeedKind, FeedsService } from './feeds.service.js';
import { jsonFeedPieces } from './json-feed.js';
import { Answers } from './answers.decorator.js';
import { rssPieces } from './rss.js';

const CALENDAR = 'text/calendar';
const RSS: FeedKind = { path: '/events.rss', type: 'application/rss+xml; charset=utf-8', pieces: rssPieces };
const ATOM: FeedKind = {
  path: '/events.atom',
  type: 'application/atom+xml; charset=utf-8',
  pieces: atomPieces,
};
const JSON_FEED: FeedKind = {
  path: '/events.feed.json',
  type: 'application/feed+json',
  pieces: jsonFeedPieces,
};

/** Events for calendar programs and feed readers (docs/feeds.md); `feedPath` leads here. */
@Controller(FEEDS_PLACE)
export class FeedsController {
  constructor(
    private readonly feeds: FeedsService,
    private readonly events: EventsService,
  ) {}

  @Get('events.ics')
  @Keep()
  @Answers(CALENDAR, 'getEventsCalendar', 'The events of a list as a calendar file (RFC 5545)')
  calendar(@Parameters(CalendarFileQuery) query: CalendarFileQuery, @Context() context: RequestContext) {
    return this.feeds.calendar(query, context);
  }

  @Get('events/:id.ics')
  @Keep()
  @Answers(CALENDAR, 'getEventCalendar', 'One event as a calendar file')
  async event(
    @Param('id', PathId) id: number,
    @Parameters(GetEventQuery) query: GetEventQuery,
    @Context() context: RequestContext,
  ) {
    return this.feeds.event(await this.events.get(id, plainly(query), context), context);
  }

  @Get('events/by-slug/:slug.ics')
  @Keep()
  @Answers(CALENDAR, 'getEventCalendarBySlug', 'One event, by its slug, as a calendar file')
  async eventBySlug(
    @Param('slug') slug: string,
    @Parameters(GetEventBySlugQuery) query: GetEventBySlugQuery,
    @Context() context: RequestContext,
  ) {
    return this.feeds.event(await this.events.getBySlug(slug, plainly(query), context), context);
  }

  @Get('events.rss')
  @Keep()
  @Answers('application/rss+xml', 'getEventsRss', 'The events of a list as RSS 2.0')
  rss(@Parameters(ListEventsQuery) query: ListEventsQuery, @Context() context: RequestContext) {
    return this.feeds.feed(RSS, query, context);
  }

  @Get('events.atom')
  @Keep()
  @Answers('application/atom+xml', 'getEventsAtom', 'The events of a list as Atom')
  atom(@Parameters(ListEventsQuery) query: ListEventsQuery, @Context() context: RequestContext) {
    return this.feeds.feed(ATOM, query, context);
  }

  @Get('events.feed.json')
  @Keep()
  @Answers('application/feed+json', 'getEventsJsonFeed', 'The events of a list as JSON Feed 1.1')
  jsonFeed(@Parameters(ListEventsQuery) query: ListEventsQuery, @Context() context: RequestContext) {
    return this.feeds.feed(JSON_FEED, query, context);
  }
}

/** The form that a record is asked for in is that of its JSON. */
const plainly = <Query extends object>(query: Query): Query => ({ ...query, _format: undefined });
