import sql from 'sql-template-tag';
import { EVENT_POST_TYPE } from '../../calendar/event-post-type.js';
import { toUtc } from '../../lib/wordpress-text/dates/convert.js';
import {
  formatWallClock,
  parseWallClock,
  secondsBetween,
} from '../../lib/wordpress-text/dates/wall-clock.js';
import { isTruthyWord } from '../../lib/wordpress-text/formatting/truthy-word.js';
import { type EventDates, eventDates, isStorable } from '../../resources/events/event-dates.js';
import { eventRow, occurrenceRow } from '../../resources/events/event-tables.service.js';
import { SERIES_META } from '../../resources/events/recurrence/stored-lines.js';
import { type ObservedDates, ZoneEvidence } from '../../resources/events/zone-evidence.js';
import { firstMeta } from '../../wordpress/posts/post-record.js';
import { inList, metaOf } from '../../wordpress/posts/post-rows.js';
import { zoneDataAround } from '../../wordpress/use-zone-data.js';
import { batches, once, type SiteView } from './site-view.js';

const KEYS = {
  start: '_EventStartDate',
  end: '_EventEndDate',
  startUtc: '_EventStartDateUTC',
  endUtc: '_EventEndDateUTC',
  timezone: '_EventTimezone',
  allDay: '_EventAllDay',
  /** The recurrence rule of the premium add-on; only its presence matters. */
  series: '_EventRecurrence',
  /** The rule that Almanac stores. */
  ownSeries: SERIES_META.lines,
} as const;

/** The dates in an event's meta; undefined without a row. */
type DateMeta = Partial<Record<keyof typeof KEYS, string>>;

/** A fault in the dates of an event's meta. */
type DateFault =
  /** The start or end is missing or unreadable. */
  | 'unreadable'
  /** The end lies before the start. */
  | 'reversed'
  /** A UTC value is missing or does not match the wall clock. */
  | 'utc';

/** An event's dates by its meta, which the calendar's tables should hold; with the fault `utc`, the recomputed ones. */
type JudgedDates =
  | { fault?: 'utc'; dates: EventDates }
  | { fault: 'unreadable' | 'reversed'; dates?: undefined };

/** How the calendar's tables match the meta. */
type RowState =
  | 'sound'
  /** A row is missing in at least one table. */
  | 'missing'
  | 'stale'
  /** Rows of a recurring event follow its rule. */
  | 'series'
  /** Several occurrences of a single event. */
  | 'several';

type EventState = JudgedDates & {
  id: number;
  status: string;
  rows: RowState;
  /** Whether neither table has a row. */
  isUnknown: boolean;
  /** The dates in the meta; undefined if one is missing or unreadable. */
  stored?: ObservedDates;
};

/** Evaluates the dates of an event; without a zone the site's counts, and disputed UTC values count as correct. */
function judgeDates(meta: DateMeta, siteZone: string, isDisputed: boolean): JudgedDates {
  const { start = '', end = '', startUtc = '', endUtc = '' } = meta;
  if (!isDate(start) || !isDate(end)) return { fault: 'unreadable' };
  const timezone = meta.timezone || siteZone;
  const allDay = isTruthyWord(meta.allDay ?? false);
  const computed = eventDates({}, { start, end, timezone, allDay }, { zone: siteZone, cutoff: '', now: 0 });
  if (typeof computed === 'string') return { fault: 'reversed' };
  // The plugin once interpreted offsets as plain ones, without the daylight-saving time of the guessed city.
  const isUtc = (utc: string, known: string, wall: string) => utc === known || utc === toUtc(wall, timezone);
  const isRight = isUtc(startUtc, computed.startUtc, start) && isUtc(endUtc, computed.endUtc, end);
  if (!isRight && !isDisputed) return { fault: 'utc', dates: computed };
  return { dates: { ...computed, startUtc, endUtc, duration: secondsBetween(startUtc, endUtc) } };
}

function storedDates({ timezone, ...meta }: DateMeta, siteZone: string): ObservedDates | undefined {
  const { start = '', end = '', startUtc = '', endUtc = '' } = meta;
  if (![start, end, startUtc, endUtc].every(isDate)) return undefined;
  return { start, end, startUtc, endUtc, timezone: timezone || siteZone };
}

function isDate(text: string): boolean {
  const wall = parseWallClock(text);
  return isStorable(text) && wall !== undefined && formatWallClock(wall) === text;
}

interface EventIds extends Record<DateFault | 'missing' | 'stale' | 'several', number[]> {
  /** Missing events without a row in either table. */
  unknown: number[];
  /** Events whose UTC values follow other time zone data, with their zones: it is unknown which are correct (R22). */
  disputed: ReadonlyMap<number, string>;
}

/** Collects the faults of a site's events. */
export const eventIds = once(findFaults);

async function findFaults(site: SiteView): Promise<EventIds> {
  const { ours, system } = zoneDataAround(site.facts.env);
  const evidence = new ZoneEvidence(ours, system);
  const found = await findFaultsExcept(site, new Map(), evidence);
  const disputed = evidence.found();
  return disputed.size === 0 ? found : findFaultsExcept(site, disputed);
}

