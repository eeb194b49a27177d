import { Injectable } from '@nestjs/common';
import sql from 'sql-template-tag';
import { CalendarOptionsService } from '../../../calendar/calendar-options.service.js';
import { Database } from '../../../database/database.js';
import { type Transaction, Transactions } from '../../../database/transactions.js';
import type { WriteContext } from '../../../http/request-context.js';
import { formatWallClock } from '../../../lib/wordpress-text/dates/wall-clock.js';
import { MetaWriter } from '../../../wordpress/posts/meta-writer.js';
import { firstMeta, type PostRecord } from '../../../wordpress/posts/post-record.js';
import { PostsService } from '../../../wordpress/posts/posts.service.js';
import { addOnColumns } from '../add-on-columns.js';
import { datesOf, storedDates } from '../stored-dates.js';
import { EventSeries, type SeriesPlan } from './event-series.service.js';
import { addLaterRows, type StoredRow, storedRows } from './occurrence-rows.js';
import { parseSeries, WEEK } from './series-dates.js';
import { SERIES_META, storedLines } from './stored-lines.js';

/** A recurring event whose next dates are due. */
export interface DueSeries {
  id: number;
}

/** Stores further dates of recurring events as time passes (docs/recurrence.md#horizon). */
@Injectable()
export class SeriesHorizon {
  constructor(
    private readonly database: Database,
    private readonly transactions: Transactions,
    private readonly posts: PostsService,
    private readonly series: EventSeries,
    private readonly options: CalendarOptionsService,
  ) {}

  /** Events that are due at a time in epoch milliseconds; none where recurring events are not written. */
  async due(now: number, most: number): Promise<DueSeries[]> {
    const rows = await this.database.query<{ id: number | string }>(
      sql`SELECT m.post_id AS id FROM ${this.database.table('postmeta')} m
          WHERE m.meta_key = ${SERIES_META.due} AND m.meta_value <= ${formatWallClock(Math.floor(now / 1000))}
          ORDER BY m.meta_value, m.post_id LIMIT ${most}`,
    );
    if (rows.length === 0 || (await this.series.reasonOff(now)) !== undefined) return [];
    return rows.map(({ id }) => ({ id: Number(id) }));
  }

  /** Adds the next dates of an event in one transaction; returns how many, undefined if another process was faster. */
  async moveOn(id: number, context: WriteContext): Promise<number | undefined> {
    return this.transactions.run(async (transaction) => {
      const post = await this.posts.findToWrite(id, transaction);
      const due = post && firstMeta(post, SERIES_META.due);
      if (!due || due > formatWallClock(Math.floor(context.now / 1000))) {
        transaction.isNoop = true;
        return undefined;
      }
      return this.extend(transaction, post, due, context);
    }, context.now);
  }

  private async extend(
    transaction: Transaction,
    post: PostRecord,
    due: string,
    context: WriteContext,
  ): Promise<number> {
    const { manager } = transaction;
    const before = await storedRows(this.database, manager, post.id);
    const [row] = before;
    const lines = await storedLines(this.database, post, manager);
    const plan = row && lines && this.planOf(lines, { rows: before, due }, post, context);
    const added = plan
      ? await addLaterRows(
          this.database,
          manager,
          {
            postId: post.id,
            eventId: row.eventId,
            rows: plan.rows,
            recurs: true,
            columns: await addOnColumns(this.database, manager),
          },
          before,
        )
      : 0;
    const later = plan ? plan.dueAt : Math.floor(context.now / 1000) + WEEK;
    const meta = await MetaWriter.forExisting(manager, post);
    if (later === undefined) meta.remove(SERIES_META.due);
    else meta.set(SERIES_META.due, formatWallClock(later));
    await meta.save();
    if (added > 0) {
      await this.options.keepRange(transaction, post.id, context.now);
      await transaction.recordSave(context.now);
    }
    return added;
  }

  /** The dates by the stored rule; undefined where it is not usable, or another program has changed the dates. */
  private planOf(
    lines: readonly string[],
    stored: { rows: readonly StoredRow[]; due: string },
    post: PostRecord,
    context: WriteContext,
  ): SeriesPlan | undefined {
    try {
      const dates = datesOf({}, storedDates(post), context);
      if (this.series.isFlattened(lines, dates, stored)) return undefined;
      return this.series.planOf(() => parseSeries(lines, dates), dates, context);
    } catch {
      return undefined;
    }
  }
}
