import { Controller, Get, Param } from '@nestjs/common';
import { CORE_NAMESPACE } from '../config/env.js';
import { Parameters } from '../http/params/parameters.js';
import { PathId } from '../http/params/path-id.js';
import { Context, type RequestContext } from '../http/request-context.js';
import { Cacheable } from '../http/response-cache/cacheable.decorator.js';
import { Undocumented } from '../http/undocumented.decorator.js';
import { CoreQuery } from './list.dto.js';
import { ListMediaQuery } from './media.dto.js';
import { MediaService } from './media.service.js';

/** Uploaded files. */
@Undocumented()
@Cacheable()
@Controller(`${CORE_NAMESPACE}/media`)
export class MediaController {
  constructor(private readonly media: MediaService) {}

  @Get()
  list(@Parameters(ListMediaQuery) query: ListMediaQuery, @Context() context: RequestContext) {
    return this.media.list(query, context);
  }

  @Get(':id')
  get(
    @Param('id', PathId) id: number,
    @Parameters(CoreQuery) query: CoreQuery,
    @Context() context: RequestContext,
  ) {
    return this.media.get(id, query, context);
  }
}
