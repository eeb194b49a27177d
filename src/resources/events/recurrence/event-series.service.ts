import { Injectable } from '@nestjs/common';
import sql from 'sql-template-tag';
import type { EntityManager } from 'typeorm';
import { invalidParameter, invalidParameters } from '../../../common/errors/rest-exception.js';
import { Environment } from '../../../config/env.js';
import { Database } from '../../../database/database.js';
import type { Transaction } from '../../../database/transactions.js';
import type { WriteContext } from '../../../http/request-context.js';
import { formatRecurrence } from '../../../lib/recurrence/format-recurrence.js';
import { isRecurrence } from '../../../lib/recurrence/parse-recurrence.js';
import { RecurrenceError } from '../../../lib/recurrence/recurrence-error.js';
import type { RecurrenceSet } from '../../../lib/recurrence/recurrence-set.js';
import { formatWallClock } from '../../../lib/wordpress-text/dates/wall-clock.js';
import type { MetaWriter } from '../../../wordpress/posts/meta-writer.js';
import { firstMeta, type PostRecord } from '../../../wordpress/posts/post-record.js';
import { addOnColumns } from '../add-on-columns.js';
import { DATE_PARAMETERS, type DatesInput, type EventDates } from '../event-dates.js';
import { EventTablesService } from '../event-tables.service.js';
import { hasSeveralOccurrences } from '../several-occurrences.js';
import { type StoredRow, storedRows, writeRows } from './occurrence-rows.js';
import { isPhpBeside } from './php-beside.js';
import { UNKNOWN_RULE } from './recurrence-input.js';
import {
  aheadSeconds,
  expandSeries,
  hasSeveralDates,
  ifUsable,
  type LaterDates,
  moveSeries,
  parseSeries,
  startLines,
  type WantedRow,
} from './series-dates.js';
import { isAsRendered, SERIES_META, storedLines } from './stored-lines.js';

/** The rule of the premium add-on's older versions. */
export const OLD_RULE = '_EventRecurrence';

const REASONS = {
  setting: 'RECURRENCE=off disables writes of recurring events.',
  php: 'PHP runs on this database, and saving its form leaves a recurring event only one date. RECURRENCE=on allows such events nevertheless.',
} as const;

/** A recurring event as it is to be stored. */
export interface SeriesPlan {
  lines: string[];
  dates: EventDates;
  rows: WantedRow[];
  later?: LaterDates;
}

/** What becomes of the recurrence of an event: a plan, or `single`. */
export type SeriesChange = SeriesPlan | 'single';

/** Date parameters with what they set. */
const SET_BY_PARAMETERS = [
  ['start_date', 'start'],
  ['end_date', 'end'],
  ['timezone', 'timezone'],
  ['all_day', 'allDay'],
] as const;

/** The dates that an update changes to; `stored` are those of its meta. */
export interface UpdatedDates {
  /** Undefined if none was sent. */
  sent?: EventDates;
  stored: () => EventDates;
}

/** Plans and stores how events recur (docs/recurrence.md#writing). */
@Injectable()
export class EventSeries {
  /** Plans by their input, so that none is computed again within the write lock. */
  private readonly planned = new WeakMap<readonly string[], SeriesPlan>();

  constructor(
    private readonly env: Environment,
    private readonly database: Database,
    private readonly tables: EventTablesService,
  ) {}

  /** Throws 400 for a parameter where recurring events are not written, if it needs them to be. */
  async checkAllowed(
    parameter: string,
    now: number,
    {
      manager,
      isNeeded = () => true,
    }: { manager?: EntityManager; isNeeded?: () => boolean | Promise<boolean> } = {},
  ): Promise<void> {
    const reason = await this.reasonOff(now, manager);
    if (reason !== undefined && (await isNeeded()))
      throw invalidParameter(parameter, `${parameter} is not allowed here: ${reason}`);
  }

