import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import sql from 'sql-template-tag';
import { In } from 'typeorm';
import { Database } from '../../database/database.js';
import { insertRows } from '../../database/insert-rows.js';
import type { Transaction } from '../../database/transactions.js';
import { addOnColumns } from './add-on-columns.js';
import type { EventDates } from './event-dates.js';
import { TecEvent, ZONE_CHARACTERS } from './tec-event.entity.js';
import { TecOccurrence } from './tec-occurrence.entity.js';

/** Maximum of a MEDIUMINT column, in seconds. */
const MAX_DURATION = 8_388_607;

/** The dates in the calendar's tables. */
type TableDates = Pick<EventDates, 'start' | 'end' | 'startUtc' | 'endUtc' | 'timezone' | 'duration'>;

/** An event's row of `tec_events` without its post id. */
export function eventRow(dates: TableDates) {
  const timezone = [...dates.timezone].slice(0, ZONE_CHARACTERS).join('');
  return { ...dateColumns(dates), timezone, hash: '' };
}

/** An event's row of `tec_occurrences`. */
export function occurrenceRow(postId: number, eventId: number, dates: TableDates) {
  const columns = dateColumns(dates);
  return { eventId, ...columns, hash: occurrenceHash(postId, dates, columns.duration) };
}

function dateColumns({ start, end, startUtc, endUtc, duration }: TableDates) {
  return {
    startDate: start,
    endDate: end,
    startDateUtc: startUtc,
    endDateUtc: endUtc,
    duration: Math.min(duration, MAX_DURATION),
  };
}

/** Synchronizes the calendar's own two tables with an event's meta (docs/behaviour/storage.md#calendar-tables). */
@Injectable()
export class EventTablesService {
  constructor(private readonly database: Database) {}

  /**
   * Writes the event's row and its first occurrence; existing rows keep their ids. Another occurrence at exactly the
   * new time is deleted as a duplicate.
   */
  async save(transaction: Transaction, postId: number, dates: TableDates, isNew = false): Promise<void> {
    const { manager } = transaction;
    const eventId = await this.saveEvent(transaction, postId, dates, isNew);
    const occurrence = occurrenceRow(postId, eventId, dates);
    const [first, ...others] = isNew
      ? []
      : await manager.find(TecOccurrence, {
          select: { id: true, hash: true },
          where: { postId },
          order: { id: 'ASC' },
        });
    const same = others.find(({ hash }) => hash === occurrence.hash);
    if (same) await manager.delete(TecOccurrence, same.id);
    if (first) await manager.update(TecOccurrence, first.id, occurrence);
    else await insertRows(manager, TecOccurrence, { postId, ...occurrence });
  }

  /** Writes the event's row alone and returns its id. */
  async saveEvent(
    { manager, touch }: Transaction,
    postId: number,
    dates: TableDates,
    isNew = false,
  ): Promise<number> {
    touch('post', postId);
    const row = eventRow(dates);
    const event = isNew ? null : await manager.findOneBy(TecEvent, { postId });
    if (event) await manager.update(TecEvent, event.id, row);
    return Number(event?.id ?? (await insertRows(manager, TecEvent, { postId, ...row })));
  }

  /** Inserts the rows of many new events with three statements. */
  async saveNew(
    { manager }: Transaction,
    events: readonly { postId: number; dates: TableDates }[],
  ): Promise<void> {
    if (events.length === 0) return;
    await insertRows(
      manager,
      TecEvent,
      ...events.map(({ postId, dates }) => ({ postId, ...eventRow(dates) })),
    );
    const postIds = events.map(({ postId }) => postId);
    const stored = await manager.find(TecEvent, {
      select: { id: true, postId: true },
      where: { postId: In(postIds) },
    });
    const idOf = new Map(stored.map(({ id, postId }) => [Number(postId), Number(id)]));
    await insertRows(
      manager,
      TecOccurrence,
      ...events.map(({ postId, dates }) => ({
        postId,
        ...occurrenceRow(postId, Number(idOf.get(postId)), dates),
      })),
    );
  }

  /** Deletes the rows of a permanently deleted event, of all its dates, and its place in a series of the premium add-on. */
  async remove({ manager }: Transaction, postId: number): Promise<void> {
    if ((await addOnColumns(this.database, manager)).has('tec_series_relationships.series_post_id'))
      await this.database.query(
        sql`DELETE FROM ${this.database.table('tec_series_relationships')} WHERE event_post_id = ${postId}`,
        manager,
      );
    await manager.delete(TecOccurrence, { postId });
    await manager.delete(TecEvent, { postId });
  }
}

/** sha1 of an occurrence, computed as the plugin does. */
function occurrenceHash(
  postId: number,
  { start, end, startUtc, endUtc }: Pick<EventDates, 'start' | 'end' | 'startUtc' | 'endUtc'>,
  duration: number,
): string {
  return hash('sha1', [postId, start, end, startUtc, endUtc, duration].join(':'));
}
