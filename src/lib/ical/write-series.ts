import { dateOfKey } from '../recurrence/edit-recurrence.js';
import { dateLine, formatRecurrence } from '../recurrence/format-recurrence.js';
import type { RecurrenceSet } from '../recurrence/recurrence-set.js';
import type { CalendarEntry } from './calendar-entry.js';
import { contentLine, escapeText, fold } from './content-line.js';
import { eventLines } from './write-event.js';

/** A date of a series that differs from the others. */
export interface SeriesChange {
  /** The original start, see `RecurrenceSet`. */
  key: number;
  /** The event of that date, with its own dates. */
  entry: CalendarEntry;
}

/** Options of writing a series. */
export interface SeriesOptions {
  /** `SEQUENCE`, which grows with each change. */
  sequence?: number;
}

/**
 * Formats a series as one `VEVENT` with its rules and dates, and one for each changed date; all have the `UID` of the
 * series. Its zone has to be described as far as it goes.
 */
export function seriesLines(
  entry: CalendarEntry,
  set: RecurrenceSet,
  changes: readonly SeriesChange[] = [],
  options: SeriesOptions = {},
): string {
  const dates = formatRecurrence(set).map(fold).join('') + storedZone(entry, set);
  return [
    eventLines(entry, { ...options, dates }),
    ...changes.map((one) => changedLines({ ...one.entry, uid: entry.uid }, set, one.key, options)),
  ].join('');
}

/** Formats one date of a series whose rule is unknown: a `VEVENT` with the `UID` of the series and `RECURRENCE-ID`. */
export function changedLines(
  entry: CalendarEntry,
  set: RecurrenceSet,
  key: number,
  options: SeriesOptions = {},
): string {
  const recurrenceId = fold(dateLine('RECURRENCE-ID', [dateOfKey(set, key)]));
  return eventLines(entry, { ...options, recurrenceId });
}

/** The stored zone where `DTSTART` is written in another one. */
function storedZone({ zone }: CalendarEntry, { start }: RecurrenceSet): string {
  return start.clock?.name === zone ? '' : contentLine('X-ALMANAC-TIMEZONE', escapeText(zone));
}
