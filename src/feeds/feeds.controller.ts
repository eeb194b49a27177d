import { applyDecorators, Controller, Get, Param, SetMetadata } from '@nestjs/common';
import { Parameters } from '../http/params/parameters.js';
import { PathId } from '../http/params/path-id.js';
import { Context, type RequestContext } from '../http/request-context.js';
import { Cacheable } from '../http/response-cache/cacheable.decorator.js';
import { FEEDS_BASE } from '../http/rest-request.js';
import { GetEventBySlugQuery, GetEventQuery, ListEventsQuery } from '../resources/events/event.dto.js';
import { CalendarFileQuery } from './feed.dto.js';
import { ATOM, JSON_FEED, RSS } from './feed-kind.js';
import { FeedsService } from './feeds.service.js';

const CALENDAR = 'text/calendar';

/** Documents a response other than JSON by the metadata of Swagger's decorators, as Swagger is loaded on demand. */
const DocumentedResponse = (type: string, operationId: string, summary: string): MethodDecorator =>
  applyDecorators(
    SetMetadata('swagger/apiUseTags', ['feeds']),
    SetMetadata('swagger/apiOperation', { operationId, summary }),
    SetMetadata('swagger/apiResponse', {
      200: { description: summary, content: { [type]: { schema: { type: 'string' } } } },
    }),
  );

/** Calendar files and feeds of events (docs/feeds.md); `feedPath` rewrites requests to these routes. */
@Cacheable()
@Controller(FEEDS_BASE)
export class FeedsController {
  constructor(private readonly feeds: FeedsService) {}

  @Get('events.ics')
  @DocumentedResponse(CALENDAR, 'getEventsCalendar', 'The events of a list as a calendar file (RFC 5545)')
  calendar(@Parameters(CalendarFileQuery) query: CalendarFileQuery, @Context() context: RequestContext) {
    return this.feeds.calendar(query, context);
  }

  @Get('events/:id.ics')
  @DocumentedResponse(CALENDAR, 'getEventCalendar', 'One event as a calendar file')
  event(
    @Param('id', PathId) id: number,
    @Parameters(GetEventQuery) query: GetEventQuery,
    @Context() context: RequestContext,
  ) {
    return this.feeds.event(id, query, context);
  }

  @Get('events/by-slug/:slug.ics')
  @DocumentedResponse(CALENDAR, 'getEventCalendarBySlug', 'One event, by its slug, as a calendar file')
  eventBySlug(
    @Param('slug') slug: string,
    @Parameters(GetEventBySlugQuery) query: GetEventBySlugQuery,
    @Context() context: RequestContext,
  ) {
    return this.feeds.eventBySlug(slug, query, context);
  }

  @Get('events.rss')
  @DocumentedResponse(RSS.type, 'getEventsRss', 'The events of a list as RSS 2.0')
  rss(@Parameters(ListEventsQuery) query: ListEventsQuery, @Context() context: RequestContext) {
    return this.feeds.feed(RSS, query, context);
  }

  @Get('events.atom')
  @DocumentedResponse(ATOM.type, 'getEventsAtom', 'The events of a list as Atom')
  atom(@Parameters(ListEventsQuery) query: ListEventsQuery, @Context() context: RequestContext) {
    return this.feeds.feed(ATOM, query, context);
  }

  @Get('events.feed.json')
  @DocumentedResponse(JSON_FEED.type, 'getEventsJsonFeed', 'The events of a list as JSON Feed 1.1')
  jsonFeed(@Parameters(ListEventsQuery) query: ListEventsQuery, @Context() context: RequestContext) {
    return this.feeds.feed(JSON_FEED, query, context);
  }
}
