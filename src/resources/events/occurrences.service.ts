import { Injectable } from '@nestjs/common';
import sql, { type Sql } from 'sql-template-tag';
import type { CalendarSettings } from '../../calendar/calendar-settings.js';
import { EVENT_POST_TYPE } from '../../calendar/event-post-type.js';
import { Database } from '../../database/database.js';
import type { RequestContext } from '../../http/request-context.js';
import { formatWallClock, parseWallClock } from '../../lib/wordpress-text/dates/wall-clock.js';
import type { ListEntry } from '../../wordpress/posts/list-order.js';
import type { PostQuery } from '../../wordpress/posts/post-query.js';
import { entryId, entryKey, type PostRecord } from '../../wordpress/posts/post-record.js';
import { inList } from '../../wordpress/posts/post-rows.js';
import { PostsService } from '../../wordpress/posts/posts.service.js';
import type { PostPage } from '../base/list-query.js';
import { loadWithRelations } from '../base/record-tag.js';
import type { ListEventsQuery } from './event.dto.js';
import { EventIndexService } from './index/event-index.service.js';
import { hasSeveral, type PostOf, STEP_MS } from './several-occurrences.js';

/** One of several dates of an event, as reads show it; dates as stored, `YYYY-MM-DD HH:MM:SS`. */
export interface Occurrence {
  id: number;
  postId: number;
  start: string;
  end: string;
  startUtc: string;
  endUtc: string;
  /** How many of the event begin earlier on the same day. */
  earlier: number;
}

/** Resolves ids of events and of their occurrences (docs/recurrence.md#reading). */
@Injectable()
export class Occurrences {
  constructor(
    private readonly database: Database,
    private readonly posts: PostsService,
    private readonly index: EventIndexService,
  ) {}

  /** Occurrences by `occurrence_id`, of events with several dates: the only date of an event goes by the event's id. */
  async find(rows: readonly number[]): Promise<Map<number, Occurrence>> {
    if (rows.length === 0) return new Map();
    const own = sql`FROM ${this.table} r WHERE r.post_id = o.post_id`;
    const column = (name: string) => this.database.column(name);
    const found = await this.database.query<Occurrence>(
      sql`SELECT o.occurrence_id AS id, o.post_id AS postId, o.start_date AS ${column('start')}, o.end_date AS ${column('end')},
          o.start_date_utc AS startUtc, o.end_date_utc AS endUtc,
          (SELECT COUNT(*) ${own} AND r.start_date >= SUBSTR(o.start_date, 1, 10) AND (r.start_date < o.start_date
            OR (r.start_date = o.start_date AND r.occurrence_id < o.occurrence_id))) AS earlier
          FROM ${this.table} o WHERE ${inList(sql`o.occurrence_id`, rows)} AND ${hasSeveral(this.database, sql`o.post_id`)}`,
    );
    return new Map(
      found.map(({ id, postId, earlier, ...dates }) => [
        Number(id),
        { ...dates, id: Number(id), postId: Number(postId), earlier: Number(earlier) },
      ]),
    );
  }

  /** The occurrence that an id names; undefined for ids of posts. */
  async byId(id: number, settings: CalendarSettings): Promise<Occurrence | undefined> {
    return (await this.among([id], settings)).get(id);
  }

  /** Which post an id in responses stands for. */
  async postOf(ids: readonly number[], settings: CalendarSettings): Promise<PostOf> {
    const found = await this.among(ids, settings);
    return (id) => found.get(id)?.postId ?? id;
  }

  /** The occurrences that ids name, by these ids; those of posts are left out. */
  private async among(
    ids: readonly number[],
    { occurrenceBase: base }: CalendarSettings,
  ): Promise<Map<number, Occurrence>> {
    const found = await this.find(ids.filter((id) => id >= base).map((id) => id - base));
    return new Map([...found].map(([row, one]) => [base + row, one]));
  }

  /** The posts that ids name, each as the entry that it names; unordered, without unknown ones. */
  async load(ids: readonly number[], { settings, access }: RequestContext): Promise<PostRecord[]> {
    const found = await this.among(ids, settings);
    const postOf = (id: number) => found.get(id)?.postId ?? id;
    const postIds = [...new Set(ids.map(postOf))];
    const posts = await (access.canOfType('edit', EVENT_POST_TYPE)
      ? loadWithRelations(this.database, this.posts, postIds)
      : this.posts.load(postIds));
    if (found.size === 0) return posts;
    const byId = new Map(posts.map((post) => [post.id, post]));
    return ids.flatMap((id) => {
      const [post, occurrence] = [byId.get(postOf(id)), found.get(id)];
      if (!post) return [];
      return occurrence ? { ...post, entry: { id, row: occurrence.id } } : post;
    });
  }

