import { dateOfKey } from '../recurrence/edit-recurrence.js';
import { dateLine, formatRecurrence } from '../recurrence/format-recurrence.js';
import type { RecurrenceSet } from '../recurrence/recurrence-set.js';
import type { CalendarEntry } from './calendar-entry.js';
import { contentLine, escapeText, fold } from './content-line.js';
import { eventLines } from './write-event.js';

/** Formats an event of a calendar file: a single one, a series, or what replaces a date of one. */
export function entryLines(entry: CalendarEntry): string {
  const { series, replaces } = entry;
  if (series) return seriesLines(entry, series);
  return replaces ? changedLines(entry, replaces.set, replaces.key) : eventLines(entry);
}

/**
 * Formats a series as one `VEVENT` with its rule and dates, and one for each changed date; all have the `UID` of the
 * series. Its zone has to be described as far as it goes.
 */
function seriesLines(entry: CalendarEntry, { set, changes }: NonNullable<CalendarEntry['series']>): string {
  // Readers take an EXDATE to exclude the changed date, too.
  const changed = new Set(changes.map(({ key }) => key));
  const excluded = set.excluded.filter(({ key = Number.NaN }) => !changed.has(key));
  const dates =
    formatRecurrence({ ...set, excluded })
      .map(fold)
      .join('') + storedZone(entry, set);
  return [
    eventLines(entry, { dates }),
    ...changes.map((one) => changedLines({ ...one.entry, uid: entry.uid }, set, one.key)),
  ].join('');
}

/** Formats what replaces one date of a series: a `VEVENT` with the `UID` of the series and `RECURRENCE-ID`. */
function changedLines(entry: CalendarEntry, set: RecurrenceSet, key: number): string {
  return eventLines(entry, { recurrenceId: fold(dateLine('RECURRENCE-ID', [dateOfKey(set, key)])) });
}

/** The stored zone where `DTSTART` is written in another one. */
function storedZone({ zone }: CalendarEntry, { start }: RecurrenceSet): string {
  return start.clock?.name === zone ? '' : contentLine('X-ALMANAC-TIMEZONE', escapeText(zone));
}
