import { invalidParameters } from '../../common/errors/rest-exception.js';
import type { WriteContext } from '../../http/request-context.js';
import { formatWallClock, parseWallClock } from '../../lib/wordpress-text/dates/wall-clock.js';
import { isTruthyWord } from '../../lib/wordpress-text/formatting/truthy-word.js';
import { firstMeta, type PostRecord } from '../../wordpress/posts/post-record.js';
import { type DatesInput, type EventDates, eventDates, type StoredDates } from './event-dates.js';

/** The dates of a write; throws 400 for an invalid one. */
export function datesOf(
  fields: DatesInput,
  stored: StoredDates | undefined,
  { settings, now }: Pick<WriteContext, 'settings' | 'now'>,
): EventDates {
  const { zone, dayCutoff } = settings;
  const dates = eventDates(fields, stored, { zone, cutoff: dayCutoff, now: Math.floor(now / 1000) });
  if (typeof dates !== 'string') return dates;
  const message =
    dates === 'end_date'
      ? 'end_date must be a date that is not before the start.'
      : `${dates} is out of range.`;
  throw invalidParameters([{ name: dates, message }]);
}

/** The dates in an event's meta; undefined without a start. */
export function storedDates(event: Pick<PostRecord, 'meta'>): StoredDates | undefined {
  const start = firstMeta(event, '_EventStartDate');
  if (start === undefined) return undefined;
  return {
    start: asWritten(start),
    end: asWritten(firstMeta(event, '_EventEndDate') ?? ''),
    timezone: firstMeta(event, '_EventTimezone') ?? '',
    allDay: isTruthyWord(firstMeta(event, '_EventAllDay') ?? false),
  };
}

/** Normalizes a stored date: other programs omit the seconds, or the time of whole days. */
function asWritten(date: string): string {
  const seconds = parseWallClock(date);
  return seconds === undefined ? date : formatWallClock(seconds);
}
