import { calendarSettings } from '../../calendar/calendar-settings.js';
import { EVENT_POST_TYPE } from '../../calendar/event-post-type.js';
import { defineResource, type TermType } from '../base/resource.js';
import { EventTermJson, TermJson } from '../terms/term.response.js';
import { CATEGORY_TAXONOMY, Category } from './category.entity.js';
import { UpdateCategoryDto } from './category-write.dto.js';

/** The category resource. */
export const CATEGORY = defineResource({
  kind: 'term',
  body: UpdateCategoryDto,
  json: TermJson,
  embedded: EventTermJson,
  taxonomy: CATEGORY_TAXONOMY,
  path: 'categories',
  singular: 'category',
  plural: 'categories',
  description: 'A tree that sorts events by kind.',
  entity: Category,
  hierarchical: true,
  capabilities: { manage: ['edit_tribe_events', 'publish_tribe_events'], assign: 'edit_tribe_events' },
  queryVariable: 'tribe_events_cat',
  linkBase: (site) => `${calendarSettings(site).eventsSlug}/category`,
  corePath: 'tribe_events_cat',
  coreParameter: 'tribe_events_cat',
  corePostTypes: [EVENT_POST_TYPE, 'tec_calendar_embed'],
  coreCapability: 'publish_tribe_events',
}) satisfies TermType;
