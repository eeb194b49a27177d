import { Injectable } from '@nestjs/common';
import type { GetTermQuery } from '../event-terms/term.dto.js';
import { EventTermsService } from '../event-terms/event-terms.service.js';
import type { Answer } from '../http/answer.js';
import type { RequestContext } from '../http/request-context.js';
import type { ListCategoriesQuery } from './category.dto.js';
import { CATEGORY } from './category-type.js';

/** Lists and reads categories. */
@Injectable()
export class CategoriesService {
  constructor(private readonly terms: EventTermsService) {}

  list(query: ListCategoriesQuery, context: RequestContext): Promise<Answer> {
    return this.terms.list(CATEGORY, query, context);
  }

  get(id: number, query: GetTermQuery, context: RequestContext): Promise<Answer> {
    return this.terms.get(CATEGORY, id, query, context);
  }
}