  /**
   * What `include` names: of an event with several occurrences the next one. Undefined where `withNext` is enough, without further
   * statements: in the default order, and where no id is that of an occurrence.
   */
  async namedBy(
    { include, orderby, order, cursor }: ListEventsQuery,
    context: RequestContext,
  ): Promise<ListEntry[] | undefined> {
    const [ids, base] = [include?.ids ?? [], context.settings.occurrenceBase];
    const isSorted = (orderby ?? order ?? cursor) !== undefined;
    if (ids.length === 0 || !(isSorted || ids.some((id) => id >= base))) return undefined;
    const found = await this.among(ids, context.settings);
    const next = await this.next(await this.withSeveral(ids), context);
    const single = ids.filter((id) => !next.has(id) && !found.has(id));
    return [
      ...single.map((id) => ({ id })),
      ...[...found.values()].map(({ id: row, postId: id }) => ({ id, row })),
      ...[...next].map(([id, row]) => ({ id, row })),
    ];
  }

  /** A page with the next occurrence of each event instead of the last one. */
  async withNext(page: PostPage, list: PostQuery, context: RequestContext): Promise<PostPage> {
    const rows = await page.rows();
    const next = await this.next(
      rows.flatMap(({ id, entry }) => (entry ? id : [])),
      context,
    );
    if (next.size === 0) return { ...page, rows: async () => rows };
    const changed = rows.map((row) => {
      const occurrence = next.get(row.id);
      return occurrence === undefined ? row : { ...row, entry: list.entryOf(occurrence) };
    });
    const [ids, keys] = [changed.map(entryId), changed.map(entryKey)];
    return { ...page, ids, keys, rows: async () => changed };
  }

  /** The occurrence of each post that has not ended and starts first, else the last one. */
  private async next(ids: readonly number[], { time }: RequestContext): Promise<Map<number, number>> {
    if (ids.length === 0) return new Map();
    const { value: now } = time.within(STEP_MS, formatWallClock);
    const isAhead = sql`r.end_date_utc > ${now}`;
    const next = sql`SELECT r.occurrence_id FROM ${this.table} r WHERE r.post_id = p.ID
      ORDER BY CASE WHEN ${isAhead} THEN 0 ELSE 1 END, CASE WHEN ${isAhead} THEN r.start_date_utc END, r.start_date_utc DESC, r.occurrence_id LIMIT 1`;
    const chosen = await this.database.query<{ id: number; occurrence: number | string | null }>(
      sql`SELECT p.ID AS id, (${next}) AS occurrence FROM ${this.database.table('posts')} p
          WHERE ${inList(sql`p.ID`, ids)}`,
    );
    return new Map(
      chosen.flatMap(({ id, occurrence }) => (occurrence ? [[Number(id), Number(occurrence)] as const] : [])),
    );
  }

  /** The id of an event's occurrence that begins on a day, `YYYY-MM-DD`, the first or a later one of that day. */
  async onDay(
    postId: number,
    day: string,
    sequence: number,
    { occurrenceBase }: CalendarSettings,
  ): Promise<number | undefined> {
    // MySQL rejects comparisons with dates that do not exist.
    if (formatWallClock(parseWallClock(`${day} 00:00:00`) ?? 0).slice(0, 10) !== day) return undefined;
    const rows = await this.database.query<{ id: number | string; several: unknown }>(
      sql`SELECT o.occurrence_id AS id, ${hasSeveral(this.database, sql`o.post_id`)} AS several FROM ${this.table} o
          WHERE o.post_id = ${postId} AND o.start_date >= ${`${day} 00:00:00`} AND o.start_date <= ${`${day} 23:59:59`}
          ORDER BY o.start_date, o.occurrence_id`,
    );
    const row = rows[sequence - 1];
    return row && (Number(row.several) === 1 ? occurrenceBase + Number(row.id) : postId);
  }

  /** The entries of posts whatever their dates: each occurrence of those with several, by start. */
  async entriesOf(postIds: readonly number[]): Promise<ListEntry[]> {
    const several = await this.withSeveral(postIds);
    if (several.length === 0) return postIds.map((id) => ({ id }));
    const rows = await this.database.query<{ id: number | string; entryRow: number | string }>(
      sql`SELECT o.post_id AS id, o.occurrence_id AS entryRow FROM ${this.table} o
          WHERE ${inList(sql`o.post_id`, several)} ORDER BY o.start_date_utc, o.occurrence_id`,
    );
    const entries = new Map<number, ListEntry[]>(postIds.map((id) => [id, []]));
    for (const { id, entryRow } of rows)
      entries.get(Number(id))?.push({ id: Number(id), row: Number(entryRow) });
    return [...entries].flatMap(([id, own]) => (own.length > 0 ? own : [{ id }]));
  }

  /** Those posts that have several occurrences. */
  async withSeveral(postIds: readonly number[]): Promise<number[]> {
    if (postIds.length === 0 || (await this.index.anyHasSeveral()) === false) return [];
    const rows = await this.database.query<{ id: number | string }>(
      sql`SELECT o.post_id AS id FROM ${this.table} o WHERE ${inList(sql`o.post_id`, postIds)}
          GROUP BY o.post_id HAVING COUNT(*) > 1`,
    );
    return rows.map(({ id }) => Number(id));
  }

  private get table(): Sql {
    return this.database.table('tec_occurrences');
  }
}
