import type { Database } from '../../database/database.js';
import { metaOf } from '../../wordpress/posts/post-rows.js';
import { VENUE } from '../venues/venue-type.js';
import type { EventJson } from './event-json.js';
import type { PostOf } from './several-occurrences.js';

const STATUS_KEY = '_tribe_events_status';

/** The plugin's status of an event that is cancelled or postponed. */
export type CancelledState = 'canceled' | 'postponed';

const isCancelledState = (status: string | undefined): status is CancelledState =>
  status === 'canceled' || status === 'postponed';

/** What rows tell of events that their JSON does not. */
export interface EventStates {
  /** The status of cancelled and postponed events by id; locked events are left out. */
  cancelled: ReadonlyMap<number, CancelledState>;
  /** Ids of events with a venue, also with one that may not be read. */
  withVenue: ReadonlySet<number>;
}

/** The states of events, of which dates have those of their event. */
export async function eventStates(
  database: Database,
  events: readonly EventJson[],
  postOf: PostOf,
): Promise<EventStates> {
  const open = events.filter(({ all_day }) => all_day !== null).map(({ id }) => id);
  const keys = [STATUS_KEY, VENUE.linkKey];
  const meta = await metaOf(database, 'post', [...new Set(open.map(postOf))], { keys });
  const values = (id: number, key: string) => meta.get(postOf(id))?.get(key) ?? [];
  return {
    cancelled: new Map(
      open.flatMap((id) => {
        const [status] = values(id, STATUS_KEY);
        return isCancelledState(status) ? [[id, status] as const] : [];
      }),
    ),
    withVenue: new Set(open.filter((id) => values(id, VENUE.linkKey).some((venue) => Number(venue) > 0))),
  };
}
