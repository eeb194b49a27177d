import { Delete, Get, Param, Post, type Type } from '@nestjs/common';
import { AllowBatch } from '../../http/allow-batch.decorator.js';
import { ReadArgs } from '../../http/params/list-args.js';
import { Parameters } from '../../http/params/parameters.js';
import { PathId } from '../../http/params/path-id.js';
import { Context, type RequestContext } from '../../http/request-context.js';
import { Update } from '../../http/update.decorator.js';
import { withPageHeaders } from '../base/page.js';
import type { ListLinkedPostsQuery } from './linked-post.dto.js';
import type { LinkedPostFields } from './linked-post-type.js';
import type { LinkedPostsService } from './linked-posts.service.js';

/** The parameter classes of venues or organizers. */
interface LinkedPostDtos {
  list: Type<ListLinkedPostsQuery>;
  create: Type<LinkedPostFields>;
  update: Type<LinkedPostFields>;
  updateBySlug: Type<LinkedPostFields>;
}

/** Creates the base class with the routes of venues or organizers; POST, PUT and PATCH of an item are the same update. */
export function linkedPostRoutes(dtos: LinkedPostDtos) {
  @AllowBatch()
  abstract class LinkedPostsController {
    abstract readonly records: LinkedPostsService<never, object>;

    @Get()
    list(@Parameters(dtos.list) query: ListLinkedPostsQuery, @Context() context: RequestContext) {
      return withPageHeaders(this.records.list(query, context), query);
    }

    @Post()
    create(@Parameters(dtos.create) fields: LinkedPostFields, @Context() context: RequestContext) {
      return this.records.create(fields, context);
    }

    @Get(':id')
    get(
      @Param('id', PathId) id: number,
      @Parameters(ReadArgs) query: ReadArgs,
      @Context() context: RequestContext,
    ) {
      return this.records.get(id, query, context);
    }

    @Delete(':id')
    remove(@Param('id', PathId) id: number, @Context() context: RequestContext) {
      return this.records.remove(id, context);
    }

    @Update(':id')
    update(
      @Param('id', PathId) id: number,
      @Parameters(dtos.update) fields: LinkedPostFields,
      @Context() context: RequestContext,
    ) {
      return this.records.update(id, fields, context);
    }

    @Get('by-slug/:slug')
    getBySlug(
      @Param('slug') slug: string,
      @Parameters(ReadArgs) query: ReadArgs,
      @Context() context: RequestContext,
    ) {
      return this.records.getBySlug(slug, query, context);
    }

    @Delete('by-slug/:slug')
    removeBySlug(@Param('slug') slug: string, @Context() context: RequestContext) {
      return this.records.removeBySlug(slug, context);
    }

    @Update('by-slug/:slug')
    updateBySlug(
      @Param('slug') slug: string,
      @Parameters(dtos.updateBySlug) fields: LinkedPostFields,
      @Context() context: RequestContext,
    ) {
      return this.records.updateBySlug(slug, fields, context);
    }
  }
  return LinkedPostsController;
}
