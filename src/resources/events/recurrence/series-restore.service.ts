import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database.js';
import type { Transaction } from '../../../database/transactions.js';
import type { WriteContext } from '../../../http/request-context.js';
import { joinParts, restoreOccurrence } from '../../../lib/recurrence/edit-recurrence.js';
import { TRASH_TIME } from '../../../wordpress/posts/post-dates.js';
import { firstMeta, type PostRecord } from '../../../wordpress/posts/post-record.js';
import { PostsService } from '../../../wordpress/posts/posts.service.js';
import { EVENT } from '../event-type.js';
import type { EventFields } from '../event-write.dto.js';
import { datesOf, storedDates } from '../stored-dates.js';
import { EventSeries, type SeriesPlan } from './event-series.service.js';
import { type StoredRow, storedRows } from './occurrence-rows.js';
import { ORIGIN_META, parseUndo, type Undo } from './series-copy.service.js';
import { datesAt, firstRow, ifUsable, keyOf, parseSeries } from './series-dates.js';
import { storedLines } from './stored-lines.js';

/** The series that a restored part goes back to. */
export interface Restored {
  series: PostRecord;
  plan: SeriesPlan;
  /** The rows of the part, and the first of them. */
  rows: readonly StoredRow[];
  first: StoredRow;
}

/** Undoes the division of a series when a part that was trashed is restored (docs/recurrence.md#trash). */
@Injectable()
export class SeriesRestore {
  constructor(
    private readonly database: Database,
    private readonly posts: PostsService,
    private readonly series: EventSeries,
  ) {}

  /** Where an update restores a part to; undefined if it is or stays an event of its own. */
  async find(
    transaction: Transaction,
    part: PostRecord,
    fields: EventFields,
    context: WriteContext,
  ): Promise<Restored | undefined> {
    const undo = parseUndo(firstMeta(part, ORIGIN_META.undo) ?? '');
    const isUnchanged = undo.trashedAt !== '' && undo.trashedAt === firstMeta(part, TRASH_TIME);
    const { status, ...others } = fields;
    if (!isUnchanged || part.status !== 'trash' || !status || changesMore(others)) return undefined;
    const series = await this.posts.findToWrite(undo.seriesId, transaction);
    if (series?.type !== EVENT.type || !context.access.may('edit', series)) return undefined;
    if (context.access.statusOnWrite(EVENT.type, status) !== series.status) return undefined;
    const { manager } = transaction;
    if ((await this.series.reasonOff(context.now, manager)) !== undefined) return undefined;
    const stored = await storedRows(this.database, manager, series.id);
    const rows = await storedRows(this.database, manager, part.id);
    const [first] = rows;
    const plan = first && (await this.planOf(transaction, { series, part, first, undo }, context));
    return plan && hasExactly(plan, stored, rows) ? { series, plan, rows, first } : undefined;
  }

  private async planOf(
    { manager }: Transaction,
    { series, part, first, undo }: { series: PostRecord; part: PostRecord; first: StoredRow; undo: Undo },
    context: WriteContext,
  ): Promise<SeriesPlan | undefined> {
    const lines = await storedLines(this.database, series, manager);
    const ofPart = (await storedLines(this.database, part, manager)) ?? [];
    // The rule may have changed so that it does not have these dates.
    return ifUsable(() => {
      const dates = datesOf({}, storedDates(series), context);
      const before = parseSeries(lines ?? [], dates);
      const following = () => parseSeries(ofPart, datesOf({}, storedDates(part), context));
      const set =
        undo.lines.length === 0
          ? restoreOccurrence(before, keyOf(before, first))
          : joinParts(parseSeries(undo.lines, dates), keyOf(before, first), {
              before,
              following: following(),
            });
      const begin = set && firstRow(set, dates);
      return begin && this.series.planOf(() => set, datesAt(begin, dates), context);
    });
  }
}

/** Parameters without effect on the event. */
const WITHOUT_EFFECT = new Set(['scope', 'password']);

const changesMore = (fields: Omit<EventFields, 'status'>): boolean =>
  Object.entries(fields).some(([name, value]) => value !== undefined && !WITHOUT_EFFECT.has(name));

/** Whether a plan has the dates of a series and of its part, but those after its horizon, and among them no others. */
function hasExactly(plan: SeriesPlan, stored: readonly StoredRow[], ofPart: readonly StoredRow[]): boolean {
  const timesOf = (rows: readonly Pick<StoredRow, 'startUtc' | 'endUtc'>[]) =>
    rows.map(({ startUtc, endUtc }) => `${startUtc} ${endUtc}`).toSorted();
  const [planned, all] = [timesOf(plan.rows), timesOf([...stored, ...ofPart])];
  const common = Math.min(planned.length, all.length);
  const isWhole = common === all.length || plan.later !== undefined;
  const [first = ''] = timesOf(ofPart);
  return (
    isWhole && planned.includes(first) && planned.slice(0, common).join() === all.slice(0, common).join()
  );
}
