import { zoneOfId } from '../ical/zone-names.js';
import { DAY, mod } from './calendar-days.js';
import { type PropertyLine, parseDate, parseDuration, parseProperty } from './parse-values.js';
import { RecurrenceError } from './recurrence-error.js';
import type {
  AddedDate,
  BoundRule,
  DateValue,
  Duration,
  ExcludedDate,
  Override,
  RecurrenceSet,
} from './recurrence-set.js';
import { parseRule, type Rule } from './rule.js';
import { UTC_CLOCK, type ZoneClock, type ZoneClocks, zoneClock } from './zone-clock.js';

/** The maximum of dates and rules of one event. */
const MAX_DATES = 10_000;
const MAX_RULES = 20;
/** The maximum of overrides that change the later dates, too. */
const MAX_RANGES = 50;

/** Options of parsing a recurrence. */
export interface ParseRecurrenceOptions {
  /** By default `namedZones()`. */
  zones?: ZoneClocks;
  /** The lines of the components that change single dates. */
  overrides?: readonly (readonly string[])[];
}

type Properties = { property: PropertyLine; line: string; index: number }[];

/** Reads one line: errors name it. */
function read<T>({ line, index }: Properties[number], work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof RecurrenceError) || error.line !== '') throw error;
    throw new RecurrenceError(error.fault, error.reason, line, index);
  }
}

/**
 * Parses the content lines of an event: `DTSTART`, `DTEND` or `DURATION`, `RRULE`, `RDATE`, `EXRULE`, `EXDATE`, unfolded;
 * other lines are ignored. Throws `RecurrenceError`, which names the line.
 */
export function parseRecurrence(
  lines: readonly string[],
  options: ParseRecurrenceOptions = {},
): RecurrenceSet {
  const { zones = namedZones(), overrides = [] } = options;
  const properties = propertiesOf(lines);
  const [begin] = properties.filter(({ property }) => property.name === 'DTSTART');
  if (!begin) throw new RecurrenceError('invalid', 'DTSTART is missing');
  const start = read(begin, () => dateOf(begin.property, zones));
  const clock = start.clock ?? zones.local;
  const base: RecurrenceSet = {
    start,
    startKey: keyOf(start, { isAllDay: start.isDay, clock }),
    isAllDay: start.isDay,
    clock,
    ...durationOf(properties, start, zones, clock),
    rules: [],
    exclusionRules: [],
    added: [],
    excluded: [],
    overrides: [],
  };
  const set = {
    ...base,
    rules: rulesOf(properties, 'RRULE', base, zones),
    exclusionRules: rulesOf(properties, 'EXRULE', base, zones),
    added: datesOf(properties, 'RDATE', (text, id) => addedDate(text, id, base, zones)),
    excluded: datesOf(properties, 'EXDATE', (text, id) => excludedDate(parseDate(text, zones, id), base)),
  };
  return withOverrides(
    set,
    overrides.map((one) => parseOverride(one, set, zones)),
  );
}

/** The set with the given overrides in place of its own; throws `RecurrenceError` for too many. */
export function withOverrides(set: RecurrenceSet, overrides: readonly Override[]): RecurrenceSet {
  if (overrides.length > MAX_DATES || overrides.filter(({ isRange }) => isRange).length > MAX_RANGES)
    throw new RecurrenceError('too_much', 'more of its dates are changed than are supported');
  return { ...set, overrides };
}

/** The clocks of names as calendar files have them; times without a zone are those of `local`. */
export function namedZones(local: ZoneClock = UTC_CLOCK): ZoneClocks {
  return {
    local,
    find: (id) => {
      const name = zoneOfId(id);
      return name === undefined ? undefined : zoneClock(name);
    },
  };
}

/** The clocks of a series: that of its event for times without a zone. */
export const clocksOf = (timezone: string): ZoneClocks => namedZones(zoneClock(timezone));

const DATE_LINE = /^(?:DTSTART|DTEND|DURATION|RRULE|EXRULE|RDATE|EXDATE|RECURRENCE-ID|STATUS)[;:]/i;

