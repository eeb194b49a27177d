import { Injectable } from '@nestjs/common';
import sql, { type Sql } from 'sql-template-tag';
import { Database } from '../database/database.js';
import { straightJoin } from '../database/dialect.js';
import type { Transaction } from '../database/transactions.js';
import { microtime } from '../database/write-lock.js';
import { OptionWriter } from '../wordpress/options/option-writer.js';
import { asInteger, asMap, asString, type PhpArray } from '../lib/wordpress-text/php-serialize.js';
import { inList } from '../wordpress/posts/post-rows.js';
import { CALENDAR_OPTION } from './calendar-settings.js';
import { EVENT_POST_TYPE } from './event-post-type.js';

/** One end of the calendar: the date in UTC and the event that it comes from. */
interface Edge {
  id: number;
  date: string;
}

/** Keeps the options that a PHP site beside us watches (docs/behaviour/storage.md#options-that-php-watches). */
@Injectable()
export class CalendarOptionsService {
  constructor(
    private readonly database: Database,
    private readonly options: OptionWriter,
  ) {}

  /**
   * Keeps the first and the last date of the calendar in step after this event was written or removed: of what is published,
   * private or protected, the lowest id among equals. The calendar is gone through only when the event that an end came from
   * no longer gives it, or when there is none stored. `now` as above.
   */
  async keepRange(transaction: Transaction, eventId: number, now: number): Promise<void> {
    const isChanged = await this.options.change(transaction, CALENDAR_OPTION, async (calendar) => {
      const ends = ENDS.map((end) => ({ ...end, stored: storedEdge(calendar, end.name) }));
      const ids = [eventId, ...ends.map(({ stored }) => stored.id)];
      const given = await this.givenBy(transaction, ids);
      for (const { name, date, way, sign, stored } of ends) {
        const own = given.get(eventId)?.[name];
        const marked = given.get(stored.id)?.[name];
        const isOwn =
          own !== undefined && stored.date !== '' && order({ id: eventId, date: own }, stored, sign) <= 0;
        if (isOwn) setEdge(calendar, name, { id: eventId, date: own });
        else if (marked !== stored.date) setEdge(calendar, name, await this.lookUp(transaction, date, way));
      }
    });
    if (isChanged) await this.options.set(transaction, 'tribe_last_updated_option', microtime(now));
  }

  /** Finds both ends anew, after many events were written. */
  async renewRange(transaction: Transaction, now: number): Promise<void> {
    const isChanged = await this.options.change(transaction, CALENDAR_OPTION, async (calendar) => {
      for (const { name, date, way } of ENDS) {
        const found = await this.lookUp(transaction, date, way);
        if (found?.date !== storedEdge(calendar, name).date) setEdge(calendar, name, found);
      }
    });
    if (isChanged) await this.options.set(transaction, 'tribe_last_updated_option', microtime(now));
  }

  /** The dates that each of these events gives to the calendar; none that is not shown. */
  private async givenBy({ manager }: Transaction, ids: readonly number[]) {
    const rows = await this.database.query<{ id: number; earliest_date: string; latest_date: string }>(
      sql`SELECT p.ID AS id, MIN(o.start_date_utc) AS earliest_date, MAX(o.end_date_utc) AS latest_date
          FROM ${this.database.table('posts')} p JOIN ${this.database.table('tec_occurrences')} o ON o.post_id = p.ID
          WHERE ${inList(sql`p.ID`, ids)} AND ${SHOWN} GROUP BY p.ID`,
      manager,
    );
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** No index has these dates, but one has all of them: sorted in it, before posts are looked at one by one. */
  private async lookUp({ manager }: Transaction, date: Sql, way: Sql): Promise<Edge | undefined> {
    const [edge] = await this.database.query<Edge>(
      sql`SELECT o.post_id AS id, ${date} AS date FROM ${this.database.table('tec_occurrences')} o
          ${straightJoin(this.database.dialect)} ${this.database.table('posts')} p ON p.ID = o.post_id
          WHERE ${SHOWN} ORDER BY ${date} ${way}, o.post_id LIMIT 1`,
      manager,
    );
    return edge;
  }
}

const SHOWN = sql`p.post_type = ${EVENT_POST_TYPE} AND p.post_status IN ('publish', 'private', 'protected')`;

const ENDS = [
  { name: 'earliest_date', date: sql`o.start_date_utc`, way: sql`ASC`, sign: 1 },
  { name: 'latest_date', date: sql`o.end_date_utc`, way: sql`DESC`, sign: -1 },
] as const;

/** Which of two comes first as an end: by date, then by id. */
function order(a: Edge, b: Edge, sign: number): number {
  if (a.date === b.date) return a.id - b.id;
  return a.date < b.date ? -sign : sign;
}

/** What is stored; '' is no date. */
function storedEdge(calendar: PhpArray, name: string): Edge {
  const [marker] = asMap(calendar.get(`${name}_markers`)).values();
  return { id: asInteger(marker), date: asString(calendar.get(name)) };
}

function setEdge(calendar: PhpArray, name: string, edge: Edge | undefined): void {
  if (!edge) {
    calendar.delete(name);
    calendar.delete(`${name}_markers`);
    return;
  }
  calendar.set(name, edge.date);
  calendar.set(`${name}_markers`, new Map([[0, edge.id]]));
}
