import { Injectable } from '@nestjs/common';
import sql, { type Sql } from 'sql-template-tag';
import { VersionedCache } from '../../cache/versioned-cache.js';
import { Database } from '../../database/database.js';
import { TableVersions } from '../../database/table-versions.service.js';
import type { RequestContext } from '../../http/request-context.js';
import { grouped } from '../../lib/grouped.js';
import { unfoldedLines } from '../../lib/ical/content-line.js';
import { isRecurrence } from '../../lib/recurrence/parse-recurrence.js';
import { formatWallClock } from '../../lib/wordpress-text/dates/wall-clock.js';
import { asMap, unserialize } from '../../lib/wordpress-text/php-serialize.js';
import { inList, metaOf } from '../../wordpress/posts/post-rows.js';
import { addOnColumns } from './add-on-columns.js';
import type { EventJson } from './event-json.js';
import { Occurrences } from './occurrences.service.js';
import { OLD_RULE } from './recurrence/event-series.service.js';
import { toRecurrenceMembers } from './recurrence/recurrence-output.js';
import { SERIES_META } from './recurrence/stored-lines.js';
import type { RecurrenceJson } from './recurrence-json.js';
import { STEP_MS } from './several-occurrences.js';

/** How many occurrences a response names. */
const MAX_NEXT = 50;

interface RuleRow {
  id: number;
  timezone: string | null;
  rset?: string | null;
}

/** Reads how events recur (docs/recurrence.md#reading). */
@Injectable()
export class Recurrences {
  /** Whoever changes the schema writes to one of these tables. */
  private readonly addOn = new VersionedCache<'columns', ReadonlySet<string>>({
    tables: ['options', 'tec_events', 'tec_occurrences'],
    maxSize: 1,
  });

  constructor(
    private readonly database: Database,
    private readonly versions: TableVersions,
    private readonly all: Occurrences,
  ) {}

  /** The same events, those with several occurrences with their `recurrence`. */
  async addedTo(events: readonly EventJson[], context: RequestContext): Promise<readonly EventJson[]> {
    const ids = events.map(({ id }) => id);
    const postOf = await this.all.postOf(ids, context.settings);
    const found = await this.of([...new Set(ids.map(postOf))], context);
    return events.map((event) => {
      const recurrence = found.get(postOf(event.id));
      return recurrence ? { ...event, recurrence } : event;
    });
  }

  /** The lines of RFC 5545 by which posts recur, given those stored by Almanac: else those of the premium add-on. */
  async linesOf(
    postIds: readonly number[],
    own: ReadonlyMap<number, string>,
  ): Promise<Map<number, string[]>> {
    const others = postIds.filter((id) => !own.get(id));
    const hasRset = others.length > 0 && (await this.columns()).has('tec_events.rset');
    const rules = hasRset ? await this.rules(others, true) : new Map<number, RuleRow>();
    return new Map(
      postIds.flatMap((id) => {
        const lines = unfoldedLines(own.get(id) || (rules.get(id)?.rset ?? ''));
        return isRecurrence(lines) ? [[id, lines] as const] : [];
      }),
    );
  }

  /** The recurrence of those posts that have several occurrences. */
  private async of(
    postIds: readonly number[],
    { settings, time }: RequestContext,
  ): Promise<ReadonlyMap<number, RecurrenceJson>> {
    const several = await this.all.withSeveral(postIds);
    if (several.length === 0) return new Map();
    const columns = await this.columns();
    const { value: now } = time.within(STEP_MS, formatWallClock);
    const [rules, meta, series, next] = await Promise.all([
      this.rules(several, columns.has('tec_events.rset')),
      metaOf(this.database, 'post', several, { keys: [OLD_RULE, SERIES_META.lines] }),
      columns.has('tec_series_relationships.series_post_id')
        ? this.series(several)
        : new Map<number, number>(),
      this.next(several, now),
    ]);
    const linesOf = (id: number) => meta.get(id)?.get(SERIES_META.lines)?.[0] || rules.get(id)?.rset;
    const ofDates = several.filter((id) => !linesOf(id) && isOfDates(meta.get(id)?.get(OLD_RULE)?.[0]));
    const dates = await this.dates(ofDates);
    return new Map(
      several.map((id) => {
        const ids = (next.get(id) ?? []).map((row) => settings.occurrenceBase + row);
        const lines = unfoldedLines(linesOf(id) ?? '').filter(Boolean);
        const rule = toRecurrenceMembers(lines, rules.get(id)?.timezone ?? '');
        return [
          id,
          {
            ...rule,
            rdates: dates.get(id) ?? rule.rdates,
            lines,
            event_id: id,
            series_id: series.get(id) ?? null,
            occurrence_ids: ids,
          },
        ] as const;
      }),
    );
  }

