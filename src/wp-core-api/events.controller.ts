import { Controller, Get, Param } from '@nestjs/common';
import { CORE_NAMESPACE } from '../config/env.js';
import { Parameters } from '../http/params/parameters.js';
import { PathId } from '../http/params/path-id.js';
import { Context, type RequestContext } from '../http/request-context.js';
import { Cacheable } from '../http/response-cache/cacheable.decorator.js';
import { Undocumented } from '../http/undocumented.decorator.js';
import { GetCoreEventQuery, ListCoreEventsQuery } from './events.dto.js';
import { CoreEventsService } from './events.service.js';

/** Events in `wp/v2`. */
@Undocumented()
@Cacheable()
@Controller(`${CORE_NAMESPACE}/tribe_events`)
export class CoreEventsController {
  constructor(private readonly events: CoreEventsService) {}

  @Get()
  list(@Parameters(ListCoreEventsQuery) query: ListCoreEventsQuery, @Context() context: RequestContext) {
    return this.events.list(query, context);
  }

  @Get(':id')
  get(
    @Param('id', PathId) id: number,
    @Parameters(GetCoreEventQuery) query: GetCoreEventQuery,
    @Context() context: RequestContext,
  ) {
    return this.events.get(id, query, context);
  }
}
