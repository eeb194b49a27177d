import { INTEGER, Member } from '../base/member.js';

const DATES = { type: 'array', items: { type: 'string' } } as const;
const IDS = { type: 'array', items: INTEGER } as const;

/** How an event recurs. */
export class RecurrenceJson {
  @Member({
    ...DATES,
    description: 'Rules of RFC 5545, such as `FREQ=WEEKLY;BYDAY=TU`; none where they are not known.',
  })
  rrule: string[];
  @Member({ ...DATES, description: 'Rules whose dates are left out.' }) exrule: string[];
  @Member({
    ...DATES,
    description: 'Further starts, on the clock of the event; with `/PT2H` where the duration is another one.',
  })
  rdates: string[];
  @Member({ ...DATES, description: 'Starts that are left out, and days.' }) exdates: string[];
  @Member({
    ...DATES,
    description: 'All of it as lines of RFC 5545, with `DTSTART`; none where no rule is known.',
  })
  lines: string[];
  @Member({ ...INTEGER, description: 'The id of the whole event.' }) event_id: number;
  @Member({ type: ['integer', 'null'], description: 'The series that the event belongs to.', optional: true })
  series_id?: number | null;
  @Member({ ...IDS, description: 'Ids of the next fifty dates.' }) occurrence_ids: number[];
}