  private async columns(): Promise<ReadonlySet<string>> {
    const snapshot = await this.versions.snapshot();
    return this.addOn.get('columns', snapshot, () => addOnColumns(this.database));
  }

  private async rules(ids: readonly number[], hasRset: boolean): Promise<Map<number, RuleRow>> {
    const rows = await this.database.query<RuleRow>(
      sql`SELECT e.post_id AS id, e.timezone${hasRset ? sql`, e.rset` : sql``}
          FROM ${this.database.table('tec_events')} e WHERE ${inList(sql`e.post_id`, ids)}`,
    );
    return new Map(rows.map((row) => [Number(row.id), row]));
  }

  private async series(ids: readonly number[]): Promise<Map<number, number>> {
    const rows = await this.database.query<{ id: number | string; series: number | string }>(
      sql`SELECT s.event_post_id AS id, MIN(s.series_post_id) AS series
          FROM ${this.database.table('tec_series_relationships')} s WHERE ${inList(sql`s.event_post_id`, ids)} GROUP BY s.event_post_id`,
    );
    return new Map(rows.map(({ id, series }) => [Number(id), Number(series)]));
  }

  /** The next occurrences that have not ended at a time in UTC. */
  private async next(ids: readonly number[], now: string): Promise<Map<number, number[]>> {
    const rows = await this.database.query<{ id: number | string; occurrence: number | string }>(
      sql`SELECT n.id, n.occurrence FROM (SELECT o.post_id AS id, o.occurrence_id AS occurrence,
            ROW_NUMBER() OVER (PARTITION BY o.post_id ORDER BY o.start_date_utc, o.occurrence_id) AS place
            FROM ${this.occurrences} WHERE ${inList(sql`o.post_id`, ids)} AND o.end_date_utc > ${now}) n
          WHERE n.place <= ${MAX_NEXT} ORDER BY n.id, n.place`,
    );
    return grouped(rows.map(({ id, occurrence }) => [Number(id), Number(occurrence)] as const));
  }

  /** The starts of all occurrences but the first. */
  private async dates(ids: readonly number[]): Promise<Map<number, string[]>> {
    if (ids.length === 0) return new Map();
    const rows = await this.database.query<{ id: number | string; date: string }>(
      sql`SELECT o.post_id AS id, o.start_date AS ${this.database.column('date')} FROM ${this.occurrences}
          WHERE ${inList(sql`o.post_id`, ids)} ORDER BY o.post_id, o.start_date, o.occurrence_id`,
    );
    const all = grouped(rows.map(({ id, date }) => [Number(id), date] as const));
    return new Map([...all].map(([id, [_first, ...others]]) => [id, others]));
  }

  private get occurrences(): Sql {
    return sql`${this.database.table('tec_occurrences')} o`;
  }
}

/** Whether a rule of the older form is a list of dates alone. */
function isOfDates(stored: string | undefined): boolean {
  if (stored === undefined) return false;
  const rules = [...asMap(asMap(unserialize(stored)).get('rules')).values()];
  return rules.length > 0 && rules.every((rule) => asMap(rule).get('type') === 'Date');
}
