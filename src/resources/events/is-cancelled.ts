import type { Database } from '../../database/database.js';
import { metaOf } from '../../wordpress/posts/post-rows.js';
import type { EventJson } from './event-json.js';

const STATUS_KEY = '_tribe_events_status';

/** What the plugin notes of an event that does not take place, or not at its time. */
export type CancelledState = 'canceled' | 'postponed';

const isCalledOff = (status: string | undefined): status is CancelledState =>
  status === 'canceled' || status === 'postponed';

/** Which events are called off, by id; a password hides that with the rest. */
export async function isCancelled(
  database: Database,
  events: readonly EventJson[],
): Promise<Map<number, CancelledState>> {
  const open = events.filter(({ all_day }) => all_day !== null).map(({ id }) => id);
  const meta = await metaOf(database, 'post', open, { keys: [STATUS_KEY] });
  return new Map(
    open.flatMap((id) => {
      const status = meta.get(id)?.get(STATUS_KEY)?.[0];
      return isCalledOff(status) ? [[id, status] as const] : [];
    }),
  );
}
