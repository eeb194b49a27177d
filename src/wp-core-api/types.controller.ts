import { Controller, Get, Param } from '@nestjs/common';
import { CORE_NAMESPACE } from '../config/env.js';
import { Parameters } from '../http/params/parameters.js';
import { Context, type RequestContext } from '../http/request-context.js';
import { Cacheable } from '../http/response-cache/cacheable.decorator.js';
import { Undocumented } from '../http/undocumented.decorator.js';
import { CoreQuery, TaxonomiesQuery } from './list.dto.js';
import { TypesService } from './types.service.js';

/** The post types and taxonomies. */
@Undocumented()
@Cacheable()
@Controller(CORE_NAMESPACE)
export class TypesController {
  constructor(private readonly types: TypesService) {}

  @Get('types')
  listTypes(@Parameters(CoreQuery) query: CoreQuery, @Context() context: RequestContext) {
    return this.types.postTypes(query, context);
  }

  @Get('types/:type')
  getType(
    @Param('type') type: string,
    @Parameters(CoreQuery) query: CoreQuery,
    @Context() context: RequestContext,
  ) {
    return this.types.postType(type, query, context);
  }

  @Get('taxonomies')
  listTaxonomies(@Parameters(TaxonomiesQuery) query: TaxonomiesQuery, @Context() context: RequestContext) {
    return this.types.taxonomies(query, context);
  }

  @Get('taxonomies/:taxonomy')
  getTaxonomy(
    @Param('taxonomy') taxonomy: string,
    @Parameters(CoreQuery) query: CoreQuery,
    @Context() context: RequestContext,
  ) {
    return this.types.taxonomy(taxonomy, query, context);
  }
}
