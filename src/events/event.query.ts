import sql, { type Sql } from 'sql-template-tag';
import type { CalendarSettings } from '../calendar/calendar-settings.js';
import type { Database } from '../database/database.js';
import type { RequestContext } from '../http/request-context.js';
import { ORGANIZER } from '../organizers/organizer-type.js';
import { VENUE } from '../venues/venue-type.js';
import { toUtc } from '../wordpress/dates/convert.js';
import { edgesAsNow, effectiveDates, type ListDateName, listDates } from '../wordpress/dates/list-dates.js';
import { guessZoneName, isUtcOffset } from '../wordpress/dates/utc-offset.js';
import { openedBy, PostQuery } from '../wordpress/posts/post-query.js';
import { EVENT } from './event-type.js';
import type { ListEventsQuery } from './event.dto.js';

/** The date filters of a list as its links show them: `YYYY-MM-DD HH:MM:SS` on the site's clock. */
export type EventWindow = Partial<Record<ListDateName, string>>;

/** The window that a request asks for, defaults included. */
export function eventWindow(query: ListEventsQuery, { settings, now }: RequestContext): EventWindow {
  const site = { zone: settings.zone, cutoff: settings.dayCutoff };
  return listDates(query, query.strict_dates, site, Math.floor(now / 1000));
}

/** Filters that leave few events, from which a list is found sooner than by dates. */
const NARROWING = ['include', 'venue', 'organizer', 'post_parent', 'categories', 'tags'] as const;

/** The list that a request asks for (docs/behaviour/lists.md#events with R1, R3, R11). */
export function eventQuery(
  database: Database,
  query: ListEventsQuery,
  window: EventWindow,
  { access, settings, now }: RequestContext,
): PostQuery {
  const columns = comparedColumns(settings);
  // Ids lift the window, as the interface says.
  const edges = edgesAsNow(query, settings.zone, Math.floor(now / 1000));
  const dates = query.include ? [] : dateConditions(effectiveDates({ ...window, ...edges }), columns);
  const isNarrow =
    NARROWING.some((filter) => query[filter] !== undefined) ||
    query.featured === true ||
    (query.status !== undefined && !query.status.includes('publish'));
  const list = new PostQuery(database, EVENT.type)
    .visible(access.visibility(EVENT.type, query.status))
    .withoutMeta('_EventHideFromUpcoming')
    .join({
      table: sql`${database.table('tec_occurrences')} o`,
      post: sql`o.post_id`,
      where: dates,
      first: !isNarrow,
    })
    .page(query.page, query.per_page);
  if (query.include) list.include(query.include.ids).orderBy(sql`p.post_date`, 'ASC');
  else list.orderBy(columns.order, 'ASC').orderBy(sql`p.post_date`, 'ASC');
  if (!isNarrow) list.inOrder();
  if (query.post_parent !== undefined) list.where(sql`p.post_parent = ${query.post_parent}`);
  if (query.venue) list.withMeta(VENUE.linkKey, query.venue.ids.map(String));
  if (query.organizer) list.withMeta(ORGANIZER.linkKey, query.organizer.ids.map(String));
  if (query.categories) list.withTerms(query.categories);
  if (query.tags) list.withTerms(query.tags);
  if (query.featured === true) list.withMeta('_tribe_featured');
  if (query.featured === false) list.withoutMeta('_tribe_featured');
  if (query.search !== undefined)
    list.search(query.search, openedBy(query.password, access.editable(EVENT.type)), access.signedIn);
  return list;
}

interface ComparedColumns {
  start: Sql;
  end: Sql;
  order: Sql;
  /** Turns a wall clock of the site into what the columns hold. */
  convert: (wall: string) => string;
}

/** Which columns a site's lists compare and sort by (docs/behaviour/dates.md#columns-compared). */
function comparedColumns({ timezoneMode, zone }: CalendarSettings): ComparedColumns {
  const local = { start: sql`o.start_date`, end: sql`o.end_date` };
  const utc = { start: sql`o.start_date_utc`, end: sql`o.end_date_utc` };
  if (timezoneMode === 'site') return { ...utc, order: utc.start, convert: (wall) => toUtc(wall, zone) };
  const siteIsUtc = /^UTC([+-]0)?$/.test(zone) || (isUtcOffset(zone) && guessZoneName(zone) === 'UTC');
  return { ...(siteIsUtc ? utc : local), order: local.start, convert: (wall) => wall };
}

function dateConditions(dates: EventWindow, { start, end, convert }: ComparedColumns): Sql[] {
  const conditions: Record<ListDateName, (value: string) => Sql> = {
    start_date: (value) => sql`${start} >= ${value}`,
    end_date: (value) => sql`${end} <= ${value}`,
    starts_before: (value) => sql`${start} < ${value}`,
    starts_after: (value) => sql`${start} > ${value}`,
    ends_before: (value) => sql`${end} < ${value}`,
    ends_after: (value) => sql`${end} > ${value}`,
  };
  return Object.entries(dates).map(([name, value]) => conditions[name as ListDateName](convert(value)));
}
