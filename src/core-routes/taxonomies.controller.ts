import { Controller, Get, Param } from '@nestjs/common';
import { CORE_NAMESPACE } from '../config/env.js';
import { Keep } from '../http/keep.decorator.js';
import { Parameters } from '../http/parameters.js';
import { Context, type RequestContext } from '../http/request-context.js';
import { Undocumented } from '../http/undocumented.decorator.js';
import { CoreQuery, TaxonomiesQuery } from './core-routes.dto.js';
import { TypesService } from './types.service.js';

/** Which taxonomies there are. */
@Undocumented()
@Controller(`${CORE_NAMESPACE}/taxonomies`)
export class TaxonomiesController {
  constructor(private readonly types: TypesService) {}

  @Get()
  @Keep()
  list(@Parameters(TaxonomiesQuery) query: TaxonomiesQuery, @Context() context: RequestContext) {
    return this.types.taxonomies(query, context);
  }

  @Get(':taxonomy')
  @Keep()
  get(
    @Param('taxonomy') taxonomy: string,
    @Parameters(CoreQuery) query: CoreQuery,
    @Context() context: RequestContext,
  ) {
    return this.types.taxonomy(taxonomy, query, context);
  }
}
