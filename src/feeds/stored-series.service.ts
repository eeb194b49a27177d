import { Injectable } from '@nestjs/common';
import sql from 'sql-template-tag';
import { mapYielding } from '../common/event-loop.js';
import { Database } from '../database/database.js';
import type { RequestContext } from '../http/request-context.js';
import { namedSeries, portableSeries } from '../lib/ical/portable-series.js';
import type { RecurrenceSet } from '../lib/recurrence/recurrence-set.js';
import { UTC_CLOCK } from '../lib/recurrence/zone-clock.js';
import { parseWallClock } from '../lib/wordpress-text/dates/wall-clock.js';
import type { EventDates } from '../resources/events/event-dates.js';
import { expandSeries, ifUsable, keyOf, parseSeries } from '../resources/events/recurrence/series-dates.js';
import { SERIES_META } from '../resources/events/recurrence/stored-lines.js';
import { Recurrences } from '../resources/events/recurrences.service.js';
import { datesOf, storedDates } from '../resources/events/stored-dates.js';
import { inList, metaOf } from '../wordpress/posts/post-rows.js';

/** Events whose rows are read at a time. */
const BATCH_SIZE = 50;

/** The metas that say when an event begins, and how it recurs. */
const KEYS = [
  '_EventStartDate',
  '_EventEndDate',
  '_EventTimezone',
  '_EventAllDay',
  SERIES_META.lines,
  SERIES_META.until,
];

/** An event with the rule that is stored for it. */
export interface StoredSeries {
  id: number;
  dates: EventDates;
  set: RecurrenceSet;
  /** The set in the form that other programs read alike; undefined where that form does not hold it. */
  portable: RecurrenceSet | undefined;
  /** Whether the rule is Almanac's own. */
  isOwn: boolean;
  /** Up to when dates are stored, `YYYY-MM-DD HH:MM:SS` in UTC; none where all are. */
  until?: string;
}

/** A row of `tec_occurrences`. */
export interface DateRow {
  start: string;
  end: string;
  startUtc: string;
  endUtc: string;
}

/** A series as calendar files have it. */
export interface FileSeries {
  set: RecurrenceSet;
  /** The dates that last longer or shorter than the others, by their keys. */
  changed: { key: number; row: DateRow }[];
}

/** Reads the stored rules of recurring events. */
@Injectable()
export class StoredSeriesReader {
  constructor(
    private readonly database: Database,
    private readonly recurrences: Recurrences,
  ) {}

  /** The rules of events by their ids; none where no rule is known, or it cannot be read. */
  async find(postIds: readonly number[], { settings }: RequestContext): Promise<Map<number, StoredSeries>> {
    const meta = await metaOf(this.database, 'post', postIds, { keys: KEYS });
    const own = new Map(
      [...meta].flatMap(([id, values]) => {
        const lines = values.get(SERIES_META.lines)?.[0];
        return lines ? [[id, lines] as const] : [];
      }),
    );
    const lines = await this.recurrences.linesOf(postIds, own);
    return new Map(
      [...lines].flatMap(([id, texts]) => {
        const values = meta.get(id) ?? new Map<string, string[]>();
        const parsed = ifUsable(() => {
          const dates = datesOf({}, storedDates({ meta: values }), { settings, now: 0 });
          const set = parseSeries(texts, dates);
          return { dates, set, portable: portableSeries(set) };
        });
        const until = values.get(SERIES_META.until)?.[0];
        return parsed ? [[id, { id, ...parsed, isOwn: own.has(id), ...(until && { until }) }] as const] : [];
      }),
    );
  }

  /**
   * Those whose rows are the dates of their rules, by the ids of the events: in a form that other programs read alike, or as
   * they are stored.
   */
  async inFiles(
    all: readonly StoredSeries[],
    { isRaw = false }: { isRaw?: boolean } = {},
  ): Promise<Map<number, FileSeries>> {
    const found = new Map<number, FileSeries>();
    for (let at = 0; at < all.length; at += BATCH_SIZE) {
      const some = all.slice(at, at + BATCH_SIZE);
      const rows = await this.rows(some.map(({ id }) => id));
      await mapYielding(some, (series) => {
        const own = ifUsable(() =>
          this.inFile(series, isRaw ? namedSeries(series.set) : series.portable, rows.get(series.id) ?? []),
        );
        if (own) found.set(series.id, own);
      });
    }
    return found;
  }

  private inFile(
    series: StoredSeries,
    written: RecurrenceSet | undefined,
    rows: readonly DateRow[],
  ): FileSeries | undefined {
    const { set, dates } = series;
    const last = rows.at(-1);
    if (!last || !written || set.isAllDay !== dates.allDay) return undefined;
    const expanded = expandSeries(set, dates, { now: epochOf(last.startUtc), ahead: 0 });
    const isEqual =
      expanded.rows.length === rows.length &&
      expanded.rows.every(
        ({ startUtc, endUtc }, at) => startUtc === rows[at]?.startUtc && endUtc === rows[at]?.endUtc,
      );
    if (!isEqual || (expanded.later && !mayGoOn(series, rows.length))) return undefined;
    const hasLengths = written.added.some(({ duration }) => duration);
    const ownLengths = set.added.flatMap(({ key, duration }) => (duration && !hasLengths ? [key] : []));
    const byKey = new Map(rows.map((row) => [keyOf(set, row), row]));
    const changed = ownLengths.flatMap((key) => {
      const row = byKey.get(key);
      return row ? [{ key, row }] : [];
    });
    return { set: written, changed };
  }

  private async rows(postIds: readonly number[]): Promise<Map<number, DateRow[]>> {
    const column = (name: string) => this.database.column(name);
    const rows = await this.database.query<DateRow & { postId: number | string }>(
      sql`SELECT o.post_id AS postId, o.start_date AS ${column('start')}, o.end_date AS ${column('end')},
          o.start_date_utc AS startUtc, o.end_date_utc AS endUtc
          FROM ${this.database.table('tec_occurrences')} o WHERE ${inList(sql`o.post_id`, postIds)}
          ORDER BY o.start_date_utc, o.occurrence_id`,
    );
    const found = new Map<number, DateRow[]>(postIds.map((id) => [id, []]));
    for (const { postId, ...row } of rows) found.get(Number(postId))?.push(row);
    return found;
  }
}

/** Whether further dates of the rule are not stored yet: PHP leaves one row where it saves an event. */
function mayGoOn({ set, dates, until, isOwn }: StoredSeries, count: number): boolean {
  if (!isOwn) return count > 1;
  if (until === undefined || count > 1) return until !== undefined;
  return expandSeries(set, dates, { now: epochOf(until), ahead: 0 }).rows.length === 1;
}

/** A set whose dates are written in UTC: by it files name the dates of a series that has no portable form. */
export function inUtc(set: RecurrenceSet): RecurrenceSet {
  const start = { isDay: false, wall: set.startKey, clock: UTC_CLOCK };
  return set.isAllDay ? set : { ...set, clock: UTC_CLOCK, start };
}

const epochOf = (utc: string): number => parseWallClock(utc) ?? 0;
