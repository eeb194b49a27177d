import type { PostResource } from '../resources/define-resource.js';
import { type EventJson, toEventResponse } from './event.response.js';
import type { EventBundle } from './event-bundles.service.js';
import type { EventFields } from './event-write.dto.js';

/** Events. */
export const EVENT: PostResource<EventFields, EventJson, EventBundle> = {
  kind: 'post',
  type: 'tribe_events',
  capabilities: 'tribe_events',
  path: 'events',
  one: 'event',
  many: 'events',
  toJson: toEventResponse,
};
