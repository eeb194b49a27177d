import { Controller, Get, Param, Post } from '@nestjs/common';
import { CategoriesService } from '../resources/categories/categories.service.js';
import { CORE_NAMESPACE } from '../config/env.js';
import { Cacheable } from '../http/response-cache/cacheable.decorator.js';
import { Parameters } from '../http/params/parameters.js';
import { PathId } from '../http/params/path-id.js';
import { Context, type RequestContext } from '../http/request-context.js';
import { Undocumented } from '../http/undocumented.decorator.js';
import { Update } from '../http/update.decorator.js';
import { CoreQuery } from './wp-core-api.dto.js';
import { CreateCoreTermDto, ListCoreCategoriesQuery, UpdateCoreTermDto } from './terms.dto.js';
import { CoreTermsService } from './terms.service.js';

/** Event categories in `wp/v2`. */
@Undocumented()
@Cacheable()
@Controller(`${CORE_NAMESPACE}/tribe_events_cat`)
export class CoreCategoriesController {
  constructor(
    private readonly core: CoreTermsService,
    private readonly terms: CategoriesService,
  ) {}

  @Get()
  list(
    @Parameters(ListCoreCategoriesQuery) query: ListCoreCategoriesQuery,
    @Context() context: RequestContext,
  ) {
    return this.core.list(this.terms, query, context);
  }

  @Post()
  create(@Parameters(CreateCoreTermDto) fields: CreateCoreTermDto, @Context() context: RequestContext) {
    return this.core.create(this.terms, fields, context);
  }

  @Get(':id')
  get(
    @Param('id', PathId) id: number,
    @Parameters(CoreQuery) query: CoreQuery,
    @Context() context: RequestContext,
  ) {
    return this.core.get(this.terms, id, query, context);
  }

  @Update(':id')
  update(
    @Param('id', PathId) id: number,
    @Parameters(UpdateCoreTermDto) fields: UpdateCoreTermDto,
    @Context() context: RequestContext,
  ) {
    return this.core.update(this.terms, id, fields, context);
  }
}
