import type { WriteContext } from '../../http/request-context.js';
import { parseWallClock } from '../../lib/wordpress-text/dates/wall-clock.js';
import type { ZonedDate } from '../../lib/wordpress-text/dates/zoned-date.js';
import { linkedIds, type PostRecord } from '../../wordpress/posts/post-record.js';
import type { LinkedPostType } from '../linked-posts/linked-post-type.js';
import type { LinkedPostInput } from '../linked-posts/linked-posts-arg.js';
import { ORGANIZER } from '../organizers/organizer-type.js';
import { VENUE } from '../venues/venue-type.js';
import { type EventDates, hasDateInput } from './event-dates.js';
import type { EventFields } from './event-write.dto.js';
import { datesOf, storedDates } from './stored-dates.js';

/** The id of a term, or the name of one that the write creates. */
export type EventTermValue = number | { name: string };

/** The values that an event will have, for plugins that validate them. */
export interface EventValues {
  /** Of a recurring event those of its first date; undefined for stored dates that cannot be read. */
  start?: ZonedDate;
  end?: ZonedDate;
  allDay: boolean;
  /** Undefined if they stay. */
  categories?: EventTermValue[];
  tags?: EventTermValue[];
  /** Stored ones if they stay; new ones by their data. */
  venue: readonly LinkedPostInput[];
  organizer: readonly LinkedPostInput[];
}

/** The dates that a write leads to; undefined for stored ones that cannot be read. Throws 400 for invalid input. */
export function plannedDates(
  fields: EventFields,
  before: Pick<PostRecord, 'meta'> | undefined,
  context: WriteContext,
): EventDates | undefined {
  const stored = before && storedDates(before);
  if (!before || hasDateInput(fields)) return datesOf(fields, stored, context);
  try {
    return stored && datesOf({}, stored, context);
  } catch {
    return undefined;
  }
}

/** The dates and linked records of `EventValues`. */
export function eventValues(
  dates: EventDates | undefined,
  fields: EventFields,
  before: PostRecord | undefined,
): EventValues {
  const linked = ({ linkKey }: LinkedPostType, sent: readonly LinkedPostInput[] | undefined) =>
    sent ?? (before ? linkedIds(before, linkKey).map((id) => ({ id })) : []);
  return {
    ...(dates && {
      start: zoned(dates.start, dates.startUtc, dates.timezone),
      end: zoned(dates.end, dates.endUtc, dates.timezone),
    }),
    allDay: dates?.allDay ?? false,
    venue: linked(VENUE, fields.venue),
    organizer: linked(ORGANIZER, fields.organizer),
  };
}

const zoned = (local: string, utc: string, zone: string): ZonedDate => ({
  instant: (parseWallClock(utc) ?? 0) * 1000,
  local,
  zone,
});
