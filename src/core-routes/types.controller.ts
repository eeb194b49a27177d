import { Controller, Get, Param } from '@nestjs/common';
import { CORE_NAMESPACE } from '../config/env.js';
import { Keep } from '../http/keep.decorator.js';
import { Parameters } from '../http/parameters.js';
import { Context, type RequestContext } from '../http/request-context.js';
import { Undocumented } from '../http/undocumented.decorator.js';
import { CoreQuery } from './core-routes.dto.js';
import { TypesService } from './types.service.js';

/** Which types of posts there are. */
@Undocumented()
@Controller(`${CORE_NAMESPACE}/types`)
export class TypesController {
  constructor(private readonly types: TypesService) {}

  @Get()
  @Keep()
  list(@Parameters(CoreQuery) query: CoreQuery, @Context() context: RequestContext) {
    return this.types.postTypes(query, context);
  }

  @Get(':type')
  @Keep()
  get(
    @Param('type') type: string,
    @Parameters(CoreQuery) query: CoreQuery,
    @Context() context: RequestContext,
  ) {
    return this.types.postType(type, query, context);
  }
}
