import { Controller, Get, Param } from '@nestjs/common';
import { OWN_NAMESPACE } from '../config/env.js';
import { Parameters } from '../http/parameters.js';
import { PathId } from '../http/path-id.js';
import { Context, type RequestContext } from '../http/request-context.js';
import { GetLinkedPostQuery } from '../linked-posts/linked-post.dto.js';
import { ListVenuesQuery } from './venue.dto.js';
import { VenuesService } from './venues.service.js';

/** Routes of venues. */
@Controller(`${OWN_NAMESPACE}/venues`)
export class VenuesController {
  constructor(private readonly venues: VenuesService) {}

  @Get()
  list(@Parameters(ListVenuesQuery) query: ListVenuesQuery, @Context() context: RequestContext) {
    return this.venues.list(query, context);
  }

  @Get(':id')
  get(
    @Param('id', PathId) id: number,
    @Parameters(GetLinkedPostQuery) query: GetLinkedPostQuery,
    @Context() context: RequestContext,
  ) {
    return this.venues.get(id, query, context);
  }

  @Get('by-slug/:slug')
  getBySlug(
    @Param('slug') slug: string,
    @Parameters(GetLinkedPostQuery) query: GetLinkedPostQuery,
    @Context() context: RequestContext,
  ) {
    return this.venues.getBySlug(slug, query, context);
  }
}
