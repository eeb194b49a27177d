import { eachOccurrence, type OccurrenceOptions } from '../../src/lib/recurrence/occurrences.js';
import { type ParseRecurrenceOptions, parseRecurrence } from '../../src/lib/recurrence/parse-recurrence.js';
import { formatWallClock } from '../../src/lib/wordpress-text/dates/wall-clock.js';

/** Seconds as `20270301T180000`. */
export function compact(seconds: number): string {
  return formatWallClock(seconds).replace(/[-:]/g, '').replace(' ', 'T');
}

/** The first starts of a recurrence on its clock, compact; with an end as `start/end`. */
export function datesOf(
  lines: readonly string[],
  limit: number,
  { withEnd = false, ...options }: ParseRecurrenceOptions & OccurrenceOptions & { withEnd?: boolean } = {},
): string[] {
  const found: string[] = [];
  for (const { start, end } of eachOccurrence(parseRecurrence(lines, options), options)) {
    if (found.length === limit) break;
    found.push(withEnd ? `${compact(start)}/${compact(end)}` : compact(start));
  }
  return found;
}
