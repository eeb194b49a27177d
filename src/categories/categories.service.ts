import { Injectable } from '@nestjs/common';
import { EventTermsService } from '../event-terms/event-terms.service.js';
import type { GetTermQuery, TermView } from '../event-terms/term.dto.js';
import { TermChangesService } from '../event-terms/term-changes.service.js';
import type { Answer } from '../http/answer.js';
import type { RequestContext } from '../http/request-context.js';
import type { CreateCategoryDto, ListCategoriesQuery, UpdateCategoryDto } from './category.dto.js';
import { CATEGORY } from './category-type.js';

/** Lists, reads and writes categories. */
@Injectable()
export class CategoriesService {
  constructor(
    private readonly terms: EventTermsService,
    private readonly changes: TermChangesService,
  ) {}

  list(query: ListCategoriesQuery, context: RequestContext): Promise<Answer> {
    return this.terms.list(CATEGORY, query, context);
  }

  get(id: number, query: GetTermQuery, context: RequestContext): Promise<Answer> {
    return this.terms.get(CATEGORY, id, query, context);
  }

  create(fields: CreateCategoryDto, context: RequestContext): Promise<Answer> {
    return this.changes.create(CATEGORY, fields, context);
  }

  update(id: number, fields: UpdateCategoryDto, context: RequestContext): Promise<Answer> {
    return this.changes.update(CATEGORY, id, fields, context);
  }

  remove(id: number, view: TermView, context: RequestContext): Promise<Answer> {
    return this.changes.remove(CATEGORY, id, view, context);
  }
}
