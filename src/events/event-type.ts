import { calendarSettings } from '../calendar/calendar-settings.js';
import { EVENT_POST_TYPE } from '../calendar/event-post-type.js';
import { CATEGORY } from '../categories/category-type.js';
import type { TermType } from '../event-terms/term-type.js';
import type { LinkedPostType } from '../linked-posts/linked-post-type.js';
import { ORGANIZER } from '../organizers/organizer-type.js';
import type { PostResource } from '../resources/define-resource.js';
import { TAG } from '../tags/tag-type.js';
import { VENUE } from '../venues/venue-type.js';
import { Event } from './event.entity.js';
import { type EventJson, toEventResponse } from './event.response.js';
import type { EventBundle } from './event-bundles.service.js';
import type { EventFields } from './event-write.dto.js';

/** Events carry terms and name records of other resources. */
interface EventType extends PostResource<EventFields, EventJson, EventBundle> {
  taxonomies: readonly TermType[];
  linked: readonly LinkedPostType[];
}

/** Events. */
export const EVENT: EventType = {
  kind: 'post',
  type: EVENT_POST_TYPE,
  capabilities: 'tribe_events',
  path: 'events',
  one: 'event',
  many: 'events',
  schema: 'Event',
  entity: Event,
  linkBase: (site) => calendarSettings(site).singleEventSlug,
  taxonomies: [CATEGORY, TAG],
  linked: [VENUE, ORGANIZER],
  toJson: toEventResponse,
};