async function findFaultsExcept(
  site: SiteView,
  disputed: EventIds['disputed'],
  evidence?: ZoneEvidence,
): Promise<EventIds> {
  const ids: EventIds = {
    unreadable: [],
    reversed: [],
    utc: [],
    missing: [],
    stale: [],
    several: [],
    unknown: [],
    disputed,
  };
  for await (const states of eventStates(site, disputed))
    for (const { id, status, fault, rows, isUnknown, stored } of states) {
      if (stored && fault !== 'reversed') evidence?.add(id, stored);
      // An auto-draft has no dates yet.
      if (fault && status !== 'auto-draft') ids[fault].push(id);
      if (rows === 'several') ids.several.push(id);
      // Unreadable dates give no rows; existing rows are fixed together with the UTC values.
      if (fault && (fault !== 'utc' || rows !== 'missing')) continue;
      if (rows === 'missing' || rows === 'stale') ids[rows].push(id);
      if (isUnknown) ids.unknown.push(id);
    }
  return ids;
}

/** All events by ascending id, in batches. */
export async function* eventStates(
  site: SiteView,
  disputed: EventIds['disputed'],
): AsyncGenerator<EventState[]> {
  const posts = batches<{ id: number; status: string }>((after, most) =>
    site.rows(
      sql`SELECT ID AS id, post_status AS status FROM ${site.table('posts')}
          WHERE post_type = ${EVENT_POST_TYPE} AND ID > ${after} ORDER BY ID LIMIT ${most}`,
    ),
  );
  let seen = 0;
  for await (const events of posts) {
    const ids = events.map(({ id }) => id);
    const meta = await dateMeta(site, ids);
    const rows = await rowsOf(site, ids);
    yield events.map((event) => {
      const ofEvent = meta.get(event.id) ?? {};
      const judged = judgeDates(ofEvent, site.zone, disputed.has(event.id));
      const { tecEvent, occurrences = [] } = rows.get(event.id) ?? {};
      const isUnknown = !tecEvent && occurrences.length === 0;
      const state = rowState(event.id, judged.dates, ofEvent, tecEvent, occurrences);
      return { ...event, ...judged, rows: state, isUnknown, stored: storedDates(ofEvent, site.zone) };
    });
    seen += events.length;
    site.facts.progress(`Looked at ${seen.toLocaleString('en')} events.`);
  }
}

async function dateMeta(site: SiteView, ids: readonly number[]): Promise<Map<number, DateMeta>> {
  const { database, manager } = site;
  const found = await metaOf(database, 'post', ids, { keys: Object.values(KEYS), manager });
  const datesIn = (meta: Map<string, string[]>) =>
    Object.fromEntries(Object.entries(KEYS).map(([name, key]) => [name, firstMeta({ meta }, key)]));
  return new Map([...found].map(([id, meta]) => [id, datesIn(meta)]));
}

/** A row of `tec_events` or `tec_occurrences`. */
type TableRow = Readonly<Record<string, string | number>> & { eventId: number; postId: number };

async function rowsOf(site: SiteView, ids: readonly number[]) {
  const found = new Map<number, { tecEvent?: TableRow; occurrences?: TableRow[] }>();
  if (!site.has('tec_events', 'tec_occurrences')) return found;
  const dates = sql`event_id AS eventId, post_id AS postId, start_date AS startDate, end_date AS endDate,
      start_date_utc AS startDateUtc, end_date_utc AS endDateUtc, duration`;
  const events = await site.rows<TableRow>(
    sql`SELECT ${dates}, timezone FROM ${site.table('tec_events')} WHERE ${inList(sql`post_id`, ids)}`,
  );
  for (const tecEvent of events) found.set(tecEvent.postId, { tecEvent });
  const occurrences = await site.rows<TableRow>(
    sql`SELECT ${dates}, hash FROM ${site.table('tec_occurrences')}
        WHERE ${inList(sql`post_id`, ids)} ORDER BY occurrence_id`,
  );
  for (const occurrence of occurrences) {
    const { tecEvent, occurrences: others = [] } = found.get(occurrence.postId) ?? {};
    found.set(occurrence.postId, { tecEvent, occurrences: [...others, occurrence] });
  }
  return found;
}

function rowState(
  id: number,
  dates: EventDates | undefined,
  { series, ownSeries }: DateMeta,
  tecEvent: TableRow | undefined,
  [occurrence, ...others]: readonly TableRow[],
): RowState {
  if (!tecEvent || !occurrence) return 'missing';
  if ((series ?? ownSeries) !== undefined) return 'series';
  if (others.length > 0) return 'several';
  if (dates === undefined) return 'sound';
  // Only occurrences have a hash.
  const { hash: _, ...event } = eventRow(dates);
  const isEqual = holds(tecEvent, event) && holds(occurrence, occurrenceRow(id, tecEvent.eventId, dates));
  return isEqual ? 'sound' : 'stale';
}

const holds = (row: TableRow, wanted: Readonly<Record<string, string | number>>): boolean =>
  Object.entries(wanted).every(([column, value]) => String(row[column]) === String(value));
