import {
  dateTime,
  nonEmptyText,
  positiveInteger,
  positiveIntegers,
  postId,
  postIds,
  statusFilter,
  searchText,
} from '../http/checks.js';
import type { RequestContext } from '../http/request-context.js';
import { ORGANIZER } from '../organizers/organizer-type.js';
import { VENUE } from '../venues/venue-type.js';
import { isStrictDates } from '../wordpress/dates/list-dates.js';
import { RestArg } from '../http/rest-arg.js';
import { type IdFilter, parseIds, parsePerPage, parseStatuses, shownPerPage } from '../http/list-args.js';
import { defaultListDates } from '../wordpress/dates/list-dates.js';
import { EVENT } from './event-type.js';
import { categoryFilter, parseCategories, parseTags, tagFilter } from './event-term-filters.js';

const TICKETS_MISSING = {
  code: 'event-tickets-not-active',
  message: 'ticketed can not be true: events have no tickets without the tickets add-on.',
};

const defaultDates = ({ settings, now }: RequestContext) =>
  defaultListDates(settings.zone, Math.floor(now / 1000));

/** Parameters of `GET /events`. */
export class ListEventsQuery {
  @RestArg({
    default: 1,
    type: 'integer',
    check: positiveInteger,
    description: 'The page of results to return.',
  })
  page: number;
  @RestArg({
    shownDefault: shownPerPage,
    type: 'integer',
    check: positiveInteger,
    parse: parsePerPage,
    description: 'Events per page, at most 50.',
  })
  per_page: number;
  @RestArg({
    shownDefault: (context) => defaultDates(context).start_date,
    check: dateTime,
    description: 'Only events that start on this date or later.',
  })
  start_date?: string | number;
  @RestArg({
    shownDefault: (context) => defaultDates(context).end_date,
    check: dateTime,
    description: 'Only events that end on this date or earlier.',
  })
  end_date?: string | number;
  @RestArg({ check: dateTime, description: 'Only events that start before this date.' })
  starts_before?: string | number;
  @RestArg({ check: dateTime, description: 'Only events that start after this date.' })
  starts_after?: string | number;
  @RestArg({ check: dateTime, description: 'Only events that end before this date.' })
  ends_before?: string | number;
  @RestArg({ check: dateTime, description: 'Only events that end after this date.' })
  ends_after?: string | number;
  @RestArg({
    default: 'false',
    check: nonEmptyText,
    parse: isStrictDates,
    description: 'Take dates at their exact times instead of whole days.',
  })
  strict_dates: boolean;
  @RestArg({ type: 'string', check: searchText, description: 'Text in title, excerpt or description.' })
  search?: string;
  @RestArg({
    items: 'integer',
    check: categoryFilter,
    parse: parseCategories,
    description: 'Only events of one of these categories (ids or slugs) or of those below them.',
  })
  categories?: number[];
  @RestArg({
    items: 'integer',
    check: tagFilter,
    parse: parseTags,
    description: 'Only events with one of these tags (ids or slugs).',
  })
  tags?: number[];
  @RestArg({
    items: 'integer',
    check: postIds(VENUE.type, VENUE.one),
    parse: parseIds,
    description: 'Only events at one of these venues.',
  })
  venue?: IdFilter;
  @RestArg({
    items: 'integer',
    check: postIds(ORGANIZER.type, ORGANIZER.one),
    parse: parseIds,
    description: 'Only events of one of these organizers.',
  })
  organizer?: IdFilter;
  @RestArg({ type: 'boolean', description: 'Only featured events, or only others.' })
  featured?: boolean;
  @RestArg({
    format: 'string',
    check: statusFilter(EVENT.type),
    parse: parseStatuses,
    description: 'Only events with one of these statuses.',
  })
  status?: string[];
  @RestArg({
    type: 'boolean',
    description: 'Only events whose venue has coordinates; without effect for now.',
  })
  geoloc?: boolean;
  @RestArg({ format: 'double', description: 'Latitude; without effect for now.' })
  geoloc_lat?: unknown;
  @RestArg({ format: 'double', description: 'Longitude; without effect for now.' })
  geoloc_lng?: unknown;
  @RestArg({
    items: 'integer',
    check: positiveIntegers,
    parse: parseIds,
    description: 'Only these events, whatever their dates.',
  })
  include?: IdFilter;
  @RestArg({
    type: 'integer',
    check: postId(EVENT.type, EVENT.one),
    description: 'Only events below this one.',
  })
  post_parent?: number;
  @RestArg({
    type: 'boolean',
    check: (value) =>
      !(value === true || value === 1 || (typeof value === 'string' && /^(1|true)$/i.test(value))) ||
      TICKETS_MISSING,
    description: 'Only events with tickets; needs the tickets add-on.',
  })
  ticketed?: boolean;
  @RestArg({ undeclared: true, description: 'Opens events that are protected by this password.' })
  password?: unknown;
  @RestArg({ undeclared: true, description: 'edit opens protected events that the caller may edit.' })
  context?: unknown;
}

/** Parameters of `GET /events/<id>`. */
export class GetEventQuery {
  @RestArg({ type: 'string', check: nonEmptyText, description: 'The password of a protected event.' })
  password?: string;
  @RestArg({ undeclared: true, description: 'edit opens a protected event that the caller may edit.' })
  context?: unknown;
}

/** Parameters of `GET /events/by-slug/<slug>`. */
export class GetEventBySlugQuery {
  @RestArg({ undeclared: true, description: 'The password of a protected event.' })
  password?: unknown;
  @RestArg({ undeclared: true, description: 'edit opens a protected event that the caller may edit.' })
  context?: unknown;
}
