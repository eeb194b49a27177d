import { calendarSettings } from '../../calendar/calendar-settings.js';
import { EVENT_POST_TYPE } from '../../calendar/event-post-type.js';
import { linkedIds } from '../../wordpress/posts/post-record.js';
import { defineResource } from '../base/resource.js';
import { CATEGORY } from '../categories/category-type.js';
import { ORGANIZER } from '../organizers/organizer-type.js';
import { TAG } from '../tags/tag-type.js';
import { VENUE } from '../venues/venue-type.js';
import { Event } from './event.entity.js';
import { type LoadedEvent, toEventResponse } from './event.response.js';
import { EventJson } from './event-json.js';
import type { EventValues } from './event-values.js';
import { EventFields } from './event-write.dto.js';
import { imagesToStore, textsToClean } from './texts-to-clean.js';

/** The event resource, with its taxonomies and linked records. */
export const EVENT = defineResource({
  kind: 'post',
  type: EVENT_POST_TYPE,
  path: 'events',
  corePath: EVENT_POST_TYPE,
  singular: 'event',
  plural: 'events',
  description: 'What takes place: when, where and by whom.',
  entity: Event,
  capabilities: 'tribe_events',
  linkBase: (site) => calendarSettings(site).singleEventSlug,
  taxonomies: [CATEGORY, TAG],
  linked: [VENUE, ORGANIZER],
  tracksSaves: true,
  body: EventFields,
  json: EventJson,
  toJson: toEventResponse,
  linkedRecords: ({ venues, organizers }: LoadedEvent) => [
    ...venues.map((post) => ({ resource: VENUE, post })),
    ...organizers.map((post) => ({ resource: ORGANIZER, post })),
  ],
  linkedIds: ({ post }: LoadedEvent) => [VENUE, ORGANIZER].flatMap(({ linkKey }) => linkedIds(post, linkKey)),
  textsToClean,
  images: imagesToStore,
  values: undefined as EventValues | undefined,
});
