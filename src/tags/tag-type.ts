import type { TermType } from '../event-terms/term-type.js';
import type { UpdateTagDto } from './tag.dto.js';

/** Event tags, which events share with blog posts. */
export const TAG: TermType<UpdateTagDto> = {
  kind: 'term',
  path: 'tags',
  taxonomy: 'post_tag',
  one: 'tag',
  many: 'tags',
  hierarchical: false,
  corePath: 'tags',
  coreParameter: 'tags',
  corePostTypes: ['posts', 'tribe_events', 'tec_calendar_embed'],
};
