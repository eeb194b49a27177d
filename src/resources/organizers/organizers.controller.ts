import { Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { OWN_NAMESPACE } from '../../config/env.js';
import { Cacheable } from '../../http/response-cache/cacheable.decorator.js';
import { Parameters } from '../../http/params/parameters.js';
import { PathId } from '../../http/params/path-id.js';
import { Context, type RequestContext } from '../../http/request-context.js';
import { Update } from '../../http/update.decorator.js';
import { GetLinkedPostQuery } from '../linked-posts/linked-post.dto.js';
import { withPageHeaders } from '../base/page.js';
import { ListOrganizersQuery } from './organizer.dto.js';
import { CreateOrganizerDto, UpdateOrganizerBySlugDto, UpdateOrganizerDto } from './organizer-write.dto.js';
import { OrganizersService } from './organizers.service.js';

/** Routes of organizers; POST, PUT and PATCH of an item are the same update. */
@Cacheable()
@Controller(`${OWN_NAMESPACE}/organizers`)
export class OrganizersController {
  constructor(private readonly organizers: OrganizersService) {}

  @Get()
  list(@Parameters(ListOrganizersQuery) query: ListOrganizersQuery, @Context() context: RequestContext) {
    return withPageHeaders(this.organizers.list(query, context), query);
  }

  @Post()
  create(@Parameters(CreateOrganizerDto) fields: CreateOrganizerDto, @Context() context: RequestContext) {
    return this.organizers.create(fields, context);
  }

  @Get(':id')
  get(
    @Param('id', PathId) id: number,
    @Parameters(GetLinkedPostQuery) query: GetLinkedPostQuery,
    @Context() context: RequestContext,
  ) {
    return this.organizers.get(id, query, context);
  }

  @Delete(':id')
  remove(@Param('id', PathId) id: number, @Context() context: RequestContext) {
    return this.organizers.remove(id, context);
  }

  @Update(':id')
  update(
    @Param('id', PathId) id: number,
    @Parameters(UpdateOrganizerDto) fields: UpdateOrganizerDto,
    @Context() context: RequestContext,
  ) {
    return this.organizers.update(id, fields, context);
  }

  @Get('by-slug/:slug')
  getBySlug(
    @Param('slug') slug: string,
    @Parameters(GetLinkedPostQuery) query: GetLinkedPostQuery,
    @Context() context: RequestContext,
  ) {
    return this.organizers.getBySlug(slug, query, context);
  }

  @Delete('by-slug/:slug')
  removeBySlug(@Param('slug') slug: string, @Context() context: RequestContext) {
    return this.organizers.removeBySlug(slug, context);
  }

  @Update('by-slug/:slug')
  updateBySlug(
    @Param('slug') slug: string,
    @Parameters(UpdateOrganizerBySlugDto) fields: UpdateOrganizerBySlugDto,
    @Context() context: RequestContext,
  ) {
    return this.organizers.updateBySlug(slug, fields, context);
  }
}
