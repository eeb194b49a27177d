import { Injectable } from '@nestjs/common';
import sql from 'sql-template-tag';
import { Database } from '../database/database.js';
import type { RequestContext } from '../http/request-context.js';
import { grouped } from '../lib/grouped.js';
import { DAY } from '../lib/recurrence/calendar-days.js';
import { zoneClock } from '../lib/recurrence/zone-clock.js';
import { parseWallClock } from '../lib/wordpress-text/dates/wall-clock.js';
import { HIDDEN } from '../resources/events/event.query.js';
import { ORIGIN_META } from '../resources/events/recurrence/series-copy.service.js';
import { hasMeta, inList } from '../wordpress/posts/post-rows.js';
import { type StoredSeries, StoredSeriesReader } from './stored-series.service.js';

/** An event that replaces one date of a series. */
export interface SeriesPart {
  id: number;
  series: StoredSeries;
  /** The date that it replaces, see `RecurrenceSet`. */
  key: number;
  /** In UTC. */
  modified: string;
  /** Whether lists leave it out. */
  isHidden: boolean;
}

/** A row of an event that was part of another one. */
interface PartRow {
  id: number;
  /** The event that it comes from, or from whose part. */
  root: number;
  /** The start that it had there. */
  date: string;
  modified: string;
  isHidden: boolean;
}

/** Finds the events that replace dates of series (docs/recurrence.md#one-date). */
@Injectable()
export class SeriesParts {
  constructor(
    private readonly database: Database,
    private readonly series: StoredSeriesReader,
  ) {}

  /** The parts of events, and of their parts that are series, by their ids; trashed ones too. */
  async find(roots: readonly number[], context: RequestContext): Promise<Map<number, SeriesPart>> {
    const rows = await this.rows(roots);
    if (rows.length === 0) return new Map();
    const members = grouped(rows.map(({ root, id }) => [root, id] as const));
    const all = await this.series.find([...new Set([...members].flat(2))], context);
    const found = new Map<string, SeriesPart>();
    // Of two for one date the later one counts.
    for (const row of rows) {
      const part = all.has(row.id)
        ? undefined
        : partOf(row, all, [row.root, ...(members.get(row.root) ?? [])]);
      if (part) found.set(`${part.series.id} ${part.key}`, part);
    }
    return new Map([...found.values()].map((part) => [part.id, part]));
  }

  private async rows(roots: readonly number[]): Promise<PartRow[]> {
    if (roots.length === 0) return [];
    const [meta, posts] = [this.database.table('postmeta'), this.database.table('posts')];
    const rows = await this.database.query<{ [Name in keyof PartRow]: PartRow[Name] | string | number }>(
      sql`SELECT m.post_id AS id, m.meta_value AS root, d.meta_value AS ${this.database.column('date')},
          p.post_modified_gmt AS modified, ${hasMeta(this.database, 'post', HIDDEN)} AS isHidden FROM ${meta} m
          JOIN ${meta} d ON d.post_id = m.post_id AND d.meta_key = ${ORIGIN_META.date}
          JOIN ${posts} p ON p.ID = m.post_id
          WHERE m.meta_key = ${ORIGIN_META.series} AND ${inList(sql`m.meta_value`, roots.map(String))} ORDER BY m.post_id`,
    );
    return rows.map(({ id, root, date, modified, isHidden }) => ({
      id: Number(id),
      root: Number(root),
      date: String(date),
      modified: String(modified),
      isHidden: Number(isHidden) === 1,
    }));
  }
}

/** The date that an event replaces: one that a series leaves out which it comes from. */
function partOf(
  { id, date, modified, isHidden }: PartRow,
  all: ReadonlyMap<number, StoredSeries>,
  members: readonly number[],
): SeriesPart | undefined {
  for (const member of members) {
    const series = all.get(member);
    if (!series) continue;
    const { set, dates } = series;
    const wall = parseWallClock(date) ?? 0;
    const day = Math.floor(wall / DAY);
    const key = set.isAllDay ? day * DAY : zoneClock(dates.timezone).toEpoch(wall);
    if (set.excluded.some((one) => one.key === key || one.day === day))
      return { id, series, key, modified, isHidden };
  }
  return undefined;
}
