import { daysFromCivil } from '../wordpress-text/dates/wall-clock.js';
import type { Budget } from './budget.js';
import { DAY, mod, monthAt, monthOf, weekdayOf, weekOf } from './calendar-days.js';
import { monthlyDays, passesLimits, type RuleStart, yearlyDays } from './period-days.js';
import type { Rule } from './rule.js';

/** The wall seconds at which expansion ends: the year 10000. */
const END = daysFromCivil(10_000, 1, 1) * DAY;
const END_YEAR = 10_000;

/** Wall seconds between which dates are wanted. */
interface Window {
  begin: number;
  /** Exclusive. */
  end: number;
}

/** The dates of one period, ascending: each day with each time of day. */
interface Period {
  /** Where the next period begins, in wall seconds. */
  end: number;
  days: readonly number[];
  times: readonly number[];
}

/**
 * Yields the wall seconds of a rule from `start` on, ascending, up to the year 9999 or its `COUNT`; `UNTIL` is left to the
 * caller. A rule without `COUNT` skips the periods before `from`; periods after `to` are not computed. A `start` outside of
 * the rule is not yielded.
 */
export function* expandRule(
  rule: Rule,
  start: number,
  budget: Budget,
  from = Number.NEGATIVE_INFINITY,
  to = Number.POSITIVE_INFINITY,
): Generator<number> {
  const begin = rule.count === undefined ? Math.max(start, from) : start;
  let [last, count] = [start - 1, 0];
  let pending: number[] = [];
  const window = { begin, end: Math.min(END, to + 1) };
  for (const period of periodsOf(rule, start, window, budget)) {
    let dates: Iterable<number> = datesOf(rule, period, budget);
    if (rule.skip === 'FORWARD') {
      // A day moved into the next period waits for the dates of that one.
      const merged = [...new Set([...pending, ...dates])].sort((a, b) => a - b);
      dates = merged.filter((wall) => wall < period.end);
      pending = merged.filter((wall) => wall >= period.end);
    }
    for (const wall of dates) {
      if (wall <= last) continue;
      if (wall >= window.end) return;
      last = wall;
      yield wall;
      count += 1;
      if (count === rule.count) return;
    }
  }
}

/** The dates of a period, limited by `BYSETPOS`. */
function* datesOf({ bySetPos }: Rule, { days, times }: Period, budget: Budget): Generator<number> {
  const total = days.length * times.length;
  const dateAt = (at: number) =>
    (days[Math.floor(at / times.length)] ?? 0) * DAY + (times[at % times.length] ?? 0);
  const positions = bySetPos
    ?.map((n) => (n > 0 ? n - 1 : total + n))
    .filter((at) => at >= 0 && at < total)
    .sort((a, b) => a - b);
  const length = positions?.length ?? total;
  for (let at = 0; at < length; at++) {
    budget.spend();
    yield dateAt(positions?.[at] ?? at);
  }
}

function* periodsOf(rule: Rule, start: number, window: Window, budget: Budget): Generator<Period> {
  switch (rule.freq) {
    case 'YEARLY':
    case 'MONTHLY':
      return yield* longPeriods(rule, start, window, budget);
    case 'WEEKLY':
      return yield* weeks(rule, start, window, budget);
    case 'DAILY':
      return yield* days(rule, start, window, budget);
    default:
      return yield* shortPeriods(rule, start, window, budget);
  }
}

/** Every day of a month or year is compared with the items of the lists. */
const ITEMS_PER_STEP = 2;

const itemsOf = ({ byMonthDay, byYearDay, byWeekNo, byDay }: Rule): number =>
  [byMonthDay, byYearDay, byWeekNo, byDay].reduce((sum, list) => sum + (list?.length ?? 0), 0);

function* longPeriods(rule: Rule, start: number, window: Window, budget: Budget): Generator<Period> {
  const day = Math.floor(start / DAY);
  const first = monthOf(day);
  const parts: RuleStart = { month: first.month, date: day - first.first + 1, weekday: weekdayOf(day) };
  const times = timesOfDay(rule, start);
  const steps = 1 + Math.floor(itemsOf(rule) / ITEMS_PER_STEP);
  const months = rule.freq === 'YEARLY' ? 12 : 1;
  const step = rule.interval * months;
  const origin = first.year * 12 + (months === 12 ? 0 : first.month - 1);
  const near = monthOf(Math.floor(window.begin / DAY));
  // One period earlier, whose days `SKIP` may move on; also before the start, which may be such a day.
  const least = rule.skip === 'FORWARD' ? -1 : 0;
  const skipped = Math.max(least, Math.floor((near.year * 12 + near.month - 1 - origin) / step) - 1);
  for (let number = origin + skipped * step; number < END_YEAR * 12; number += step) {
    budget.spend(steps);
    const month = monthAt(number);
    if (month.first * DAY >= window.end) return;
    const found = months === 12 ? yearlyDays(rule, month.year, parts) : monthlyDays(rule, month, parts);
    const end = monthAt(number + step).first * DAY;
    if (found.length > 0) yield { end, days: found, times };
    else if (rule.skip === 'FORWARD') yield { end, days: [], times };
  }
}

