import { Injectable } from '@nestjs/common';
import { EventTermsService } from '../event-terms/event-terms.service.js';
import type { GetTermQuery, TermView } from '../event-terms/term.dto.js';
import { TermChangesService } from '../event-terms/term-changes.service.js';
import type { Answer } from '../http/answer.js';
import type { RequestContext } from '../http/request-context.js';
import type { CreateTagDto, ListTagsQuery, UpdateTagDto } from './tag.dto.js';
import { TAG } from './tag-type.js';

/** Lists, reads and writes tags. */
@Injectable()
export class TagsService {
  constructor(
    private readonly terms: EventTermsService,
    private readonly changes: TermChangesService,
  ) {}

  list(query: ListTagsQuery, context: RequestContext): Promise<Answer> {
    return this.terms.list(TAG, query, context);
  }

  get(id: number, query: GetTermQuery, context: RequestContext): Promise<Answer> {
    return this.terms.get(TAG, id, query, context);
  }

  create(fields: CreateTagDto, context: RequestContext): Promise<Answer> {
    return this.changes.create(TAG, fields, context);
  }

  update(id: number, fields: UpdateTagDto, context: RequestContext): Promise<Answer> {
    return this.changes.update(TAG, id, fields, context);
  }

  remove(id: number, view: TermView, context: RequestContext): Promise<Answer> {
    return this.changes.remove(TAG, id, view, context);
  }
}
