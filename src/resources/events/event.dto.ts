import { Transform } from 'class-transformer';
import type { TransformParams } from '../../http/params/check-context.js';
import {
  ArePositiveInts,
  ArePostsOf,
  IsDateText,
  IsNonEmptyText,
  IsPostOf,
  IsSearchText,
} from '../../http/params/checks.js';
import {
  type IdFilter,
  LatitudeArg,
  LongitudeArg,
  OrderByArg,
  POST_ORDERS,
  PostListArgs,
  RadiusArg,
  ReadArgs,
  StatusesArg,
  toIdFilter,
} from '../../http/params/list-args.js';
import { makeCheck } from '../../http/params/make-check.js';
import { RestArg } from '../../http/params/rest-arg.js';
import type { RequestContext } from '../../http/request-context.js';
import { defaultListDates, isStrictDates } from '../../lib/wordpress-text/dates/list-dates.js';
import { isTruthyWord } from '../../lib/wordpress-text/formatting/truthy-word.js';
import { ListOf } from '../base/declared-field.js';
import { CATEGORY } from '../categories/category-type.js';
import { ORGANIZER } from '../organizers/organizer-type.js';
import { TAG } from '../tags/tag-type.js';
import { VENUE } from '../venues/venue-type.js';
import { TermFilterArg } from './event-term-filters.js';
import { EVENT } from './event-type.js';

const HasNoTickets = makeCheck(
  'hasNoTickets',
  'cannot be true: events have no tickets without the tickets add-on.',
  (value) => typeof value === 'object' || !isTruthyWord(value),
);

const DateEdgeArg = (description: string): PropertyDecorator => RestArg({ description }, IsDateText());

const defaultDate = ({ settings, time }: RequestContext, edge: 'start_date' | 'end_date') =>
  time.atSecond((now) => defaultListDates(settings.zone, now)[edge]);

/** Sort keys of event lists. */
const EVENT_ORDERS = ['start_date', 'end_date', ...POST_ORDERS, 'distance'] as const;

/** `recurrence` of a read of events. */
const RecurrenceArg = (): PropertyDecorator =>
  RestArg({
    type: 'boolean',
    isExtension: true,
    description:
      'true adds `recurrence` to events with several dates: their rules, and the ids of the next ones.',
  });

/** Parameters of `GET /events`. */
@ListOf(EVENT)
export class ListEventsQuery extends PostListArgs {
  @RestArg({
    documentedDefault: (context) => defaultDate(context, 'start_date'),
    description: 'Only events that start on this date or later.',
  })
  @IsDateText()
  start_date?: string | number;
  @RestArg({
    documentedDefault: (context) => defaultDate(context, 'end_date'),
    description: 'Only events that end on this date or earlier.',
  })
  @IsDateText()
  end_date?: string | number;
  @DateEdgeArg('Only events that start before this date.') starts_before?: string | number;
  @DateEdgeArg('Only events that start after this date.') starts_after?: string | number;
  @DateEdgeArg('Only events that end before this date.') ends_before?: string | number;
  @DateEdgeArg('Only events that end after this date.') ends_after?: string | number;
  @RestArg({
    default: 'false',
    description: 'Take dates at their exact times instead of whole days.',
    schema: { type: 'boolean', default: false },
  })
  @IsNonEmptyText()
  @Transform(({ value }: TransformParams) => isStrictDates(value))
  strict_dates?: boolean;
  @RestArg({ type: 'string', description: 'Text in title, excerpt or description.' })
  @IsSearchText()
  search?: string;
  @TermFilterArg(CATEGORY, 'Only events of one of these categories (ids or slugs) or of those below them.')
  categories?: number[];
  @TermFilterArg(TAG, 'Only events with one of these tags (ids or slugs).')
  tags?: number[];
  @RestArg({ items: 'integer', description: 'Only events at one of these venues.' })
  @ArePostsOf(VENUE.type, VENUE.singular)
  @Transform(toIdFilter)
  venue?: IdFilter;
  @RestArg({ items: 'integer', description: 'Only events of one of these organizers.' })
  @ArePostsOf(ORGANIZER.type, ORGANIZER.singular)
  @Transform(toIdFilter)
  organizer?: IdFilter;
  @RestArg({ type: 'boolean', description: 'Only featured events, or only others.' })
  featured?: boolean;
  @RestArg({
    type: 'boolean',
    isExtension: true,
    description: 'true lists events too that are hidden from lists, if the caller may edit them.',
  })
  with_hidden?: boolean;
  @StatusesArg(EVENT.type) status?: string[];
  @RestArg({ type: 'boolean', description: 'Only events whose venue has coordinates.' })
  geoloc?: boolean;
  @LatitudeArg({ lenient: true }) geoloc_lat?: number;
  @LongitudeArg({ lenient: true }) geoloc_lng?: number;
  @RadiusArg() geoloc_radius?: number;
  @OrderByArg(EVENT_ORDERS) override orderby?: string;
  @RestArg({ items: 'integer', description: 'Only these events, whatever their dates.' })
  @ArePositiveInts()
  @Transform(toIdFilter)
  include?: IdFilter;
  @RestArg({ type: 'integer', description: 'Only events below this one.' })
  @IsPostOf(EVENT.type, EVENT.singular)
  post_parent?: number;
  @RestArg({ type: 'boolean', description: 'Only events with tickets; needs the tickets add-on.' })
  @HasNoTickets({ context: { code: 'event-tickets-not-active' } })
  ticketed?: boolean;
  @RecurrenceArg() recurrence?: boolean;
}

/** Parameters of `GET /events/<id>`. */
export class GetEventQuery extends ReadArgs {
  @RestArg({ type: 'string', unlocks: true, description: 'The password of a protected event.' })
  @IsNonEmptyText()
  override password?: string;
  @RecurrenceArg() recurrence?: boolean;
}

/** Parameters of `GET /events/by-slug/<slug>`. */
export class GetEventBySlugQuery extends ReadArgs {
  @RecurrenceArg() recurrence?: boolean;
}
