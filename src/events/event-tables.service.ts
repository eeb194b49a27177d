import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { insertRows } from '../database/insert-rows.js';
import type { Transaction } from '../database/transactions.js';
import type { EventDates } from './event-dates.js';
import { TecEvent, ZONE_CHARACTERS } from './tec-event.entity.js';
import { TecOccurrence } from './tec-occurrence.entity.js';

/** What a MEDIUMINT column holds at most, in seconds. */
const LONGEST_DURATION = 8_388_607;

/** Keeps the calendar's own two tables in step with an event's meta (docs/behaviour/storage.md#calendar-tables). */
@Injectable()
export class EventTablesService {
  /** Writes the event's row and its one occurrence; an occurrence that exists keeps its id, of a new event there is none. */
  async save({ manager }: Transaction, postId: number, dates: EventDates, isNew = false): Promise<void> {
    const duration = Math.min(dates.duration, LONGEST_DURATION);
    const columns = {
      startDate: dates.start,
      endDate: dates.end,
      startDateUtc: dates.startUtc,
      endDateUtc: dates.endUtc,
      duration,
    };
    const row = { ...columns, timezone: [...dates.timezone].slice(0, ZONE_CHARACTERS).join(''), hash: '' };
    const event = isNew ? null : await manager.findOneBy(TecEvent, { postId });
    if (event) await manager.update(TecEvent, event.id, row);
    const eventId = event?.id ?? (await insertRows(manager, TecEvent, { postId, ...row }));
    const occurrence = { ...columns, eventId, hash: occurrenceHash(postId, dates, duration) };
    const first = isNew
      ? null
      : await manager.findOne(TecOccurrence, { where: { postId }, order: { id: 'ASC' } });
    if (first) await manager.update(TecOccurrence, first.id, occurrence);
    else await insertRows(manager, TecOccurrence, { postId, ...occurrence });
  }

  /** Removes both rows of an event that is deleted for good. */
  async remove({ manager }: Transaction, postId: number): Promise<void> {
    await manager.delete(TecOccurrence, { postId });
    await manager.delete(TecEvent, { postId });
  }
}

/** sha1 of what an occurrence says, as the plugin makes it. */
export function occurrenceHash(
  postId: number,
  { start, end, startUtc, endUtc }: Pick<EventDates, 'start' | 'end' | 'startUtc' | 'endUtc'>,
  duration: number,
): string {
  return createHash('sha1').update([postId, start, end, startUtc, endUtc, duration].join(':')).digest('hex');
}