  /** Why recurring events are not written; undefined where they are. */
  async reasonOff(now: number, manager?: EntityManager): Promise<string | undefined> {
    const cause = await this.offBy(now, manager);
    return cause && REASONS[cause];
  }

  /** What keeps recurring events from being written; undefined where they are. */
  async offBy(now: number, manager?: EntityManager): Promise<keyof typeof REASONS | undefined> {
    const { recurrence } = this.env;
    if (recurrence === 'on') return undefined;
    if (recurrence === 'off') return 'setting';
    return (await isPhpBeside(this.database, now, manager)) ? 'php' : undefined;
  }

  /** Plans the dates of lines without `DTSTART`; throws 400 for `recurrence`. */
  plan(lines: readonly string[], dates: EventDates, context: WriteContext): SeriesPlan {
    const known = this.planned.get(lines);
    if (known && isSame(known.dates, dates)) return known;
    if (!isRecurrence(lines))
      throw invalidParameter('recurrence', 'recurrence holds neither a rule nor a date.');
    const plan = this.planOf(() => parseSeries(lines, dates), dates, context);
    this.planned.set(lines, plan);
    return plan;
  }

  /** Plans the dates of a parsed series of which the event's are the first. */
  planOf(
    parse: () => RecurrenceSet,
    dates: EventDates,
    { now }: Pick<WriteContext, 'now'>,
    parameter = 'recurrence',
  ): SeriesPlan {
    const { set, rows, later } = readable(parameter, () => {
      const parsed = parse();
      const horizon = { now: Math.floor(now / 1000), ahead: aheadSeconds(this.env) };
      return { set: parsed, ...expandSeries(parsed, dates, horizon) };
    });
    const [first, ...others] = rows;
    if (!first) throw invalidParameter(parameter, `${parameter} leaves no date.`);
    if (first.start !== dates.start && first.startUtc !== dates.startUtc)
      throw invalidParameter(
        parameter,
        `${parameter} does not fit start_date: the first date of the rule is ${first.start}, that of the event ${dates.start}.`,
      );
    const { start, startUtc } = dates;
    const { end, endUtc, duration } = dates.written ? first : dates;
    return {
      lines: formatRecurrence(set),
      dates: { ...dates, end, endUtc, duration },
      rows: [{ start, end, startUtc, endUtc, duration, isRdate: first.isRdate }, ...others],
      ...(later && { later }),
    };
  }

  /**
   * What an update makes of an event's recurrence; undefined for a single event that stays one, `unchanged` where the dates of
   * a recurring one stay. Throws 400 for other dates of an event on several dates whose rule is not known, or where such
   * events are not written.
   */
  async change(
    transaction: Transaction,
    before: PostRecord,
    fields: DatesInput & { recurrence?: readonly string[] },
    { sent, stored }: UpdatedDates,
    context: WriteContext,
  ): Promise<SeriesChange | 'unchanged' | undefined> {
    const isMoved = () => sent !== undefined && !isSame(stored(), sent);
    const input = await this.newInput(transaction, before, fields.recurrence, isMoved);
    if (input?.length === 0) return 'single';
    if (input) return this.replaced(before, input, sent ?? stored(), context);
    if (!sent) return undefined;
    const { manager } = transaction;
    const isRecurring =
      firstMeta(before, SERIES_META.lines) ||
      (await hasSeveralOccurrences(this.database, before.id, manager));
    if (!isRecurring) return undefined;
    if (!isMoved()) return 'unchanged';
    const lines = await storedLines(this.database, before, manager);
    const from = stored();
    const rows = await storedRows(this.database, manager, before.id);
    if (lines && isFlattened(before, lines, from, rows)) return 'single';
    if (!lines)
      throw invalidParameters(
        SET_BY_PARAMETERS.filter(
          ([name, member]) => fields[name] !== undefined && from[member] !== sent[member],
        ).map(([name]) => ({
          name,
          message: `${name} cannot be changed: the event takes place on several dates.`,
        })),
      );
    const [parameter = 'start_date'] = DATE_PARAMETERS.filter((name) => fields[name] !== undefined);
    await this.checkAllowed(parameter, context.now, { manager });
    const moved = () => parseSeries(moveSeries(parseSeries(lines, from), from, sent), sent);
    return this.planOf(moved, sent, context);
  }

