import { RestException } from '../../../common/errors/rest-exception.js';
import type { Environment } from '../../../config/env.js';
import { isPlace, zoneOfId } from '../../../lib/ical/zone-names.js';
import { DAY } from '../../../lib/recurrence/calendar-days.js';
import { moveRecurrence } from '../../../lib/recurrence/move-recurrence.js';
import { checkFrequency, eachOccurrence, type Occurrence } from '../../../lib/recurrence/occurrences.js';
import { clocksOf, parseRecurrence } from '../../../lib/recurrence/parse-recurrence.js';
import { RecurrenceError } from '../../../lib/recurrence/recurrence-error.js';
import type { RecurrenceSet } from '../../../lib/recurrence/recurrence-set.js';
import { storedAbbreviation } from '../../../lib/wordpress-text/dates/abbreviation.js';
import {
  compactDate,
  formatWallClock,
  parseWallClock,
  secondsBetween,
} from '../../../lib/wordpress-text/dates/wall-clock.js';
import { type EventDates, isStorable } from '../event-dates.js';

/** The maximum of stored dates of an event that are not over, and of all. */
export const MAX_UPCOMING = 2000;
const MAX_ALL = 10_000;

/** A row that `tec_occurrences` is to hold, computed from a rule. */
export interface WantedRow extends Pick<EventDates, 'start' | 'end' | 'startUtc' | 'endUtc' | 'duration'> {
  isRdate: boolean;
}

/** The bounds of stored dates, in epoch seconds. */
export interface Horizon {
  now: number;
  /** How far ahead of `now`, and of the start of a later series. */
  ahead: number;
}

/** How long before the last stored dates more are due, in seconds. */
export const WEEK = 7 * DAY;
/** Days of a month, on the average. */
const MONTH_DAYS = 30.44;

/** Dates of a series that are not stored yet; in epoch seconds. */
export interface LaterDates {
  dueAt: number;
  /** Up to when dates are stored. */
  until: number;
}

/** How far ahead dates are stored, in seconds. */
export const aheadSeconds = ({ recurrenceMonths }: Pick<Environment, 'recurrenceMonths'>): number =>
  Math.round(recurrenceMonths * MONTH_DAYS * DAY);

/** `DTSTART` and the end of an event with these dates, in the form that its series is stored in. */
export function startLines({ written, timezone, allDay, duration, ...dates }: EventDates): string[] {
  const { start, end } = written ?? dates;
  const day = compactDate(start).slice(0, 8);
  if (allDay) return [`DTSTART;VALUE=DATE:${day}`, `DURATION:P${daysOf(start, end)}D`];
  const seconds = written ? secondsBetween(start, end) : duration;
  return [`DTSTART${zoneParameter(timezone)}:${compactDate(start)}`, `DURATION:PT${seconds}S`];
}

/** The zone of a time; none for zones that other programs do not know by this name. */
const zoneParameter = (timezone: string): string =>
  isPlace(timezone) && zoneOfId(timezone) === timezone ? `;TZID=${timezone}` : '';

function daysOf(start: string, end: string): number {
  const seconds = (parseWallClock(end) ?? 0) - (parseWallClock(start) ?? 0);
  return Math.max(1, Math.ceil((seconds + 1) / DAY));
}

/** Parses the lines of a series; without `DTSTART` it begins with the event. */
export function parseSeries(lines: readonly string[], dates: EventDates): RecurrenceSet {
  const hasStart = lines.some((line) => /^DTSTART[;:]/i.test(line));
  const set = parseRecurrence(hasStart ? lines : [...startLines(dates), ...lines], {
    zones: clocksOf(dates.timezone),
  });
  checkFrequency(set);
  return set;
}

/** The lines of a series whose event moves to other dates. */
export function moveSeries(set: RecurrenceSet, from: EventDates, { written, ...to }: EventDates): string[] {
  const wallOf = (text: string) => parseWallClock(text) ?? 0;
  const { start, end } = written ?? to;
  const length = secondsBetween(start, end);
  const duration = written ? length : to.duration;
  return moveRecurrence(set, wallOf(from.start), wallOf(start), (wall) => {
    const first = { ...to, duration, start: formatWallClock(wall), end: formatWallClock(wall + length) };
    return parseSeries(startLines(first), to);
  });
}

