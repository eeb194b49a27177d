import { Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { OWN_NAMESPACE } from '../../config/env.js';
import { GetTermQuery, TermView } from '../terms/term.dto.js';
import { Cacheable } from '../../http/response-cache/cacheable.decorator.js';
import { Parameters } from '../../http/params/parameters.js';
import { PathId } from '../../http/params/path-id.js';
import { Context, type RequestContext } from '../../http/request-context.js';
import { Update } from '../../http/update.decorator.js';
import { withLocation, withPageHeaders } from '../base/page.js';
import { ListTagsQuery } from './tag.dto.js';
import { CreateTagDto, UpdateTagDto } from './tag-write.dto.js';
import { TagsService } from './tags.service.js';

/** Routes of tags. */
@Cacheable()
@Controller(`${OWN_NAMESPACE}/tags`)
export class TagsController {
  constructor(private readonly tags: TagsService) {}

  @Get()
  list(@Parameters(ListTagsQuery) query: ListTagsQuery, @Context() context: RequestContext) {
    return withPageHeaders(this.tags.list(query, context), query);
  }

  @Post()
  create(@Parameters(CreateTagDto) fields: CreateTagDto, @Context() context: RequestContext) {
    return withLocation(this.tags.create(fields, context));
  }

  @Get(':id')
  get(
    @Param('id', PathId) id: number,
    @Parameters(GetTermQuery) query: GetTermQuery,
    @Context() context: RequestContext,
  ) {
    return this.tags.get(id, query, context);
  }

  @Update(':id')
  update(
    @Param('id', PathId) id: number,
    @Parameters(UpdateTagDto) fields: UpdateTagDto,
    @Context() context: RequestContext,
  ) {
    return this.tags.update(id, fields, context);
  }

  @Delete(':id')
  remove(
    @Param('id', PathId) id: number,
    @Parameters(TermView) view: TermView,
    @Context() context: RequestContext,
  ) {
    return this.tags.remove(id, view, context);
  }
}
