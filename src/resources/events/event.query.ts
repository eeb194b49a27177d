import sql, { type Sql } from 'sql-template-tag';
import type { Database } from '../../database/database.js';
import type { RequestContext } from '../../http/request-context.js';
import {
  edgesAsNow,
  effectiveDates,
  type ListDateName,
  listDates,
} from '../../lib/wordpress-text/dates/list-dates.js';
import { comparableDate } from '../../lib/wordpress-text/dates/wall-clock.js';
import type { Condition, ListEntry, RowsOfPosts } from '../../wordpress/posts/list-order.js';
import { PostQuery } from '../../wordpress/posts/post-query.js';
import { hasMeta, inList, lacksRareMeta, openedBy, within } from '../../wordpress/posts/post-rows.js';
import type { Orders } from '../base/list-additions.js';
import { ORGANIZER } from '../organizers/organizer-type.js';
import { distanceKey, type Places } from '../venues/venue-places.service.js';
import { VENUE } from '../venues/venue-type.js';
import { type ComparedColumns, comparedColumns } from './compared-columns.js';
import type { ListEventsQuery } from './event.dto.js';
import { EVENT } from './event-type.js';
import { hasSeveral, isLast } from './several-occurrences.js';

/** The date filters of a list as in its links: `YYYY-MM-DD HH:MM:SS` on the site's clock. */
export type EventWindow = Partial<Record<ListDateName, string>>;

/** The date window of a request, defaults included. */
export function eventWindow(query: ListEventsQuery, { settings, time }: RequestContext): EventWindow {
  const site = { zone: settings.zone, cutoff: settings.dayCutoff };
  return time.steady((now) => listDates(query, query.strict_dates ?? false, site, now), isEqual).value;
}

function isEqual(one: EventWindow, other: EventWindow): boolean {
  const names = Object.keys(one) as ListDateName[];
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}

/** The effective edges, converted to the clock of the compared columns. */
export function comparedDates(
  query: ListEventsQuery,
  window: EventWindow,
  { convert }: ComparedColumns,
  { settings, time }: RequestContext,
): EventWindow {
  const { value: edges } = time.steady((now) => edgesAsNow(query, settings.zone, now), isEqual);
  const dates = Object.entries(effectiveDates({ ...window, ...edges }));
  return Object.fromEntries(dates.map(([name, wall]) => [name, comparableDate(convert(wall))]));
}

/** Filters that leave few events: faster to start from than dates. */
const NARROWING = ['include', 'venue', 'organizer', 'post_parent', 'categories', 'tags'] as const;

/**
 * Conditions found beforehand: the places of venues, the ids of the only events that a search may match, and the entries that `include`
 * selects: without them SQL takes the last occurrence of each event.
 */
export interface Narrowing {
  places?: Places;
  among?: () => number[];
  named?: readonly ListEntry[];
}

/** Events with this meta are in no list. */
export const HIDDEN = '_EventHideFromUpcoming';
const POSTED = sql`p.post_date`;

/** The list of a request (docs/behaviour/lists.md#events with R1, R3, R11). */
export function eventQuery(
  database: Database,
  query: ListEventsQuery,
  window: EventWindow,
  context: RequestContext,
  { places, among, named }: Narrowing = {},
): PostQuery {
  const { access } = context;
  const columns = comparedColumns(context.settings);
  // Ids lift the window, as the interface says.
  const dates = query.include ? [] : dateConditions(comparedDates(query, window, columns, context), columns);
  const isNarrow =
    (places ?? among) !== undefined ||
    NARROWING.some((filter) => query[filter] !== undefined) ||
    (query.status !== undefined && !query.status.includes('publish'));
  const isWide = !isNarrow && !query.featured;
  const list = new PostQuery(database, EVENT.type)
    .visible(access.visibility(EVENT.type, query.status))
    .join({
      table: sql`${database.table('tec_occurrences')} o`,
      post: sql`o.post_id`,
      row: sql`o.occurrence_id`,
      where: dates,
      first: isWide,
      hasSeveral: hasSeveral(database, sql`p.ID`),
      anyHasSeveral: sql`EXISTS (SELECT 1 FROM ${database.table('tec_occurrences')} r GROUP BY r.post_id HAVING COUNT(*) > 1)`,
      entryId: (row) => context.settings.occurrenceBase + row,
    })
    .page(query.page, query.per_page);
  if (named) list.includeEntries(named).orderBy(POSTED, 'ASC');
  else if (query.include)
    list
      .include(query.include.ids)
      .where(() => isLast(database))
      .orderBy(POSTED, 'ASC');
  else list.orderBy(columns.order, 'ASC', 'joined').orderBy(POSTED, 'ASC');
  const isShown = () =>
    isNarrow ? sql`NOT ${hasMeta(database, 'post', HIDDEN)}` : lacksRareMeta(database, HIDDEN);
  list.where(
    query.with_hidden ? () => sql`(${within(sql`p`, access.editable(EVENT.type))} OR ${isShown()})` : isShown,
  );
  if (isWide) list.inOrder();
  if (query.post_parent !== undefined) list.where(sql`p.post_parent = ${query.post_parent}`);
  if (query.venue) list.withMeta(VENUE.linkKey, query.venue.ids.map(String));
  if (places) list.withMeta(VENUE.linkKey, places.ids.map(String));
  if (query.organizer) list.withMeta(ORGANIZER.linkKey, query.organizer.ids.map(String));
  if (query.categories) list.withTerms(query.categories);
  if (query.tags) list.withTerms(query.tags);
  if (query.featured) list[isNarrow ? 'withMeta' : 'withMetaFirst']('_tribe_featured');
  if (query.featured === false) list.withoutMeta('_tribe_featured');
  if (among) list.where(() => inList(sql`p.ID`, among()));
  return searched(list, query, context);
}

/** Adds the search of a request, if it has one. */
export function searched(
  list: PostQuery,
  { search, password }: ListEventsQuery,
  { access, settings }: RequestContext,
): PostQuery {
  if (search === undefined) return list;
  const open = openedBy(password, access.editable(EVENT.type));
  return list.search(search, open, access.signedIn, settings.render.locale);
}

/** The orders of events besides those of all lists of posts. */
export function eventOrders(database: Database, { settings }: RequestContext, places?: Places): Orders {
  const { order, end } = comparedColumns(settings);
  const { ids, metres = new Map() } = places ?? { ids: [] };
  const links: RowsOfPosts = {
    table: sql`${database.table('postmeta')} m`,
    post: sql`m.post_id`,
    where: [sql`m.meta_key = ${VENUE.linkKey}`, inList(sql`m.meta_value`, ids.map(String))],
  };
  const distance = distanceKey(sql`CAST(m.meta_value AS UNSIGNED)`, metres);
  return {
    start_date: { key: order, source: 'joined', valueType: 'date' },
    end_date: { key: end, source: 'joined', valueType: 'date' },
    distance: { key: distance, source: links, valueType: 'number' },
  };
}

function dateConditions(dates: EventWindow, { start, end }: ComparedColumns): Condition[] {
  const conditions: Record<ListDateName, (value: string) => Sql> = {
    start_date: (value) => sql`${start} >= ${value}`,
    end_date: (value) => sql`${end} <= ${value}`,
    starts_before: (value) => sql`${start} < ${value}`,
    starts_after: (value) => sql`${start} > ${value}`,
    ends_before: (value) => sql`${end} < ${value}`,
    ends_after: (value) => sql`${end} > ${value}`,
  };
  return Object.entries(dates).map(
    ([name, value]) =>
      () =>
        conditions[name as ListDateName](value),
  );
}
