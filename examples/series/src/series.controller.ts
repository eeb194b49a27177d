import { Controller, Delete, Get, Param, Post } from '@nestjs/common';
import {
  AllowBatch,
  Context,
  ListOf,
  OWN_NAMESPACE,
  Parameters,
  PathId,
  type PlainPostFields,
  PlainPostListQuery,
  type RequestContext,
  StatusesArg,
  Update,
  withPageHeaders,
} from 'almanac';
import { SeriesService } from './series.service.js';
import { SERIES } from './series-type.js';

@ListOf(SERIES)
class ListSeriesQuery extends PlainPostListQuery {
  @StatusesArg(SERIES.type) status?: string[];
}

/** Routes of series: `/cal/events/v1/series` and `/cal/events/v1/series/<id>`. */
@AllowBatch()
@Controller(`${OWN_NAMESPACE}/series`)
export class SeriesController {
  constructor(private readonly series: SeriesService) {}

  @Get()
  list(@Parameters(ListSeriesQuery) query: ListSeriesQuery, @Context() context: RequestContext) {
    return withPageHeaders(this.series.list(query, context));
  }

  @Post()
  create(@Parameters(SERIES.newBody) fields: PlainPostFields, @Context() context: RequestContext) {
    return this.series.create(fields, context);
  }

  @Get(':id')
  get(@Param('id', PathId) id: number, @Context() context: RequestContext) {
    return this.series.get(id, {}, context);
  }

  @Update(':id')
  update(
    @Param('id', PathId) id: number,
    @Parameters(SERIES.body) fields: PlainPostFields,
    @Context() context: RequestContext,
  ) {
    return this.series.update(id, fields, context);
  }

  @Delete(':id')
  remove(@Param('id', PathId) id: number, @Context() context: RequestContext) {
    return this.series.remove(id, context);
  }
}