/** The key of a stored date in its series. */
export function keyOf(
  set: RecurrenceSet,
  { start, startUtc }: Pick<WantedRow, 'start' | 'startUtc'>,
): number {
  return set.isAllDay
    ? Math.floor((parseWallClock(start) ?? 0) / DAY) * DAY
    : (parseWallClock(startUtc) ?? 0);
}

/** The dates of a series to store, and whether there are later ones; throws `RecurrenceError`. */
export function expandSeries(
  set: RecurrenceSet,
  dates: EventDates,
  { now, ahead }: Horizon,
): { rows: WantedRow[]; later?: LaterDates } {
  const start = set.isAllDay ? set.clock.toEpoch(set.startKey) : set.startKey;
  const horizon = Math.max(now, start) + ahead;
  const rows: WantedRow[] = [];
  let upcoming = 0;
  for (const one of eachOccurrence(set, { until: horizon + 1 })) {
    if (rows.length >= MAX_ALL)
      throw new RecurrenceError('too_much', `more than ${MAX_ALL} of its dates are stored`);
    rows.push(rowOf(set, one, dates));
    if (one.endUtc > now) upcoming += 1;
    if (upcoming >= MAX_UPCOMING) return { rows, later: { dueAt: now + DAY, until: one.startUtc } };
  }
  return hasMore(set, horizon)
    ? { rows, later: { dueAt: horizon - ahead + WEEK, until: horizon } }
    : { rows };
}

/** Whether lines give several dates up to a time in UTC; also if they are not readable. */
export function hasSeveralDates(lines: readonly string[], dates: EventDates, utc?: string): boolean {
  const until = (utc && parseWallClock(utc)) || Number.POSITIVE_INFINITY;
  const hasSeveral = ifUsable(() => {
    const found = eachOccurrence(parseSeries(lines, dates), { until });
    return !found.next().done && !found.next().done;
  });
  return hasSeveral ?? true;
}

/** The result of work on a stored rule; undefined where the rule cannot be used. */
export function ifUsable<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof RecurrenceError || error instanceof RestException) return undefined;
    throw error;
  }
}

/** The first date of a series; undefined without any. */
export function firstRow(set: RecurrenceSet, dates: EventDates): WantedRow | undefined {
  const [first] = eachOccurrence(set);
  return first && rowOf(set, first, dates);
}

function hasMore(set: RecurrenceSet, horizon: number): boolean {
  if (set.rules.every(({ until }) => until <= horizon) && set.added.every(({ key }) => key <= horizon))
    return false;
  return ifUsable(() => !eachOccurrence(set, { from: horizon + 1 }).next().done) ?? true;
}

function rowOf(set: RecurrenceSet, one: Occurrence, dates: EventDates): WantedRow {
  const { start, end, startUtc, endUtc } = set.isAllDay ? wholeDaysOf(set, one, dates) : one;
  const row = {
    start: formatWallClock(start),
    end: formatWallClock(end),
    startUtc: formatWallClock(startUtc),
    endUtc: formatWallClock(endUtc),
    duration: endUtc - startUtc,
    isRdate: one.isRdate,
  };
  if (![row.start, row.end, row.startUtc, row.endUtc].every(isStorable))
    throw new RecurrenceError('unsupported', 'it has a date after the year 9999');
  return row;
}

/** A date of whole days has the times of day of its event, which follow the site's end of the day. */
function wholeDaysOf({ clock }: RecurrenceSet, one: Occurrence, dates: EventDates) {
  const wallOf = (text: string) => parseWallClock(text) ?? 0;
  const own = one.end - one.start - daysOf(dates.start, dates.end) * DAY;
  const shift = one.start - Math.floor(wallOf(dates.start) / DAY) * DAY;
  const [start, end] = [wallOf(dates.start) + shift, wallOf(dates.end) + shift + own];
  return { start, end, startUtc: clock.toEpoch(start), endUtc: clock.toEpoch(end) };
}

/** The dates of an event that takes place on one date of a series. */
export function datesAt(row: Omit<WantedRow, 'isRdate'>, { timezone, allDay }: EventDates): EventDates {
  const { start, end, startUtc, endUtc, duration } = row;
  const abbreviation = storedAbbreviation(start, timezone);
  return { start, end, startUtc, endUtc, duration, timezone, allDay, abbreviation };
}
