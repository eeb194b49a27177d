import { storedAbbreviation } from '../../lib/wordpress-text/dates/abbreviation.js';
import { beginningOfDay, endOfDay, toStoredUtc } from '../../lib/wordpress-text/dates/convert.js';
import { buildDateObject } from '../../lib/wordpress-text/dates/strtotime.js';
import { formatWallClock, secondsBetween } from '../../lib/wordpress-text/dates/wall-clock.js';

/** The dates of an event as wall clocks of its zone and of UTC, `YYYY-MM-DD HH:MM:SS`. */
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
  /** The wall clocks as sent where the zone skips the start: rules repeat these. */
  written?: Pick<EventDates, 'start' | 'end'>;
}

/** Date input of a request; undefined was not sent. */
export interface DatesInput {
  start_date?: string;
  end_date?: string;
  /** '' selects the site's zone. */
  timezone?: string;
  all_day?: boolean;
}

/** The parameters that set dates. */
export const DATE_PARAMETERS = ['start_date', 'end_date', 'timezone', 'all_day'] as const;

/** The stored dates of an event. */
export type StoredDates = Pick<EventDates, 'start' | 'end' | 'timezone' | 'allDay'>;

/** The site's zone, day cutoff and present. */
interface SiteClock {
  zone: string;
  /** `HH:MM` at which a calendar day ends. */
  cutoff: string;
  /** Epoch seconds, for relative dates. */
  now: number;
}

/** Whether a request sets any date. */
export function hasDateInput(input: DatesInput): boolean {
  return DATE_PARAMETERS.some((name) => input[name] !== undefined);
}

/**
 * Computes the dates from the input and the stored dates (W2): wall clocks stay, everything else is recomputed. Returns
 * the invalid parameter's name if the end precedes the start (W3) or a date cannot be stored.
 */
export function eventDates(
  input: DatesInput,
  stored: StoredDates | undefined,
  site: SiteClock,
): EventDates | 'start_date' | 'end_date' {
  const timezone = (input.timezone ?? stored?.timezone) || site.zone;
  const allDay = input.all_day ?? stored?.allDay ?? false;
  // The stored end of an all-day event is a last second already; snapping it again could add a day.
  const snapsStored = allDay && !stored?.allDay;
  const sentStart = parseWall(input.start_date, timezone, site.now);
  const sentEnd = parseWall(input.end_date, timezone, site.now);
  if (sentStart === null) return 'start_date';
  if (sentEnd === null) return 'end_date';
  let start = sentStart?.wall ?? stored?.start ?? '';
  let end = sentEnd?.wall ?? (stored?.end || start);
  // An unreadable date has no day bounds.
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
  const dates = { start, end, startUtc, endUtc, timezone, abbreviation, allDay, duration };
  if (allDay || !sentStart || sentStart.written === sentStart.wall) return dates;
  return { ...dates, written: { start: sentStart.written, end: sentEnd?.written ?? end } };
}

/** The last second of the end's day; an end that is a last second already stays. */
function lastSecond(end: string, { cutoff, now }: SiteClock): string {
  const last = endOfDay(end, cutoff, now);
  return last.slice(10) === end.slice(10) ? end : last;
}

/** Whether a DATETIME column can hold it: years 0001 to 9999. */
export function isStorable(date: string): boolean {
  return /^(?!0000)\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(date);
}

/** Parses a text to a wall clock of the zone, also before a gap moves it, without its offset (W17); null if unreadable. */
function parseWall(text: string | undefined, timezone: string, now: number) {
  if (text === undefined) return undefined;
  const parsed = buildDateObject(text, timezone, now);
  return parsed ? { wall: formatWallClock(parsed.wall), written: formatWallClock(parsed.written) } : null;
}
