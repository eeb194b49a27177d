import { Controller, Get, Param } from '@nestjs/common';
import { OWN_NAMESPACE } from '../config/env.js';
import { GetTermQuery } from '../event-terms/term.dto.js';
import { Parameters } from '../http/parameters.js';
import { PathId } from '../http/path-id.js';
import { Context, type RequestContext } from '../http/request-context.js';
import { ListTagsQuery } from './tag.dto.js';
import { TagsService } from './tags.service.js';

/** Routes of tags. */
@Controller(`${OWN_NAMESPACE}/tags`)
export class TagsController {
  constructor(private readonly tags: TagsService) {}

  @Get()
  list(@Parameters(ListTagsQuery) query: ListTagsQuery, @Context() context: RequestContext) {
    return this.tags.list(query, context);
  }

  @Get(':id')
  get(
    @Param('id', PathId) id: number,
    @Parameters(GetTermQuery) query: GetTermQuery,
    @Context() context: RequestContext,
  ) {
    return this.tags.get(id, query, context);
  }
}
