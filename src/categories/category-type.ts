import type { TermType } from '../event-terms/term-type.js';
import type { UpdateCategoryDto } from './category.dto.js';

/** Event categories. */
export const CATEGORY: TermType<UpdateCategoryDto> = {
  kind: 'term',
  path: 'categories',
  taxonomy: 'tribe_events_cat',
  one: 'category',
  many: 'categories',
  hierarchical: true,
  corePath: 'tribe_events_cat',
  coreParameter: 'tribe_events_cat',
  corePostTypes: ['tribe_events', 'tec_calendar_embed'],
};
