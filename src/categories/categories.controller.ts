import { Controller, Get, Param } from '@nestjs/common';
import { OWN_NAMESPACE } from '../config/env.js';
import { GetTermQuery } from '../event-terms/term.dto.js';
import { Parameters } from '../http/parameters.js';
import { PathId } from '../http/path-id.js';
import { Context, type RequestContext } from '../http/request-context.js';
import { ListCategoriesQuery } from './category.dto.js';
import { CategoriesService } from './categories.service.js';

/** Routes of categories. */
@Controller(`${OWN_NAMESPACE}/categories`)
export class CategoriesController {
  constructor(private readonly categories: CategoriesService) {}

  @Get()
  list(@Parameters(ListCategoriesQuery) query: ListCategoriesQuery, @Context() context: RequestContext) {
    return this.categories.list(query, context);
  }

  @Get(':id')
  get(
    @Param('id', PathId) id: number,
    @Parameters(GetTermQuery) query: GetTermQuery,
    @Context() context: RequestContext,
  ) {
    return this.categories.get(id, query, context);
  }
}