function* weeks(rule: Rule, start: number, { begin, end }: Window, budget: Budget): Generator<Period> {
  const { byDay, byMonth, weekStart, interval } = rule;
  const day = Math.floor(start / DAY);
  const weekdays = byDay?.map(({ weekday }) => weekday) ?? [weekdayOf(day)];
  const offsets = [...new Set(weekdays.map((weekday) => mod(weekday - weekStart, 7)))].sort((a, b) => a - b);
  const times = timesOfDay(rule, start);
  const step = interval * 7;
  const origin = weekOf(day, weekStart);
  const skipped = Math.max(0, Math.floor((Math.floor(begin / DAY) - origin) / step));
  for (let week = origin + skipped * step; week * DAY < end; week += step) {
    budget.spend();
    const found = offsets.map((offset) => week + offset);
    const limited = byMonth ? found.filter((one) => byMonth.includes(monthOf(one).month)) : found;
    yield { end: (week + step) * DAY, days: limited, times };
  }
}

function* days(rule: Rule, start: number, { begin, end }: Window, budget: Budget): Generator<Period> {
  const { interval, byMonth } = rule;
  const times = timesOfDay(rule, start);
  const origin = Math.floor(start / DAY);
  const onGrid = (day: number) => origin + Math.ceil(Math.max(0, day - origin) / interval) * interval;
  for (let day = onGrid(Math.floor(begin / DAY)); day * DAY < end; day += interval) {
    budget.spend();
    if (passesLimits(rule, day)) yield { end: (day + interval) * DAY, days: [day], times };
    else if (byMonth) {
      const month = monthOf(day);
      // To the last day on the grid of a month that is left out.
      if (!byMonth.includes(month.month)) day = onGrid(month.first + month.length) - interval;
    }
  }
}

const UNITS = { HOURLY: 3600, MINUTELY: 60, SECONDLY: 1 } as const;

/** Periods of hours, minutes or seconds; what a limit leaves out is skipped as a whole. */
function* shortPeriods(rule: Rule, start: number, { begin, end }: Window, budget: Budget): Generator<Period> {
  const { freq, byHour, byMinute, bySecond } = rule;
  const unit = UNITS[freq as keyof typeof UNITS];
  const step = rule.interval * unit;
  const origin = Math.floor(start / unit) * unit;
  const onGrid = (wall: number) => origin + Math.ceil(Math.max(0, wall - origin) / step) * step;
  const within = timesWithin(rule, start);
  const seconds = bySecond && withLeapSecond(bySecond);
  let checked = Number.NaN;
  for (let wall = onGrid(Math.floor(begin / unit) * unit); wall < end; ) {
    budget.spend();
    const day = Math.floor(wall / DAY);
    const second = wall - day * DAY;
    const hour = Math.floor(second / 3600);
    if (day !== checked && !passesLimits(rule, day)) {
      wall = onGrid(nextDay(rule, day) * DAY);
      continue;
    }
    checked = day;
    if (byHour && !byHour.includes(hour)) wall = onGrid(day * DAY + (hour + 1) * 3600);
    else if (unit < 3600 && byMinute && !byMinute.includes(Math.floor(second / 60) % 60))
      wall = onGrid(day * DAY + (Math.floor(second / 60) + 1) * 60);
    else {
      if (unit > 1 || !seconds || seconds.includes(second % 60))
        yield { end: wall + step, days: [day], times: within.map((one) => second + one) };
      wall += step;
    }
  }
}

/** The day after one that is left out, or the first of the next month where its whole month is. */
function nextDay({ byMonth }: Rule, day: number): number {
  if (!byMonth) return day + 1;
  const { month, first, length } = monthOf(day);
  return byMonth.includes(month) ? day + 1 : first + length;
}

/** The times of `BYHOUR`, `BYMINUTE` and `BYSECOND`, ascending; missing parts follow from the start. */
function timesOfDay(rule: Rule, start: number): number[] {
  const { byHour = [Math.floor(mod(start, DAY) / 3600)] } = rule;
  const times = minutesAndSeconds(rule, start);
  return byHour.flatMap((hour) => times.map((time) => hour * 3600 + time));
}

/** The seconds within an hour, a minute or a second. */
function timesWithin(rule: Rule, start: number): number[] {
  if (rule.freq === 'HOURLY') return minutesAndSeconds(rule, start);
  return rule.freq === 'MINUTELY' ? withLeapSecond(rule.bySecond ?? [mod(start, 60)]) : [0];
}

function minutesAndSeconds({ byMinute, bySecond }: Rule, start: number): number[] {
  const seconds = withLeapSecond(bySecond ?? [mod(start, 60)]);
  const minutes = byMinute ?? [Math.floor(mod(start, 3600) / 60)];
  return minutes.flatMap((minute) => seconds.map((second) => minute * 60 + second));
}

/** Second 60 is second 59 where clocks have no leap seconds (RFC 5545, 3.3.12). */
function withLeapSecond(seconds: readonly number[]): number[] {
  return [...new Set(seconds.map((second) => Math.min(second, 59)))];
}
