import { Transform } from 'class-transformer';
import { getContext, type TransformParams } from '../http/params/check-context.js';
import { IsPositiveInt } from '../http/params/checks.js';
import { RestArg } from '../http/params/rest-arg.js';
import { ListEventsQuery } from '../resources/events/event.dto.js';

/** Maximum events per calendar file, since subscribers read no further pages; the whole response is cached. */
const IN_FILE = 500;
const MAX_IN_FILE = 1000;

/** Parameters of `GET /events.ics`: those of the list, but for the larger page. */
export class CalendarFileQuery extends ListEventsQuery {
  @RestArg({
    type: 'integer',
    documentedDefault: () => IN_FILE,
    description: `How many per file: ${IN_FILE} unless said otherwise, at most ${MAX_IN_FILE}.`,
  })
  @IsPositiveInt()
  @Transform(({ obj }: TransformParams) => {
    const sent = getContext(obj).sent['per_page'];
    return sent === undefined || sent === null ? IN_FILE : Math.min(MAX_IN_FILE, Number(sent));
  })
  override per_page: number;
}
