import { Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { OWN_NAMESPACE } from '../../config/env.js';
import { GetTermQuery, TermView } from '../terms/term.dto.js';
import { Cacheable } from '../../http/response-cache/cacheable.decorator.js';
import { Parameters } from '../../http/params/parameters.js';
import { PathId } from '../../http/params/path-id.js';
import { Context, type RequestContext } from '../../http/request-context.js';
import { Update } from '../../http/update.decorator.js';
import { withLocation, withPageHeaders } from '../base/page.js';
import { CategoriesService } from './categories.service.js';
import { ListCategoriesQuery } from './category.dto.js';
import { CreateCategoryDto, UpdateCategoryDto } from './category-write.dto.js';

/** Routes of categories. */
@Cacheable()
@Controller(`${OWN_NAMESPACE}/categories`)
export class CategoriesController {
  constructor(private readonly categories: CategoriesService) {}

  @Get()
  list(@Parameters(ListCategoriesQuery) query: ListCategoriesQuery, @Context() context: RequestContext) {
    return withPageHeaders(this.categories.list(query, context), query);
  }

  @Post()
  create(@Parameters(CreateCategoryDto) fields: CreateCategoryDto, @Context() context: RequestContext) {
    return withLocation(this.categories.create(fields, context));
  }

  @Get(':id')
  get(
    @Param('id', PathId) id: number,
    @Parameters(GetTermQuery) query: GetTermQuery,
    @Context() context: RequestContext,
  ) {
    return this.categories.get(id, query, context);
  }

  @Update(':id')
  update(
    @Param('id', PathId) id: number,
    @Parameters(UpdateCategoryDto) fields: UpdateCategoryDto,
    @Context() context: RequestContext,
  ) {
    return this.categories.update(id, fields, context);
  }

  @Delete(':id')
  remove(
    @Param('id', PathId) id: number,
    @Parameters(TermView) view: TermView,
    @Context() context: RequestContext,
  ) {
    return this.categories.remove(id, view, context);
  }
}
