import { Controller, Get, Param, Post, type Type } from '@nestjs/common';
import { CORE_NAMESPACE } from '../config/env.js';
import { AllowBatch } from '../http/allow-batch.decorator.js';
import { Parameters } from '../http/params/parameters.js';
import { PathId } from '../http/params/path-id.js';
import { Context, type RequestContext } from '../http/request-context.js';
import { Cacheable } from '../http/response-cache/cacheable.decorator.js';
import { Undocumented } from '../http/undocumented.decorator.js';
import { Update } from '../http/update.decorator.js';
import { CategoriesService } from '../resources/categories/categories.service.js';
import { TagsService } from '../resources/tags/tags.service.js';
import { CoreQuery } from './list.dto.js';
import {
  CreateCoreTermDto,
  ListCoreCategoriesQuery,
  ListCoreTagsQuery,
  UpdateCoreTermDto,
} from './terms.dto.js';
import { CoreTermsService, type Terms } from './terms.service.js';

/** Creates the base class with the routes of a taxonomy. */
function coreTermRoutes(listDto: Type<ListCoreTagsQuery>) {
  @AllowBatch()
  abstract class CoreTermsController {
    abstract readonly core: CoreTermsService;
    abstract readonly terms: Terms;

    @Get()
    list(@Parameters(listDto) query: ListCoreCategoriesQuery, @Context() context: RequestContext) {
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
  return CoreTermsController;
}

/** Tags in `wp/v2`. */
@Undocumented()
@Cacheable()
@Controller(`${CORE_NAMESPACE}/tags`)
export class CoreTagsController extends coreTermRoutes(ListCoreTagsQuery) {
  constructor(
    readonly core: CoreTermsService,
    readonly terms: TagsService,
  ) {
    super();
  }
}

/** Event categories in `wp/v2`. */
@Undocumented()
@Cacheable()
@Controller(`${CORE_NAMESPACE}/tribe_events_cat`)
export class CoreCategoriesController extends coreTermRoutes(ListCoreCategoriesQuery) {
  constructor(
    readonly core: CoreTermsService,
    readonly terms: CategoriesService,
  ) {
    super();
  }
}
