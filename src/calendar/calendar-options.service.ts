import { Injectable } from '@nestjs/common';
import sql, { type Sql } from 'sql-template-tag';
import { Database } from '../database/database.js';
import { straightJoin } from '../database/dialect.js';
import type { Transaction } from '../database/transactions.js';
import { microtime } from '../database/write-lock.js';
import { asInteger, asMap, asString, type PhpArray } from '../lib/wordpress-text/php-serialize.js';
import { OptionWriter } from '../wordpress/options/option-writer.js';
import { inList } from '../wordpress/posts/post-rows.js';
import { CALENDAR_OPTION } from './calendar-settings.js';
import { EVENT_POST_TYPE } from './event-post-type.js';

/** The first or last date of the calendar, in UTC, with its event. */
interface Edge {
  id: number;
  date: string;
}

/** Updates the options that a PHP site on the same database watches (docs/behaviour/storage.md#options-that-php-watches). */
@Injectable()
export class CalendarOptionsService {
  constructor(
    private readonly database: Database,
    private readonly options: OptionWriter,
  ) {}

  /**
   * Updates the first and the last date of the calendar after an event was written or removed: of published, private and
   * protected events, the lowest id among equals. All events are searched only if the event of a stored date no longer has it,
   * or if none is stored. `now`: epoch milliseconds.
   */
  async keepRange(transaction: Transaction, eventId: number, now: number): Promise<void> {
    const isChanged = await this.options.change(transaction, CALENDAR_OPTION, async (calendar) => {
      const ends = ENDS.map((end) => ({ ...end, stored: storedEdge(calendar, end.name) }));
      const ids = [eventId, ...ends.map(({ stored }) => stored.id)];
      const dates = await this.datesOf(transaction, ids);
      for (const { name, date, way, sign, stored } of ends) {
        const own = dates.get(eventId)?.[name];
        const marked = dates.get(stored.id)?.[name];
        const isOwn =
          own !== undefined && stored.date !== '' && order({ id: eventId, date: own }, stored, sign) <= 0;
        if (isOwn) setEdge(calendar, name, { id: eventId, date: own });
        else if (marked !== stored.date) setEdge(calendar, name, await this.find(transaction, date, way));
      }
    });
    if (isChanged) await this.options.set(transaction, 'tribe_last_updated_option', microtime(now));
  }

  /** Searches both dates again, after many events were written. */
  async renewRange(transaction: Transaction, now: number): Promise<void> {
    const isChanged = await this.options.change(transaction, CALENDAR_OPTION, async (calendar) => {
      for (const { name, date, way } of ENDS) {
        const found = await this.find(transaction, date, way);
        if (found?.date !== storedEdge(calendar, name).date) setEdge(calendar, name, found);
      }
    });
    if (isChanged) await this.options.set(transaction, 'tribe_last_updated_option', microtime(now));
  }

  /** First and last dates of those events that count. */
  private async datesOf({ manager }: Transaction, ids: readonly number[]) {
    const rows = await this.database.query<{ id: number; earliest_date: string; latest_date: string }>(
      sql`SELECT p.ID AS id, MIN(o.start_date_utc) AS earliest_date, MAX(o.end_date_utc) AS latest_date
          FROM ${this.database.table('posts')} p JOIN ${this.database.table('tec_occurrences')} o ON o.post_id = p.ID
          WHERE ${inList(sql`p.ID`, ids)} AND ${COUNTS} GROUP BY p.ID`,
      manager,
    );
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** The straight join sorts all dates within their covering index before posts are read one by one. */
  private async find({ manager }: Transaction, date: Sql, way: Sql): Promise<Edge | undefined> {
    const [edge] = await this.database.query<Edge>(
      sql`SELECT o.post_id AS id, ${date} AS date FROM ${this.database.table('tec_occurrences')} o
          ${straightJoin(this.database.dialect)} ${this.database.table('posts')} p ON p.ID = o.post_id
          WHERE ${COUNTS} ORDER BY ${date} ${way}, o.post_id LIMIT 1`,
      manager,
    );
    return edge;
  }
}

const COUNTS = sql`p.post_type = ${EVENT_POST_TYPE} AND p.post_status IN ('publish', 'private', 'protected')`;

const ENDS = [
  { name: 'earliest_date', date: sql`o.start_date_utc`, way: sql`ASC`, sign: 1 },
  { name: 'latest_date', date: sql`o.end_date_utc`, way: sql`DESC`, sign: -1 },
] as const;

function order(a: Edge, b: Edge, sign: number): number {
  if (a.date === b.date) return a.id - b.id;
  return a.date < b.date ? -sign : sign;
}

/** The stored date; '' if there is none. */
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
