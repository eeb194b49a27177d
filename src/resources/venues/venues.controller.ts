import { Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { OWN_NAMESPACE } from '../../config/env.js';
import { Cacheable } from '../../http/response-cache/cacheable.decorator.js';
import { Parameters } from '../../http/params/parameters.js';
import { PathId } from '../../http/params/path-id.js';
import { Context, type RequestContext } from '../../http/request-context.js';
import { Update } from '../../http/update.decorator.js';
import { GetLinkedPostQuery } from '../linked-posts/linked-post.dto.js';
import { withPageHeaders } from '../base/page.js';
import { ListVenuesQuery } from './venue.dto.js';
import { CreateVenueDto, UpdateVenueBySlugDto, UpdateVenueDto } from './venue-write.dto.js';
import { VenuesService } from './venues.service.js';

/** Routes of venues; POST, PUT and PATCH of an item are the same update. */
@Cacheable()
@Controller(`${OWN_NAMESPACE}/venues`)
export class VenuesController {
  constructor(private readonly venues: VenuesService) {}

  @Get()
  list(@Parameters(ListVenuesQuery) query: ListVenuesQuery, @Context() context: RequestContext) {
    return withPageHeaders(this.venues.list(query, context), query);
  }

  @Post()
  create(@Parameters(CreateVenueDto) fields: CreateVenueDto, @Context() context: RequestContext) {
    return this.venues.create(fields, context);
  }

  @Get(':id')
  get(
    @Param('id', PathId) id: number,
    @Parameters(GetLinkedPostQuery) query: GetLinkedPostQuery,
    @Context() context: RequestContext,
  ) {
    return this.venues.get(id, query, context);
  }

  @Delete(':id')
  remove(@Param('id', PathId) id: number, @Context() context: RequestContext) {
    return this.venues.remove(id, context);
  }

  @Update(':id')
  update(
    @Param('id', PathId) id: number,
    @Parameters(UpdateVenueDto) fields: UpdateVenueDto,
    @Context() context: RequestContext,
  ) {
    return this.venues.update(id, fields, context);
  }

  @Get('by-slug/:slug')
  getBySlug(
    @Param('slug') slug: string,
    @Parameters(GetLinkedPostQuery) query: GetLinkedPostQuery,
    @Context() context: RequestContext,
  ) {
    return this.venues.getBySlug(slug, query, context);
  }

  @Delete('by-slug/:slug')
  removeBySlug(@Param('slug') slug: string, @Context() context: RequestContext) {
    return this.venues.removeBySlug(slug, context);
  }

  @Update('by-slug/:slug')
  updateBySlug(
    @Param('slug') slug: string,
    @Parameters(UpdateVenueBySlugDto) fields: UpdateVenueBySlugDto,
    @Context() context: RequestContext,
  ) {
    return this.venues.updateBySlug(slug, fields, context);
  }
}
