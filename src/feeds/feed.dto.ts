import { Transform } from 'class-transformer';
import { ListEventsQuery } from '../events/event.dto.js';
import { contextOf, type Given } from '../http/check-context.js';
import { IsPositiveInt } from '../http/checks.js';
import { RestArg, stacked } from '../http/rest-arg.js';

/** Most events of one calendar file: what subscribes to one reads no further pages. */
export const MOST_IN_FILE = 1000;

/** `per_page` of a calendar file; a list's own, which is smaller, has been read by then. */
const PerFileArg = (): PropertyDecorator =>
  stacked(
    RestArg({
      type: 'integer',
      shownDefault: () => MOST_IN_FILE,
      description: `How many per file, at most ${MOST_IN_FILE}.`,
    }),
    IsPositiveInt(),
    Transform(({ obj }: Given) => {
      const sent = contextOf(obj).sent['per_page'];
      return sent === undefined || sent === null ? MOST_IN_FILE : Math.min(MOST_IN_FILE, Number(sent));
    }),
  );

/** Parameters of `GET /events.ics`: those of the list. */
export class CalendarFileQuery extends ListEventsQuery {
  @PerFileArg() override per_page: number;
}
