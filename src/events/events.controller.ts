import { Controller, Get, Param } from '@nestjs/common';
import { OWN_NAMESPACE } from '../config/env.js';
import { Parameters } from '../http/parameters.js';
import { PathId } from '../http/path-id.js';
import { Context, type RequestContext } from '../http/request-context.js';
import { GetEventBySlugQuery, GetEventQuery, ListEventsQuery } from './event.dto.js';
import { EventsService } from './events.service.js';

/** Routes of events. */
@Controller(`${OWN_NAMESPACE}/events`)
export class EventsController {
  constructor(private readonly events: EventsService) {}

  @Get()
  list(@Parameters(ListEventsQuery) query: ListEventsQuery, @Context() context: RequestContext) {
    return this.events.list(query, context);
  }

  @Get(':id')
  get(
    @Param('id', PathId) id: number,
    @Parameters(GetEventQuery) query: GetEventQuery,
    @Context() context: RequestContext,
  ) {
    return this.events.get(id, query, context);
  }

  @Get('by-slug/:slug')
  getBySlug(
    @Param('slug') slug: string,
    @Parameters(GetEventBySlugQuery) query: GetEventBySlugQuery,
    @Context() context: RequestContext,
  ) {
    return this.events.getBySlug(slug, query, context);
  }
}
