import { Controller } from '@nestjs/common';
import { OWN_NAMESPACE } from '../../config/env.js';
import { Cacheable } from '../../http/response-cache/cacheable.decorator.js';
import { eventTermRoutes } from '../terms/event-terms.controller.js';
import { CategoriesService } from './categories.service.js';
import { ListCategoriesQuery } from './category.dto.js';
import { CreateCategoryDto, UpdateCategoryDto } from './category-write.dto.js';

const Routes = eventTermRoutes({
  list: ListCategoriesQuery,
  create: CreateCategoryDto,
  update: UpdateCategoryDto,
});

/** Routes of categories. */
@Cacheable()
@Controller(`${OWN_NAMESPACE}/categories`)
export class CategoriesController extends Routes {
  constructor(readonly terms: CategoriesService) {
    super();
  }
}
