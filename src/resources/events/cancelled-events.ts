import type { Database } from '../../database/database.js';
import { metaOf } from '../../wordpress/posts/post-rows.js';
import type { EventJson } from './event-json.js';
import type { PostOf } from './several-occurrences.js';

const STATUS_KEY = '_tribe_events_status';

/** The plugin's status of an event that is cancelled or postponed. */
export type CancelledState = 'canceled' | 'postponed';

const isCancelledState = (status: string | undefined): status is CancelledState =>
  status === 'canceled' || status === 'postponed';

/** The status of cancelled and postponed events by id; locked events are left out. */
export async function cancelledEvents(
  database: Database,
  events: readonly EventJson[],
  postOf: PostOf,
): Promise<Map<number, CancelledState>> {
  const open = events.filter(({ all_day }) => all_day !== null).map(({ id }) => id);
  const meta = await metaOf(database, 'post', [...new Set(open.map(postOf))], { keys: [STATUS_KEY] });
  return new Map(
    open.flatMap((id) => {
      const status = meta.get(postOf(id))?.get(STATUS_KEY)?.[0];
      return isCancelledState(status) ? [[id, status] as const] : [];
    }),
  );
}