/** Whether a content line is one of those that determine the dates of an event. */
export const isDateLine = (line: string): boolean => DATE_LINE.test(line);

/** Whether a content line says when the first date of an event begins or ends. */
export const isStartLine = (line: string): boolean => /^(?:DTSTART|DTEND|DURATION)[;:]/i.test(line);

/** Whether content lines hold a rule or a further date. */
export const isRecurrence = (lines: readonly string[]): boolean =>
  lines.some((line) => /^(?:RRULE|RDATE)[;:]/i.test(line));

function propertiesOf(lines: readonly string[]): Properties {
  return lines.flatMap((line, index) => {
    const property = isDateLine(line) ? parseProperty(line) : undefined;
    return property && property.value !== '' ? [{ property, line, index }] : [];
  });
}

function dateOf({ value, parameters }: PropertyLine, zones: ZoneClocks): DateValue {
  return parseDate(value, zones, parameters.get('TZID'));
}

/** The key of a date in a series; a time without a zone is one of the series. */
function keyOf(value: DateValue, { isAllDay, clock }: Pick<RecurrenceSet, 'isAllDay' | 'clock'>): number {
  return isAllDay ? dayIn(value, clock) * DAY : (value.clock ?? clock).toEpoch(value.wall);
}

/** The day of a date on the clock of a series: as written for a day and for midnight in any zone. */
function dayIn(value: DateValue, clock: ZoneClock): number {
  const { isDay, wall, clock: own } = value;
  return Math.floor((isDay || !own || wall % DAY === 0 ? wall : clock.toWall(own.toEpoch(wall))) / DAY);
}

function durationOf(properties: Properties, start: DateValue, zones: ZoneClocks, clock: ZoneClock) {
  const end = properties.find(({ property }) => property.name === 'DTEND');
  const given = properties.find(({ property }) => property.name === 'DURATION');
  const without: Duration = start.isDay ? { days: 1, seconds: 0 } : { days: 0, seconds: 0 };
  if (end)
    return { hasEnd: true, duration: read(end, () => between(start, dateOf(end.property, zones), clock)) };
  if (!given) return { hasEnd: false, duration: without };
  const duration = read(given, () => parseDuration(given.property.value));
  return { hasEnd: false, duration: start.isDay ? wholeDays(duration) : duration };
}

/** A whole day lasts at least one day. */
function wholeDays({ days, seconds }: Duration): Duration {
  return { days: Math.max(1, days + Math.ceil(seconds / DAY)), seconds: 0 };
}

/** The duration up to an end: days of whole days, else exact. */
function between(start: DateValue, end: DateValue, clock: ZoneClock): Duration {
  if (start.isDay !== end.isDay)
    throw new RecurrenceError('invalid', `DTSTART is a ${start.isDay ? 'day' : 'time'}, the end is none`);
  const seconds = start.isDay
    ? end.wall - start.wall
    : (end.clock ?? clock).toEpoch(end.wall) - (start.clock ?? clock).toEpoch(start.wall);
  if (seconds < 0) throw new RecurrenceError('invalid', 'the end is before the start');
  return start.isDay ? wholeDays({ days: 0, seconds }) : { days: 0, seconds };
}

function rulesOf(
  properties: Properties,
  name: 'RRULE' | 'EXRULE',
  set: RecurrenceSet,
  zones: ZoneClocks,
): BoundRule[] {
  const found = properties.filter(({ property }) => property.name === name);
  if (found.length > MAX_RULES) throw new RecurrenceError('too_much', `more than ${MAX_RULES} ${name}`);
  return found.map((one) => read(one, () => boundRule(one.property.value, set, zones)));
}

