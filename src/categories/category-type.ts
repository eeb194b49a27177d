import type { TermType } from '../event-terms/term-type.js';

/** Event categories. */
export const CATEGORY: TermType = {
  taxonomy: 'tribe_events_cat',
  word: 'category',
  plural: 'categories',
  hierarchical: true,
  corePath: 'tribe_events_cat',
  coreParameter: 'tribe_events_cat',
  corePostTypes: ['tribe_events', 'tec_calendar_embed'],
};
