import { DAY } from '../recurrence/calendar-days.js';
import { formatDate, formatRecurrence } from '../recurrence/format-recurrence.js';
import { eachOccurrence, type Occurrence } from '../recurrence/occurrences.js';
import { boundRule, namedZones, parseRecurrence } from '../recurrence/parse-recurrence.js';
import type { BoundRule, DateValue, Duration, RecurrenceSet } from '../recurrence/recurrence-set.js';
import { formatRule } from '../recurrence/rule.js';
import { UTC_CLOCK, zoneClock } from '../recurrence/zone-clock.js';
import { isPlace, zoneOfId } from './zone-names.js';

/**
 * The lines of a series of a file for an event in a zone of the calendar: `EXDATE` in place of each changed date.
 * Undefined where its rules yield other dates there than `dates`, the first ones in the file, or all of them.
 */
export function rulesInZone(
  set: RecurrenceSet,
  zone: string,
  dates: readonly Occurrence[],
  isComplete: boolean,
): string[] | undefined {
  const zones = namedZones(zoneClock(zone));
  const { dateAt } = zoneDates(set, zone);
  const excluded = new Map<string, DateValue>();
  for (const { key, day, value } of [...set.excluded, ...set.overrides.map(({ id }) => id)]) {
    const own = day === undefined ? dateAt(key ?? 0, value.wall) : { isDay: true, wall: day * DAY };
    excluded.set(formatDate(own), own);
  }
  const rule = (one: BoundRule) =>
    boundRule(formatRule({ ...one.rule, ...untilOf(one) }), { ...set, clock: zones.local }, zones);
  const lines = formatRecurrence({
    ...set,
    clock: zones.local,
    start: dateAt(set.startKey, set.start.wall),
    rules: set.rules.map(rule),
    exclusionRules: set.exclusionRules.map(rule),
    added: set.added.map((one) => ({ ...one, value: dateAt(one.key, one.value.wall) })),
    excluded: [...excluded.values()].map((value) => ({ value })),
    overrides: [],
  });
  return hasSameDates(parseRecurrence(lines, { zones }), dates, isComplete) ? lines : undefined;
}

/** The lines of a series that takes place on these dates only, for an event in a zone of the calendar. */
export function datesInZone(set: RecurrenceSet, zone: string, dates: readonly Occurrence[]): string[] {
  const { dateAt, lengthOf } = zoneDates(set, zone);
  const [first, ...others] = dates;
  if (!first) return [];
  const keyOf = ({ start, startUtc }: Occurrence) => (set.isAllDay ? start : startUtc);
  const length = lengthOf(first);
  const isUsual = ({ days, seconds }: Duration) => days === length.days && seconds === length.seconds;
  return formatRecurrence({
    ...set,
    clock: zoneClock(zone),
    start: dateAt(keyOf(first), first.start),
    startKey: keyOf(first),
    duration: length,
    hasEnd: false,
    rules: [],
    exclusionRules: [],
    added: others.map((one) => {
      const duration = lengthOf(one);
      const added = { key: keyOf(one), value: dateAt(keyOf(one), one.start) };
      return isUsual(duration) ? added : { ...added, duration };
    }),
    excluded: [],
    overrides: [],
  });
}

/** A date of a series as an `EXDATE` line. */
export function exclusionOf({ isAllDay }: RecurrenceSet, { recurrenceId }: Occurrence): string {
  const date = { isDay: isAllDay, wall: recurrenceId, clock: UTC_CLOCK };
  return `EXDATE${isAllDay ? ';VALUE=DATE' : ''}:${formatDate(date)}`;
}

/** How dates of a series are written on the clock of another zone. */
function zoneDates({ isAllDay }: RecurrenceSet, zone: string) {
  const clock = zoneClock(zone);
  // Other programs know a zone by its IANA name only.
  const named = isPlace(zone) && zoneOfId(zone) === zone ? { clock } : {};
  return {
    /** `wall` is as written: a rule goes on from a time that its zone skips. */
    dateAt: (key: number, wall: number): DateValue => {
      if (isAllDay) return { isDay: true, wall: key };
      const own = [wall, clock.toWall(key)].find((one) => clock.toEpoch(one) === key);
      return own === undefined
        ? { isDay: false, wall: key, clock: UTC_CLOCK }
        : { isDay: false, wall: own, ...named };
    },
    lengthOf: ({ start, end, startUtc, endUtc }: Occurrence): Duration =>
      isAllDay ? { days: (end - start) / DAY, seconds: 0 } : { days: 0, seconds: endUtc - startUtc },
  };
}

/** The end of a rule, in UTC unless it is a day. */
function untilOf({ rule, until }: BoundRule): { until?: string } {
  if (rule.until === undefined || /^\d{8}$/.test(rule.until)) return {};
  return { until: formatDate({ isDay: false, wall: until, clock: UTC_CLOCK }) };
}

function hasSameDates(set: RecurrenceSet, dates: readonly Occurrence[], isComplete: boolean): boolean {
  const found = eachOccurrence(set);
  for (const one of dates) {
    const { value, done } = found.next();
    if (done) return false;
    const isSame = set.isAllDay
      ? value.start === one.start && value.end === one.end
      : value.startUtc === one.startUtc && value.endUtc === one.endUtc;
    if (!isSame) return false;
  }
  return !isComplete || Boolean(found.next().done);
}
