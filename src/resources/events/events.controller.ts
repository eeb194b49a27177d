import { Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { OWN_NAMESPACE } from '../../config/env.js';
import { AllowBatch } from '../../http/allow-batch.decorator.js';
import { Parameters } from '../../http/params/parameters.js';
import { PathId } from '../../http/params/path-id.js';
import { Context, type RequestContext } from '../../http/request-context.js';
import { Cacheable } from '../../http/response-cache/cacheable.decorator.js';
import { Update } from '../../http/update.decorator.js';
import { withPageHeaders } from '../base/page.js';
import { GetEventBySlugQuery, GetEventQuery, ListEventsQuery } from './event.dto.js';
import { CreateEventDto, DeleteEventQuery, UpdateEventBySlugDto, UpdateEventDto } from './event-write.dto.js';
import { EventsService } from './events.service.js';

/** Routes of events; POST, PUT and PATCH of an item are the same update. */
@AllowBatch()
@Cacheable()
@Controller(`${OWN_NAMESPACE}/events`)
export class EventsController {
  constructor(private readonly events: EventsService) {}

  @Get()
  list(@Parameters(ListEventsQuery) query: ListEventsQuery, @Context() context: RequestContext) {
    return withPageHeaders(this.events.list(query, context), query);
  }

  @Post()
  create(@Parameters(CreateEventDto) fields: CreateEventDto, @Context() context: RequestContext) {
    return this.events.create(fields, context);
  }

  @Get(':id')
  get(
    @Param('id', PathId) id: number,
    @Parameters(GetEventQuery) query: GetEventQuery,
    @Context() context: RequestContext,
  ) {
    return this.events.get(id, query, context);
  }

  @Update(':id')
  update(
    @Param('id', PathId) id: number,
    @Parameters(UpdateEventDto) fields: UpdateEventDto,
    @Context() context: RequestContext,
  ) {
    return this.events.update(id, fields, context);
  }

  @Delete(':id')
  remove(
    @Param('id', PathId) id: number,
    @Parameters(DeleteEventQuery) { scope }: DeleteEventQuery,
    @Context() context: RequestContext,
  ) {
    return this.events.remove(id, context, scope);
  }

  @Get('by-slug/:slug')
  getBySlug(
    @Param('slug') slug: string,
    @Parameters(GetEventBySlugQuery) query: GetEventBySlugQuery,
    @Context() context: RequestContext,
  ) {
    return this.events.getBySlug(slug, query, context);
  }

  @Update('by-slug/:slug')
  updateBySlug(
    @Param('slug') slug: string,
    @Parameters(UpdateEventBySlugDto) fields: UpdateEventBySlugDto,
    @Context() context: RequestContext,
  ) {
    return this.events.updateBySlug(slug, fields, context);
  }

  @Delete('by-slug/:slug')
  removeBySlug(@Param('slug') slug: string, @Context() context: RequestContext) {
    return this.events.removeBySlug(slug, context);
  }
}