  /** What an update sends beyond what responses show; dates that move belong to another rule. */
  private async newInput(
    { manager }: Transaction,
    before: PostRecord,
    input: readonly string[] | undefined,
    isMoved: () => boolean,
  ): Promise<readonly string[] | undefined> {
    const isUnknown = input?.join() === UNKNOWN_RULE.join();
    if (!input?.length || (!isUnknown && isMoved())) return input;
    return (await isAsRendered(this.database, before, input, manager)) ? undefined : input;
  }

  writeMeta(meta: MetaWriter, change: SeriesChange): void {
    if (change === 'single') meta.remove(SERIES_META.lines).remove(OLD_RULE);
    else meta.set(SERIES_META.lines, change.lines.join('\n'));
    writeLater(meta, change === 'single' ? undefined : change.later);
  }

  /** Writes the rows of an event; its only one if it recurs no more. `from`: see `WantedRows`. */
  async save(
    transaction: Transaction,
    postId: number,
    change: SeriesChange,
    dates: EventDates,
    { isNew = false, from = [] }: { isNew?: boolean; from?: readonly StoredRow[] } = {},
  ): Promise<void> {
    const { manager } = transaction;
    const eventId = await this.tables.saveEvent(transaction, postId, dates, isNew);
    const columns = await addOnColumns(this.database, manager);
    const recurs = change !== 'single';
    const rows = recurs ? change.rows : [{ ...dates, isRdate: false }];
    await writeRows(this.database, manager, { postId, eventId, rows, recurs, columns, from });
    if (columns.has('tec_events.rset'))
      await this.database.query(
        sql`UPDATE ${this.database.table('tec_events')} SET rset = ${recurs ? change.lines.join('\n') : null} WHERE event_id = ${eventId}`,
        manager,
      );
  }

  /** Another rule: it begins where the stored one does, if the event's date is its first one then, too. */
  private replaced(
    before: PostRecord,
    input: readonly string[],
    dates: EventDates,
    context: WriteContext,
  ): SeriesPlan {
    const stored = (firstMeta(before, SERIES_META.lines) ?? '').split('\n');
    const anchor = stored.filter((line) => /^DTSTART[;:]/i.test(line));
    const [, duration = ''] = startLines(dates);
    const isEarlier = () => formatWallClock(parseSeries(anchor, dates).start.wall) !== dates.start;
    const planned =
      anchor.length > 0 &&
      ifUsable(() => isEarlier() && this.plan([...anchor, duration, ...input], dates, context));
    return planned || this.plan(input, dates, context);
  }
}

/** Writes when further dates are due, or that all are stored. */
export function writeLater(meta: MetaWriter, later: LaterDates | undefined): void {
  if (!later) meta.remove(SERIES_META.due).remove(SERIES_META.until);
  else
    meta
      .set(SERIES_META.due, formatWallClock(later.dueAt))
      .set(SERIES_META.until, formatWallClock(later.until));
}

/** Whether PHP has left one of the rows that were stored for an event. */
export const isFlattened = (
  event: Pick<PostRecord, 'meta'>,
  lines: readonly string[],
  dates: EventDates,
  rows: readonly unknown[],
): boolean => rows.length === 1 && hasSeveralDates(lines, dates, firstMeta(event, SERIES_META.until));

/** Whether two dates of an event are equal. */
export const isSame = (a: EventDates, b: EventDates): boolean =>
  SET_BY_PARAMETERS.every(([, name]) => a[name] === b[name]);

/** Runs work on a recurrence: what is wrong with it is an error of the parameter. */
export function readable<T>(parameter: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof RecurrenceError)) throw error;
    throw invalidParameter(parameter, `${parameter} cannot be used: ${error.message}.`);
  }
}
