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
import { EventSeries, isFlattened, type SeriesPlan, writeLater } from './event-series.service.js';
import { addLaterRows, type StoredRow, storedRows } from './occurrence-rows.js';
import { ifUsable, parseSeries, WEEK } from './series-dates.js';
import { SERIES_META, storedLines } from './stored-lines.js';

/** How long a transaction takes further events, in milliseconds: other writes wait for it. */
const MAX_LOCK_MS = 50;

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

  /**
   * Adds the next dates of events, of as many as a short transaction takes; `attempt` runs each one and returns whether it
   * added dates. Returns how many of the events were tried, and how many another process had not been faster with.
   */
  async moveOn(
    events: readonly DueSeries[],
    context: WriteContext,
    attempt: (id: number, work: () => Promise<boolean>) => Promise<boolean>,
  ): Promise<{ tried: number; done: number }> {
    return this.transactions.run(async (transaction) => {
      const begun = performance.now();
      const result = { tried: 0, done: 0 };
      for (const { id } of events) {
        const work = () => transaction.savepoint(() => this.moveOne(transaction, id, context));
        result.done += Number(await attempt(id, work));
        result.tried += 1;
        if (performance.now() - begun > MAX_LOCK_MS) break;
      }
      transaction.isNoop = result.done === 0;
      return result;
    }, context.now);
  }

  private async moveOne(transaction: Transaction, id: number, context: WriteContext): Promise<boolean> {
    const post = await this.posts.findToWrite(id, transaction);
    const due = post && firstMeta(post, SERIES_META.due);
    if (!due || due > formatWallClock(Math.floor(context.now / 1000))) return false;
    await this.extend(transaction, post, context);
    return true;
  }

  private async extend(transaction: Transaction, post: PostRecord, context: WriteContext): Promise<void> {
    const { manager } = transaction;
    const before = await storedRows(this.database, manager, post.id);
    const [row] = before;
    const lines = await storedLines(this.database, post, manager);
    const plan = row && lines && this.planOf(lines, before, post, context);
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
    const meta = await MetaWriter.forExisting(manager, post);
    if (plan) writeLater(meta, plan.later);
    else meta.set(SERIES_META.due, formatWallClock(Math.floor(context.now / 1000) + WEEK));
    await meta.save();
    transaction.extended.add(post.id);
    if (added > 0) {
      await this.options.keepRange(transaction, post.id, context.now);
      await transaction.recordSave(context.now);
    }
  }

  /** The dates by the stored rule; undefined where it is not usable, or another program has changed the dates. */
  private planOf(
    lines: readonly string[],
    rows: readonly StoredRow[],
    post: PostRecord,
    context: WriteContext,
  ): SeriesPlan | undefined {
    return ifUsable(() => {
      const dates = datesOf({}, storedDates(post), context);
      if (isFlattened(post, lines, dates, rows)) return undefined;
      return this.series.planOf(() => parseSeries(lines, dates), dates, context);
    });
  }
}
