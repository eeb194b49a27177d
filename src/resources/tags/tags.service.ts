import { Injectable } from '@nestjs/common';
import { EventTermsService } from '../terms/event-terms.service.js';
import { TermDeps } from '../terms/term-deps.js';
import { TAG } from './tag-type.js';
import type { UpdateTagDto } from './tag-write.dto.js';

/** Lists, reads and writes tags. */
@Injectable()
export class TagsService extends EventTermsService<'tags', UpdateTagDto> {
  constructor(tools: TermDeps) {
    super(TAG, tools);
  }
}
