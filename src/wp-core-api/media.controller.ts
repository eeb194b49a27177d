import { Controller, Delete, Get, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { CORE_NAMESPACE } from '../config/env.js';
import { Parameters } from '../http/params/parameters.js';
import { PathId } from '../http/params/path-id.js';
import { Context, type RequestContext } from '../http/request-context.js';
import { Cacheable } from '../http/response-cache/cacheable.decorator.js';
import { restOf } from '../http/rest-request.js';
import { Undocumented } from '../http/undocumented.decorator.js';
import { Update } from '../http/update.decorator.js';
import { CoreQuery } from './list.dto.js';
import { DeleteMediaQuery, ListMediaQuery, MediaFields } from './media.dto.js';
import { MediaService } from './media.service.js';
import { MediaWrites } from './media-writes.service.js';

/** Uploaded files. */
@Undocumented()
@Cacheable()
@Controller(`${CORE_NAMESPACE}/media`)
export class MediaController {
  constructor(
    private readonly media: MediaService,
    private readonly writes: MediaWrites,
  ) {}

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

  @Post()
  create(
    @Parameters(MediaFields) fields: MediaFields,
    @Req() request: Request,
    @Context() context: RequestContext,
  ) {
    const { headers } = request;
    return this.writes.create(fields, { upload: restOf(request)?.upload, headers }, context);
  }

  @Update(':id')
  update(
    @Param('id', PathId) id: number,
    @Parameters(MediaFields) fields: MediaFields,
    @Context() context: RequestContext,
  ) {
    return this.writes.update(id, fields, context);
  }

  @Delete(':id')
  remove(
    @Param('id', PathId) id: number,
    @Parameters(DeleteMediaQuery) query: DeleteMediaQuery,
    @Context() context: RequestContext,
  ) {
    return this.writes.remove(id, query, context);
  }
}
