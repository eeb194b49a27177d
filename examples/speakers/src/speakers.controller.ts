import { Controller, Delete, Get, Param, Post } from '@nestjs/common';
import {
  AllowBatch,
  Context,
  ListOf,
  OWN_NAMESPACE,
  Parameters,
  PathId,
  PlainPostFields,
  PlainPostListQuery,
  PlainPostQuery,
  type RequestContext,
  StatusesArg,
  Update,
  withPageHeaders,
} from 'almanac';
import { SPEAKER } from './speaker-type.js';
import { SpeakersService } from './speakers.service.js';

@ListOf(SPEAKER)
class ListSpeakersQuery extends PlainPostListQuery {
  @StatusesArg(SPEAKER.type)
  status?: string[];
}

/** Routes: `/cal/events/v1/speakers` and `/cal/events/v1/speakers/<id>`. */
@AllowBatch()
@Controller(`${OWN_NAMESPACE}/${SPEAKER.path}`)
export class SpeakersController {
  constructor(private readonly speakers: SpeakersService) {}

  @Get()
  list(@Parameters(ListSpeakersQuery) query: ListSpeakersQuery, @Context() context: RequestContext) {
    return withPageHeaders(this.speakers.list(query, context), query);
  }

  @Post()
  create(@Parameters(SPEAKER.newBody) body: PlainPostFields, @Context() context: RequestContext) {
    return this.speakers.create(body, context);
  }

  @Get(':id')
  get(
    @Param('id', PathId) id: number,
    @Parameters(PlainPostQuery) query: PlainPostQuery,
    @Context() context: RequestContext,
  ) {
    return this.speakers.get(id, query, context);
  }

  @Update(':id')
  update(
    @Param('id', PathId) id: number,
    @Parameters(SPEAKER.body) body: PlainPostFields,
    @Context() context: RequestContext,
  ) {
    return this.speakers.update(id, body, context);
  }

  @Delete(':id')
  remove(@Param('id', PathId) id: number, @Context() context: RequestContext) {
    return this.speakers.remove(id, context);
  }
}
