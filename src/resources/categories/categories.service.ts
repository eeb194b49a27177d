import { Injectable } from '@nestjs/common';
import { EventTermsService } from '../terms/event-terms.service.js';
import { TermDeps } from '../terms/term-deps.js';
import { CATEGORY } from './category-type.js';
import type { UpdateCategoryDto } from './category-write.dto.js';

/** Lists, reads and writes categories. */
@Injectable()
export class CategoriesService extends EventTermsService<'categories', UpdateCategoryDto> {
  constructor(tools: TermDeps) {
    super(CATEGORY, tools);
  }
}
