import { Delete, Get, Param, Post, type Type } from '@nestjs/common';
import { AllowBatch } from '../../http/allow-batch.decorator.js';
import { Parameters } from '../../http/params/parameters.js';
import { PathId } from '../../http/params/path-id.js';
import { Context, type RequestContext } from '../../http/request-context.js';
import { Update } from '../../http/update.decorator.js';
import { withLocation, withPageHeaders } from '../base/page.js';
import type { EventTermsService } from './event-terms.service.js';
import { GetTermQuery, type ListTermsQuery, TermView, type WriteTermDto } from './term.dto.js';

/** The parameter classes of categories or tags. */
interface TermDtos {
  list: Type<ListTermsQuery>;
  create: Type<WriteTermDto & { name: string }>;
  update: Type<WriteTermDto>;
}

/** Creates the base class with the routes of categories or tags; POST, PUT and PATCH of a term are the same update. */
export function eventTermRoutes(dtos: TermDtos) {
  @AllowBatch()
  abstract class EventTermsController {
    abstract readonly terms: EventTermsService<never, WriteTermDto>;

    @Get()
    list(@Parameters(dtos.list) query: ListTermsQuery, @Context() context: RequestContext) {
      return withPageHeaders(this.terms.list(query, context), query);
    }

    @Post()
    create(
      @Parameters(dtos.create) fields: WriteTermDto & { name: string },
      @Context() context: RequestContext,
    ) {
      return withLocation(this.terms.create(fields, context));
    }

    @Get(':id')
    get(
      @Param('id', PathId) id: number,
      @Parameters(GetTermQuery) query: GetTermQuery,
      @Context() context: RequestContext,
    ) {
      return this.terms.get(id, query, context);
    }

    @Update(':id')
    update(
      @Param('id', PathId) id: number,
      @Parameters(dtos.update) fields: WriteTermDto,
      @Context() context: RequestContext,
    ) {
      return this.terms.update(id, fields, context);
    }

    @Delete(':id')
    remove(
      @Param('id', PathId) id: number,
      @Parameters(TermView) view: TermView,
      @Context() context: RequestContext,
    ) {
      return this.terms.remove(id, view, context);
    }
  }
  return EventTermsController;
}
