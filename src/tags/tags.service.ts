import { Injectable } from '@nestjs/common';
import type { GetTermQuery } from '../event-terms/term.dto.js';
import { EventTermsService } from '../event-terms/event-terms.service.js';
import type { Answer } from '../http/answer.js';
import type { RequestContext } from '../http/request-context.js';
import type { ListTagsQuery } from './tag.dto.js';
import { TAG } from './tag-type.js';

/** Lists and reads tags. */
@Injectable()
export class TagsService {
  constructor(private readonly terms: EventTermsService) {}

  list(query: ListTagsQuery, context: RequestContext): Promise<Answer> {
    return this.terms.list(TAG, query, context);
  }

  get(id: number, query: GetTermQuery, context: RequestContext): Promise<Answer> {
    return this.terms.get(TAG, id, query, context);
  }
}
