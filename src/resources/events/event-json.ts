import type { DateDetails } from '../../lib/wordpress-text/dates/wall-clock.js';
import { EMPTY_LIST, Member, withMembers } from '../base/member.js';
import { PlainPostJson } from '../base/plain-post.response.js';
import { CalendarJson, DATE_MEMBER, DISTANCE } from '../base/post-json.js';
import { OrganizerJson } from '../organizers/organizer.response.js';
import { EventTermJson } from '../terms/term.response.js';
import { VenueJson } from '../venues/venue.response.js';
import type { EventJsonLd } from './event-json-ld.js';
import { RecurrenceJson } from './recurrence-json.js';

const VISIBLE = { visibleWhenLocked: true };
/** Null in a locked event. */
const FLAG = { type: 'boolean' };

class DateDetailsJson implements DateDetails {
  @Member() year: string;
  @Member() month: string;
  @Member() day: string;
  @Member() hour: string;
  @Member() minutes: string;
  @Member() seconds: string;
}

class CostDetailsJson {
  @Member() currency_symbol: string;
  @Member() currency_code: string;
  @Member() currency_position: string;
  @Member({ type: 'array', items: { type: ['string', 'integer'] } }) values: (string | number)[];
}

class CustomFieldJson {
  @Member() label: string;
  @Member({ isHtml: true }) value: string;
}

const DETAILS = { type: DateDetailsJson, ...VISIBLE, isRedundant: true };
const NULLABLE_DATE = { ...DATE_MEMBER, type: ['string', 'null'] };
const UTC_DATE = { ...NULLABLE_DATE, utc: true } as const;
const dateOf = (utc: string) => ({ ...NULLABLE_DATE, utc, zone: 'timezone' });
const NO_COST = { currency_symbol: '', currency_position: '', currency_code: '', values: [] };
const RECURRENCE = 'Of events with several dates, with `recurrence=true` or `_format=clean` only.';
const LINKED_VENUE = 'The venue; a list where there is none, or more than one.';

/** The JSON of an event. */
export class EventJson extends withMembers(PlainPostJson, CalendarJson) {
  @Member(FLAG) all_day: boolean | null;
  @Member(dateOf('utc_start_date')) start_date: string | null;
  @Member(DETAILS) start_date_details: DateDetails;
  @Member(dateOf('utc_end_date')) end_date: string | null;
  @Member(DETAILS) end_date_details: DateDetails;
  @Member(UTC_DATE) utc_start_date: string | null;
  @Member(DETAILS) utc_start_date_details: DateDetails;
  @Member(UTC_DATE) utc_end_date: string | null;
  @Member(DETAILS) utc_end_date_details: DateDetails;
  @Member(VISIBLE) timezone: string;
  @Member(VISIBLE) timezone_abbr: string;
  @Member() cost: string;
  @Member({ type: CostDetailsJson, blank: NO_COST }) cost_details: CostDetailsJson;
  @Member() website: string;
  @Member(FLAG) show_map: boolean | null;
  @Member(FLAG) show_map_link: boolean | null;
  @Member(FLAG) hide_from_listings: boolean | null;
  @Member(FLAG) sticky: boolean | null;
  @Member(FLAG) featured: boolean | null;
  @Member({ type: 'array', items: EventTermJson }) categories: EventTermJson[];
  @Member({ type: 'array', items: EventTermJson }) tags: EventTermJson[];
  @Member({ anyOf: [VenueJson, { type: 'array', items: VenueJson }], description: LINKED_VENUE, blank: [] })
  venue: VenueJson | VenueJson[];
  @Member({ type: 'array', items: OrganizerJson }) organizer: OrganizerJson[];
  @Member({ anyOf: [EMPTY_LIST, { type: 'object', additionalProperties: CustomFieldJson }], blank: [] })
  custom_fields: Record<string, CustomFieldJson> | [];
  @Member(DISTANCE) distance?: number | null;
  @Member({ type: RecurrenceJson, description: RECURRENCE, ...VISIBLE, optional: true, isConditional: true })
  recurrence?: RecurrenceJson;
  declare json_ld?: EventJsonLd;
}