/** Parses a rule for a series. */
export function boundRule(
  text: string,
  set: Pick<RecurrenceSet, 'isAllDay' | 'clock'>,
  zones: ZoneClocks = namedZones(),
): BoundRule {
  const parsed = parseRule(text);
  const { isAllDay, clock } = set;
  if (isAllDay && ['HOURLY', 'MINUTELY', 'SECONDLY'].includes(parsed.freq))
    throw new RecurrenceError('invalid', `FREQ=${parsed.freq} is not allowed where DTSTART is a day`);
  const rule = isAllDay ? withoutTimes(parsed) : parsed;
  if (rule.until === undefined) return { rule, until: Number.POSITIVE_INFINITY };
  const until = parseDate(rule.until, zones);
  // A day includes all times of it.
  const isDayOnly = until.isDay && !isAllDay;
  return { rule, until: isDayOnly ? clock.toEpoch(until.wall + DAY) - 1 : keyOf(until, set) };
}

/** Whole days have no times: the parts must be ignored (RFC 5545, 3.3.10). */
function withoutTimes(rule: Rule): Rule {
  const days = { ...rule };
  delete days.byHour;
  delete days.byMinute;
  delete days.bySecond;
  return days;
}

function datesOf<T>(properties: Properties, name: string, parse: (text: string, id?: string) => T): T[] {
  const found: T[] = [];
  for (const one of properties) {
    if (one.property.name !== name) continue;
    for (const text of one.property.value.split(',')) {
      if (text.trim() === '') continue;
      found.push(read(one, () => parse(text, one.property.parameters.get('TZID'))));
      if (found.length > MAX_DATES)
        throw new RecurrenceError('too_much', `more than ${MAX_DATES} dates`, one.line, one.index);
    }
  }
  return found;
}

function addedDate(text: string, id: string | undefined, set: RecurrenceSet, zones: ZoneClocks): AddedDate {
  const [begin = '', end] = text.split('/');
  const written = parseDate(begin, zones, id);
  // A day in a series of times has the time of its start.
  const value: DateValue =
    written.isDay && !set.isAllDay
      ? { isDay: false, wall: written.wall + mod(set.start.wall, DAY), clock: set.clock }
      : written;
  const key = keyOf(value, set);
  if (end === undefined) return { value, key };
  const duration = /^[+-]?P/i.test(end.trim())
    ? parseDuration(end)
    : between(value, parseDate(end, zones, id), set.clock);
  return { value, key, duration: set.isAllDay ? wholeDays(duration) : duration };
}

function excludedDate(value: DateValue, set: RecurrenceSet): ExcludedDate {
  return value.isDay && !set.isAllDay
    ? { value, day: Math.floor(value.wall / DAY) }
    : { value, key: keyOf(value, set) };
}

/** Parses the lines of a component with `RECURRENCE-ID`; throws `RecurrenceError`. */
export function parseOverride(
  lines: readonly string[],
  set: RecurrenceSet,
  zones: ZoneClocks = namedZones(),
): Override {
  const properties = propertiesOf(lines);
  const value = (name: string) => properties.find(({ property }) => property.name === name);
  const id = value('RECURRENCE-ID');
  if (!id) throw new RecurrenceError('invalid', 'RECURRENCE-ID is missing');
  const written = read(id, () => dateOf(id.property, zones));
  const excluded = excludedDate(written, set);
  // A day in a series of times means the one at the time of its start.
  const key = excluded.key ?? set.clock.toEpoch(written.wall + mod(set.start.wall, DAY));
  const original = set.isAllDay ? key : set.clock.toWall(key);
  const common = {
    id: { ...excluded, key },
    isRange: id.property.parameters.get('RANGE')?.toUpperCase() === 'THISANDFUTURE',
    isCancelled: value('STATUS')?.property.value.toUpperCase() === 'CANCELLED',
  };
  const begin = value('DTSTART');
  if (!begin)
    return {
      ...common,
      start: original,
      startUtc: set.isAllDay ? set.clock.toEpoch(original) : key,
      duration: set.duration,
    };
  const start = read(begin, () => dateOf(begin.property, zones));
  const clock = start.clock ?? set.clock;
  const startUtc = clock.toEpoch(start.wall);
  return {
    ...common,
    start: set.isAllDay && start.isDay ? start.wall : set.clock.toWall(startUtc),
    startUtc,
    duration: durationOf(properties, start, zones, clock).duration,
  };
}
