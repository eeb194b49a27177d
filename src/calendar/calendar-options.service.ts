import { Injectable } from '@nestjs/common';
import sql from 'sql-template-tag';
import { Database } from '../database/database.js';
import type { Transaction } from '../database/transactions.js';
import { OptionWriter } from '../wordpress/options/option-writer.js';
import type { PhpArray } from '../wordpress/options/php-serialize.js';

const CALENDAR = 'tribe_events_calendar_options';

/** Keeps the options that a PHP site beside us watches (docs/behaviour/storage.md#options-that-php-watches). */
@Injectable()
export class CalendarOptionsService {
  constructor(
    private readonly database: Database,
    private readonly options: OptionWriter,
  ) {}

  /** Says that a calendar record was saved: the plugin's caches are keyed on it. `now` is epoch milliseconds. */
  async noteSave(transaction: Transaction, now: number): Promise<void> {
    await this.options.set(transaction, 'tribe_last_save_post', microtime(now));
  }

  /** Rebuilds the first and the last date of the calendar from published, private and protected events, in UTC; `now` as above. */
  async rebuildRange(transaction: Transaction, now: number): Promise<void> {
    const first = await this.edge(transaction, sql`o.start_date_utc`, sql`ASC`);
    const last = await this.edge(transaction, sql`o.end_date_utc`, sql`DESC`);
    const isChanged = await this.options.change(transaction, CALENDAR, (calendar) => {
      setEdge(calendar, 'earliest_date', first);
      setEdge(calendar, 'latest_date', last);
    });
    if (isChanged) await this.options.set(transaction, 'tribe_last_updated_option', microtime(now));
  }

  private async edge(transaction: Transaction, column: ReturnType<typeof sql>, way: ReturnType<typeof sql>) {
    const rows = await this.database.query<{ id: number; date: string }>(
      sql`SELECT o.post_id AS id, ${column} AS date FROM ${this.database.table('tec_occurrences')} o
          JOIN ${this.database.table('posts')} p ON p.ID = o.post_id
          WHERE p.post_type = 'tribe_events' AND p.post_status IN ('publish', 'private', 'protected')
          ORDER BY ${column} ${way}, o.post_id LIMIT 1`,
      transaction.manager,
    );
    return rows[0];
  }
}

/** Epoch seconds with four decimals, as PHP writes them. */
function microtime(now: number): string {
  return (now / 1000).toFixed(4);
}

function setEdge(calendar: PhpArray, name: string, edge: { id: number; date: string } | undefined): void {
  if (!edge) {
    calendar.delete(name);
    calendar.delete(`${name}_markers`);
    return;
  }
  calendar.set(name, edge.date);
  calendar.set(`${name}_markers`, new Map([[0, edge.id]]));
}
