import { Controller, Get, Options, Req } from '@nestjs/common';
import type { Request } from 'express';
import { OWN_NAMESPACE } from '../config/env.js';
import { Parameters } from '../http/params/parameters.js';
import { Context, type RequestContext } from '../http/request-context.js';
import { Cacheable } from '../http/response-cache/cacheable.decorator.js';
import { restOf } from '../http/rest-request.js';
import { NamespaceIndexQuery } from './index.dto.js';
import { IndexService } from './index.service.js';

/** The namespace index, the recorded document, and OPTIONS for every path. */
@Cacheable()
@Controller(OWN_NAMESPACE)
export class IndexController {
  constructor(private readonly index: IndexService) {}

  @Get()
  namespace(@Parameters(NamespaceIndexQuery) query: NamespaceIndexQuery, @Context() context: RequestContext) {
    return this.index.namespace(query, context);
  }

  @Get('doc')
  document(@Context() context: RequestContext) {
    return this.index.document(context);
  }

  @Options(['', '*path'])
  options(@Req() request: Request, @Context() context: RequestContext) {
    const rest = restOf(request);
    return (rest && this.index.route(rest, context)) ?? [];
  }
}
