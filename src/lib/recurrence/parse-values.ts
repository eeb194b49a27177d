import { daysFromCivil } from '../wordpress-text/dates/wall-clock.js';
import { DAY, monthOf } from './calendar-days.js';
import { RecurrenceError } from './recurrence-error.js';
import type { DateValue, Duration } from './recurrence-set.js';
import { UTC_CLOCK, type ZoneClocks } from './zone-clock.js';

/** A content line of RFC 5545 whose value contains no colon. */
export interface PropertyLine {
  /** In capitals. */
  name: string;
  /** Values without quotes, by names in capitals. */
  parameters: ReadonlyMap<string, string>;
  value: string;
}

/** Parses a content line; undefined for one without a value. */
export function parseProperty(line: string): PropertyLine | undefined {
  const colon = line.lastIndexOf(':');
  if (colon < 0) return undefined;
  const head = line.slice(0, colon);
  const parameters = [...head.matchAll(PARAMETER)].map(([, name = '', text = '']): [string, string] => [
    name.trim().toUpperCase(),
    text.trim().replace(/^"|"$/g, ''),
  ]);
  return {
    name: head.split(';', 1)[0]?.trim().toUpperCase() ?? '',
    parameters: new Map(parameters),
    value: line.slice(colon + 1).trim(),
  };
}

/** A parameter; between quotes a semicolon belongs to its value. */
const PARAMETER = /;([^=;"]*)=((?:"[^"]*"|[^";])*)/g;

const DATE = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z)?)?$/;

/** Parses a `DATE` or `DATE-TIME` in the zone of its `TZID`; throws `RecurrenceError`. */
export function parseDate(text: string, zones: ZoneClocks, id?: string): DateValue {
  const value = text.trim().toUpperCase();
  const [, year, month, date, hour, minute = 0, second = 0, utc] = DATE.exec(value) ?? [];
  const day = daysFromCivil(Number(year), Number(month), Number(date));
  const found = monthOf(day);
  const isDate = found.month === Number(month) && found.year === Number(year) && Number(year) > 0;
  if (!isDate || Number(hour ?? 0) > 23 || Number(minute) > 59 || Number(second) > 60)
    throw new RecurrenceError('invalid', `"${value}" is no date`);
  if (hour === undefined) return { isDay: true, wall: day * DAY };
  const time = Number(hour) * 3600 + Number(minute) * 60 + Math.min(Number(second), 59);
  const wall = day * DAY + time;
  if (utc) return { isDay: false, wall, clock: UTC_CLOCK };
  if (!id) return { isDay: false, wall };
  const clock = zones.find(id);
  if (!clock) throw new RecurrenceError('invalid', `the time zone "${id.slice(0, 80)}" is unknown`);
  return { isDay: false, wall, clock };
}

const DURATION = /^\+?P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;
/** The maximum in days: the time up to the year 9999. */
const MAX_DAYS = 9999 * 366;

/** Parses a `DURATION`; throws `RecurrenceError`, also for a negative one. */
export function parseDuration(text: string): Duration {
  const match = DURATION.exec(text.trim().toUpperCase());
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] =
    match?.slice(1).map((part) => Number(part ?? 0)) ?? [];
  const duration = { days: weeks * 7 + days, seconds: (hours * 60 + minutes) * 60 + seconds };
  if (!match || /[PT]$/i.test(text.trim()) || !(duration.days + duration.seconds / DAY <= MAX_DAYS))
    throw new RecurrenceError('invalid', `"${text}" is no duration`);
  return duration;
}
