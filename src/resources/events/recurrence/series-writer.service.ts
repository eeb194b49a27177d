import { Injectable } from '@nestjs/common';
import { CalendarOptionsService } from '../../../calendar/calendar-options.service.js';
import { noteChanges } from '../../../calendar/note-changes.js';
import { invalidParameter, RestException } from '../../../common/errors/rest-exception.js';
import { Database } from '../../../database/database.js';
import type { Transaction } from '../../../database/transactions.js';
import type { RequestContext, WriteContext } from '../../../http/request-context.js';
import { dropOccurrence, splitAt } from '../../../lib/recurrence/edit-recurrence.js';
import { formatRecurrence } from '../../../lib/recurrence/format-recurrence.js';
import { eachOccurrence } from '../../../lib/recurrence/occurrences.js';
import type { RecurrenceSet } from '../../../lib/recurrence/recurrence-set.js';
import {
  compactDate,
  formatWallClock,
  parseWallClock,
  secondsBetween,
} from '../../../lib/wordpress-text/dates/wall-clock.js';
import { MetaWriter } from '../../../wordpress/posts/meta-writer.js';
import { firstMeta, type PostRecord } from '../../../wordpress/posts/post-record.js';
import { PostWriter } from '../../../wordpress/posts/post-writer.js';
import { PostsService } from '../../../wordpress/posts/posts.service.js';
import type { DatesInput, EventDates } from '../event-dates.js';
import { writeDates } from '../event-meta.js';
import { EVENT } from '../event-type.js';
import { Occurrences } from '../occurrences.service.js';
import { datesOf, storedDates } from '../stored-dates.js';
import { EventSeries, OLD_RULE, readable, type SeriesPlan } from './event-series.service.js';
import { type StoredRow, storedRows } from './occurrence-rows.js';
import type { WriteScope } from './scope-arg.js';
import { SeriesCopy, type SeriesPart } from './series-copy.service.js';
import { datesAt, firstRow, keyOf, parseSeries } from './series-dates.js';
import { storedLines } from './stored-lines.js';

/** The ids of an occurrence: its event's and its row's. */
export interface OccurrenceKey {
  postId: number;
  rowId: number;
}

/** Writes single dates of recurring events, and those from one date on (docs/recurrence.md#one-date). */
@Injectable()
export class SeriesWriter {
  constructor(
    private readonly database: Database,
    private readonly posts: PostWriter,
    private readonly records: PostsService,
    private readonly series: EventSeries,
    private readonly copies: SeriesCopy,
    private readonly options: CalendarOptionsService,
    private readonly occurrences: Occurrences,
  ) {}

  /** The date that an id names; undefined for ids of posts. */
  async find(id: number, { settings }: RequestContext): Promise<OccurrenceKey | undefined> {
    const found = await this.occurrences.byId(id, settings);
    return found && { postId: found.postId, rowId: found.id };
  }

  /** Dates sent for one date, as those that move the whole event by the same time. */
  async forAll<Fields extends DatesInput>(
    { postId, rowId }: OccurrenceKey,
    fields: Fields,
    context: WriteContext,
  ): Promise<Fields> {
    const post = await this.records.find(postId);
    if (!post || (fields.start_date === undefined && fields.end_date === undefined)) return fields;
    const stored = datesOf({}, storedDates(post), context);
    const rows = await storedRows(this.database, this.database.source.manager, postId);
    const row = rows.find(({ id }) => id === rowId);
    if (!row) return fields;
    const { start, end } = row;
    const sent = datesOf(fields, { start, end, timezone: stored.timezone, allDay: stored.allDay }, context);
    const begin = (parseWallClock(stored.start) ?? 0) + secondsBetween(start, sent.start);
    return {
      ...fields,
      start_date: formatWallClock(begin),
      end_date: formatWallClock(begin + secondsBetween(sent.start, sent.end)),
    };
  }

