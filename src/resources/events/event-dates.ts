import { storedAbbreviation } from '../../lib/wordpress-text/dates/abbreviation.js';
import { buildDateObject } from '../../lib/wordpress-text/dates/build-date-object.js';
import { toStoredUtc } from '../../lib/wordpress-text/dates/convert.js';
import { beginningOfDay, endOfDay } from '../../lib/wordpress-text/dates/day-bounds.js';
import { formatWallClock, secondsBetween } from '../../lib/wordpress-text/dates/wall-clock.js';

/** When an event takes place: wall clocks of its own zone and of UTC, `YYYY-MM-DD HH:MM:SS`. */
export interface EventDates {
  start: string;
  end: string;
  startUtc: string;
  endUtc: string;
  /** As stored: an IANA name, an abbreviation or an offset. */
  timezone: string;
  abbreviation: string;
  allDay: boolean;
  /** Seconds between the UTC values. */
  duration: number;
}

/** What a request says of an event's dates; undefined is not sent. */
export interface DatesInput {
  start_date?: string;
  end_date?: string;
  /** '' is the site's zone. */
  timezone?: string;
  all_day?: boolean;
}

/** What is stored of an event's dates. */
export type StoredDates = Pick<EventDates, 'start' | 'end' | 'timezone' | 'allDay'>;

/** The site's part in it. */
export interface DatesSite {
  zone: string;
  /** `HH:MM` at which a calendar day ends. */
  cutoff: string;
  /** Epoch seconds, for relative dates. */
  now: number;
}

/** Whether a request says anything of the dates. */
export function saysDates(wish: DatesInput): boolean {
  return [wish.start_date, wish.end_date, wish.timezone, wish.all_day].some((value) => value !== undefined);
}

/**
 * The dates that follow from a request and from what is stored (W2): wall clocks stay, everything else is computed
 * anew. The name of the parameter at fault when the end lies before the start (W3) or a date can not be stored.
 */
export function eventDates(
  wish: DatesInput,
  stored: StoredDates | undefined,
  site: DatesSite,
): EventDates | 'start_date' | 'end_date' {
  const timezone = (wish.timezone ?? stored?.timezone) || site.zone;
  const allDay = wish.all_day ?? stored?.allDay ?? false;
  // A stored end of an all-day event is its last second already; taking its day anew could add one.
  const snapsStored = allDay && !stored?.allDay;
  const sentStart = wall(wish.start_date, timezone, site.now);
  const sentEnd = wall(wish.end_date, timezone, site.now);
  if (sentStart === null) return 'start_date';
  if (sentEnd === null) return 'end_date';
  let start = sentStart ?? stored?.start ?? '';
  let end = sentEnd ?? (stored?.end || start);
  // What can not be read has no day that could be taken whole.
  if (!isStorable(start)) return 'start_date';
  if (!isStorable(end)) return 'end_date';
  if (allDay && (sentStart !== undefined || snapsStored))
    start = beginningOfDay(start, site.cutoff, site.now);
  if (allDay && (sentEnd !== undefined || snapsStored)) end = lastSecond(end, site);
  const startUtc = toStoredUtc(start, timezone);
  const endUtc = toStoredUtc(end, timezone);
  if (!isStorable(startUtc)) return 'start_date';
  if (!isStorable(end) || !isStorable(endUtc) || end < start || endUtc < startUtc) return 'end_date';
  const duration = secondsBetween(startUtc, endUtc);
  const abbreviation = storedAbbreviation(start, timezone);
  return { start, end, startUtc, endUtc, timezone, abbreviation, allDay, duration };
}

/** The last second of the day that an end names; what is such a second, as answers have it, is its own. */
function lastSecond(end: string, { cutoff, now }: DatesSite): string {
  const last = endOfDay(end, cutoff, now);
  return last.slice(10) === end.slice(10) ? end : last;
}

/** Whether a DATETIME column can hold it: years 0001 to 9999. */
export function isStorable(date: string): boolean {
  return /^(?!0000)\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(date);
}

/** The wall clock that a text means in a zone; an offset in the text is dropped (W17). Null: not readable. */
function wall(text: string | undefined, timezone: string, now: number): string | null | undefined {
  if (text === undefined) return undefined;
  const parsed = buildDateObject(text, timezone, now);
  return parsed ? formatWallClock(parsed.wall) : null;
}
