import { DAY, mod, monthOf, weekdayOf } from './calendar-days.js';
import { dateOfKey } from './edit-recurrence.js';
import { formatDate, formatRecurrence } from './format-recurrence.js';
import { boundRule, namedZones } from './parse-recurrence.js';
import { parseDate } from './parse-values.js';
import type { BoundRule, DateValue, RecurrenceSet } from './recurrence-set.js';
import { formatRule, type Rule } from './rule.js';
import { UTC_CLOCK } from './zone-clock.js';

/**
 * The lines of a series whose event moves from one start to another, in wall seconds: every date moves by the same time on
 * the wall clock, the days of its rules and their ends with them. `frameAt` makes the moved event with this start, without
 * rules.
 */
export function moveRecurrence(
  set: RecurrenceSet,
  start: number,
  to: number,
  frameAt: (start: number) => RecurrenceSet,
): string[] {
  // A time in a gap is moved as the rule has it.
  const from = set.isAllDay ? start : dateOfKey(set, set.clock.toEpoch(start)).wall;
  const shift = to - from;
  const days = daysBetween(from, to) * DAY;
  const frame = frameAt(anchorOf(set, from) + shift);
  const zones = namedZones(frame.clock);
  const moved = (value: DateValue): DateValue => {
    if (value.isDay) return { isDay: true, wall: value.wall + days };
    const wall = onClock(set, value) + shift;
    return frame.isAllDay ? { isDay: true, wall: Math.floor(wall / DAY) * DAY } : { ...frame.start, wall };
  };
  const rule = (one: BoundRule): BoundRule => {
    const turned = turn(one.rule, from, to);
    const until =
      one.rule.until === undefined ? undefined : movedUntil(set, frame, one.rule.until, { shift, days });
    return boundRule(formatRule({ ...turned, ...(until !== undefined && { until }) }), frame, zones);
  };
  return formatRecurrence({
    ...frame,
    rules: set.rules.map(rule),
    exclusionRules: set.exclusionRules.map(rule),
    added: set.added.map((one) => ({ ...one, value: moved(one.value) })),
    excluded: set.excluded.map(({ value }) => ({ value: moved(value) })),
  });
}

const daysBetween = (from: number, to: number): number => Math.floor(to / DAY) - Math.floor(from / DAY);

/** The start of a series: that of its first date, which may be left out, on the clock of the event. */
function anchorOf(set: RecurrenceSet, from: number): number {
  return set.isAllDay ? set.start.wall + mod(from, DAY) : onClock(set, set.start);
}

/** The wall seconds of a date on the clock of its series. */
function onClock(set: RecurrenceSet, { isDay, wall, clock }: DateValue): number {
  if (isDay || !clock || clock.name === set.clock.name) return wall;
  return set.clock.toWall(clock.toEpoch(wall));
}

function movedUntil(
  set: RecurrenceSet,
  to: RecurrenceSet,
  until: string,
  by: { shift: number; days: number },
): string {
  const value = parseDate(until, { local: set.clock, find: () => undefined });
  if (value.isDay) return formatDate({ isDay: true, wall: value.wall + by.days });
  const wall = onClock(set, value) + by.shift;
  if (to.isAllDay) return formatDate({ isDay: true, wall: Math.floor(wall / DAY) * DAY });
  return value.clock === UTC_CLOCK
    ? formatDate({ isDay: false, wall: to.clock.toEpoch(wall), clock: UTC_CLOCK })
    : formatDate({ isDay: false, wall });
}

/** The rule with the days that follow from its start moved to those of another one. */
function turn(rule: Rule, from: number, to: number): Rule {
  const [day, other] = [Math.floor(from / DAY), Math.floor(to / DAY)];
  if (day === other) return rule;
  const turned = { ...rule };
  const { byDay, byMonthDay, byMonth } = rule;
  const [old, later] = [monthOf(day), monthOf(other)];
  if (byDay?.every(({ n }) => n === 0) && (rule.freq === 'WEEKLY' || rule.freq === 'DAILY')) {
    const turnedDay = (weekday: number) => mod(weekday + other - day, 7);
    turned.byDay = byDay.map(({ weekday }) => ({ n: 0, weekday: turnedDay(weekday) }));
    // Weeks that an interval skips begin on another day, too.
    if (rule.freq === 'WEEKLY' && rule.interval > 1 && byDay.length > 1)
      turned.weekStart = turnedDay(rule.weekStart);
  } else if (byDay?.length === 1 && byDay[0]?.weekday === weekdayOf(day)) {
    const [{ n }] = byDay;
    turned.byDay = [{ n: n === ordinal(n, day) ? ordinal(n, other) : n, weekday: weekdayOf(other) }];
  }
  if (byMonthDay?.length === 1 && byMonthDay[0] === day - old.first + 1)
    turned.byMonthDay = [other - later.first + 1];
  if (byMonth?.length === 1 && byMonth[0] === old.month) turned.byMonth = [later.month];
  return turned;
}

/** Which one of its weekday a day is in its month, counted as `n` is. */
function ordinal(n: number, day: number): number {
  if (n === 0) return 0;
  const { first, length } = monthOf(day);
  return n > 0 ? Math.floor((day - first) / 7) + 1 : -(Math.floor((first + length - 1 - day) / 7) + 1);
}
