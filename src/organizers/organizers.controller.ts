import { Controller, Get, Param } from '@nestjs/common';
import { OWN_NAMESPACE } from '../config/env.js';
import { Parameters } from '../http/parameters.js';
import { PathId } from '../http/path-id.js';
import { Context, type RequestContext } from '../http/request-context.js';
import { GetLinkedPostQuery } from '../linked-posts/linked-post.dto.js';
import { ListOrganizersQuery } from './organizer.dto.js';
import { OrganizersService } from './organizers.service.js';

/** Routes of organizers. */
@Controller(`${OWN_NAMESPACE}/organizers`)
export class OrganizersController {
  constructor(private readonly organizers: OrganizersService) {}

  @Get()
  list(@Parameters(ListOrganizersQuery) query: ListOrganizersQuery, @Context() context: RequestContext) {
    return this.organizers.list(query, context);
  }

  @Get(':id')
  get(
    @Param('id', PathId) id: number,
    @Parameters(GetLinkedPostQuery) query: GetLinkedPostQuery,
    @Context() context: RequestContext,
  ) {
    return this.organizers.get(id, query, context);
  }

  @Get('by-slug/:slug')
  getBySlug(
    @Param('slug') slug: string,
    @Parameters(GetLinkedPostQuery) query: GetLinkedPostQuery,
    @Context() context: RequestContext,
  ) {
    return this.organizers.getBySlug(slug, query, context);
  }
}