  /**
   * Makes one date, or it and all following ones, an event of its own; returns it. From the first date on that is the
   * event itself. One that goes to the trash can be restored to the series.
   */
  async separate(
    transaction: Transaction,
    before: PostRecord,
    rowId: number,
    scope: Exclude<WriteScope, 'all'>,
    context: WriteContext,
    isTrashed = false,
  ): Promise<PostRecord> {
    const { manager } = transaction;
    if (before.status === 'trash')
      throw new RestException('gone', `${EVENT.singular}-is-in-trash`, 'The event is in the trash.');
    const rows = await storedRows(this.database, manager, before.id);
    const row = rows.find(({ id }) => id === rowId);
    if (!row) throw new RestException('busy', 'rest_busy', 'The date was changed at the same time.');
    if (scope === 'following' && row === rows[0]) return before;
    const dates = datesOf({}, storedDates(before), context);
    const set = await this.setOf(transaction, before, rows, dates);
    const { rest, part } =
      scope === 'this'
        ? without(this.series, set, row, dates, context)
        : split(this.series, set, row, dates, context);
    await this.saveRest(transaction, before, rest, context);
    const taken = scope === 'this' ? [row] : rows.filter(({ startUtc }) => startUtc >= row.startUtc);
    const undo = isTrashed && {
      trashedAt: String(Math.floor(context.now / 1000)),
      seriesId: before.id,
      lines: scope === 'this' ? [] : formatRecurrence(set),
    };
    const id = await this.copies.insert(
      transaction,
      before,
      { ...part, rows: taken, ...(undo && { undo }) },
      context,
    );
    await this.options.keepRange(transaction, id, context.now);
    await transaction.recordSave(context.now);
    const copy = await this.records.findToWrite(id, transaction);
    if (!copy) throw new Error(`The event ${id} was written and is not there.`);
    return copy;
  }

  /** The recurrence of an event: its rule, else its dates one by one. */
  private async setOf(
    transaction: Transaction,
    before: PostRecord,
    rows: readonly StoredRow[],
    dates: EventDates,
  ): Promise<RecurrenceSet> {
    const lines = await storedLines(this.database, before, transaction.manager);
    if (!lines && firstMeta(before, OLD_RULE)?.includes('"type"'))
      throw invalidParameter(
        'scope',
        'scope cannot be used: the rule of the event is stored in an older form.',
      );
    return readable('scope', () => parseSeries(lines ?? rows.flatMap((row) => dateLines(row, dates)), dates));
  }

  /** Writes a series with dates of its plan; `from`: see `WantedRows`. */
  async saveRest(
    transaction: Transaction,
    before: PostRecord,
    plan: SeriesPlan,
    context: WriteContext,
    from: readonly StoredRow[] = [],
  ): Promise<void> {
    const meta = await MetaWriter.forExisting(transaction.manager, before);
    await this.posts.update(transaction, before, { mayPublish: true }, meta, context);
    writeDates(meta, plan.dates);
    meta.set('_EventTimezoneAbbr', plan.dates.abbreviation);
    this.series.writeMeta(meta, plan);
    await noteChanges(meta, context).save();
    await this.series.save(transaction, before.id, plan, plan.dates, { from });
    await this.options.keepRange(transaction, before.id, context.now);
  }
}

interface Parts {
  rest: SeriesPlan;
  part: Omit<SeriesPart, 'rows'>;
}

/** A series without one date. */
function without(
  series: EventSeries,
  set: RecurrenceSet,
  row: StoredRow,
  dates: EventDates,
  context: WriteContext,
): Parts {
  const key = keyOf(set, row);
  const [found] = eachOccurrence(set, { from: set.isAllDay ? set.clock.toEpoch(key) : key });
  if (found?.recurrenceId !== key)
    throw invalidParameter('scope', 'scope cannot be used: the rule of the event does not have this date.');
  const rest = dropOccurrence(set, key);
  const first = readable('scope', () => firstRow(rest, dates));
  if (!first) throw invalidParameter('scope', 'scope cannot be used: the event has no other date.');
  return {
    rest: series.planOf(() => rest, datesAt(first, dates), context, 'scope'),
    part: { dates: datesOfRow(row, dates), change: 'single' },
  };
}

function split(
  series: EventSeries,
  set: RecurrenceSet,
  row: StoredRow,
  dates: EventDates,
  context: WriteContext,
): Parts {
  const { before, following } = readable('scope', () => splitAt(set, keyOf(set, row)));
  const own = datesOfRow(row, dates);
  return {
    rest: series.planOf(() => before, dates, context, 'scope'),
    part: { dates: own, change: series.planOf(() => following, own, context, 'scope') },
  };
}

const datesOfRow = (row: StoredRow, dates: EventDates): EventDates =>
  datesAt({ ...row, duration: secondsBetween(row.startUtc, row.endUtc) }, dates);

/** A date without a rule, as a line; none for the first one. */
function dateLines({ start, startUtc, endUtc }: StoredRow, dates: EventDates): string[] {
  if (startUtc === dates.startUtc) return [];
  if (dates.allDay) return [`RDATE;VALUE=DATE:${compactDate(start).slice(0, 8)}`];
  const utc = `${compactDate(startUtc)}Z`;
  const duration = secondsBetween(startUtc, endUtc);
  return [duration === dates.duration ? `RDATE:${utc}` : `RDATE;VALUE=PERIOD:${utc}/PT${duration}S`];
}
