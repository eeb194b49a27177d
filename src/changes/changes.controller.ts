import { applyDecorators, Controller, Get, Req, Res, SetMetadata } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Parameters } from '../http/params/parameters.js';
import { Context, type RequestContext } from '../http/request-context.js';
import { Cacheable } from '../http/response-cache/cacheable.decorator.js';
import { FEEDS_BASE } from '../http/rest-request.js';
import { schemaRef } from '../resources/base/json-schema.js';
import { ChangeStreams } from './change-streams.service.js';
import { ListChangesQuery } from './changes.dto.js';
import { ChangesJson } from './changes.response.js';
import { ChangesService } from './changes.service.js';

const SUMMARY = 'What has changed since a token, or everything';

/** Documents the response by the metadata of Swagger's decorators, as Swagger is loaded on demand. */
const Documented = (): MethodDecorator =>
  applyDecorators(
    SetMetadata('swagger/apiUseTags', ['changes']),
    SetMetadata('swagger/apiOperation', { operationId: 'listChanges', summary: SUMMARY }),
    SetMetadata('swagger/apiResponse', {
      200: {
        description: 'A page of changes; as a stream of events by `Accept: text/event-stream`.',
        content: {
          'application/json': { schema: schemaRef(ChangesJson) },
          'text/event-stream': { schema: { type: 'string' } },
        },
      },
      410: { description: 'The token does not fit any more.' },
    }),
  );

/** What has changed (docs/behaviour/changes-route.md); `changesPath` rewrites requests to these routes. */
@Controller(`${FEEDS_BASE}/changes`)
export class ChangesController {
  constructor(
    private readonly changes: ChangesService,
    private readonly streams: ChangeStreams,
  ) {}

  @Cacheable()
  @Get()
  @Documented()
  list(@Parameters(ListChangesQuery) query: ListChangesQuery, @Context() context: RequestContext) {
    return this.changes.list(query, context);
  }

  @Get('stream')
  @SetMetadata('swagger/apiExcludeEndpoint', { disable: true })
  stream(
    @Parameters(ListChangesQuery) query: ListChangesQuery,
    @Context() context: RequestContext,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.streams.open(query, context, request, response);
  }
}
