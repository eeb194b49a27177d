import type { TermType } from '../event-terms/term-type.js';

/** Event tags, which events share with blog posts. */
export const TAG: TermType = {
  taxonomy: 'post_tag',
  word: 'tag',
  plural: 'tags',
  hierarchical: false,
  corePath: 'tags',
  coreParameter: 'tags',
  corePostTypes: ['posts', 'tribe_events', 'tec_calendar_embed'],
};
