import { daysFromCivil } from '../wordpress-text/dates/wall-clock.js';
import { firstWeekOf, type Month, monthAt, monthOf, weekdayOf } from './calendar-days.js';
import type { Rule, RuleDay } from './rule.js';

/** The parts of a rule's start that complete it. */
export interface RuleStart {
  month: number;
  /** The day of the month. */
  date: number;
  weekday: number;
}

/** Whether a day passes `BYMONTH`, `BYYEARDAY`, `BYMONTHDAY` and `BYDAY` as limits, for `DAILY` and shorter. */
export function passesLimits(rule: Rule, day: number): boolean {
  const { byMonth, byYearDay, byMonthDay, byDay } = rule;
  if (byDay && !byDay.some(({ weekday }) => weekday === weekdayOf(day))) return false;
  if (!byMonth && !byYearDay && !byMonthDay) return true;
  const month = monthOf(day);
  if (byMonth && !byMonth.includes(month.month)) return false;
  if (byMonthDay && !isMonthDay(byMonthDay, month, day)) return false;
  return !byYearDay || isYearDay(byYearDay, month.year, day);
}

/** The days of a month by a `MONTHLY` rule, ascending; with `SKIP=FORWARD` also the day after it. */
export function monthlyDays(rule: Rule, month: Month, start: RuleStart): number[] {
  const { byMonth, byMonthDay, byDay } = rule;
  if (byMonth && !byMonth.includes(month.month)) return [];
  if (!byMonthDay && byDay) return daysFrom(month.first, month.length, byDay);
  return withinDays(datesOf(rule, [month], byMonthDay ?? [start.date]), byDay, () => month);
}

/** The days of a year by a `YEARLY` rule, ascending; with `SKIP=FORWARD` also the day after it. */
export function yearlyDays(rule: Rule, year: number, start: RuleStart): number[] {
  const { byMonth, byMonthDay, byYearDay, byWeekNo, byDay } = rule;
  const months = (numbers: readonly number[]) => numbers.map((month) => monthAt(year * 12 + month - 1));
  const [first, end] = [daysFromCivil(year, 1, 1), daysFromCivil(year + 1, 1, 1)];
  const whole = { first, length: end - first };
  const spanOf = byMonth ? monthOf : () => whole;
  if (byYearDay || byWeekNo) {
    const inWeeks = byWeekNo && weekDays(rule, year);
    const days = byYearDay
      ? unique(byYearDay.map((n) => (n > 0 ? first + n - 1 : end + n))).filter(
          (day) => day >= first && day < end,
        )
      : (inWeeks ?? []);
    const rest = days.filter((day) => {
      const month = monthOf(day);
      return (
        (!byMonth || byMonth.includes(month.month)) &&
        (!byMonthDay || isMonthDay(byMonthDay, month, day)) &&
        (!inWeeks || !byYearDay || inWeeks.includes(day))
      );
    });
    if (byDay || byYearDay || byMonthDay) return withinDays(rest, byDay, spanOf);
    // The weekday follows from the start.
    return rest.filter((day) => weekdayOf(day) === start.weekday);
  }
  if (byMonthDay) return withinDays(datesOf(rule, months(byMonth ?? ALL_MONTHS), byMonthDay), byDay, spanOf);
  if (!byDay) return datesOf(rule, months(byMonth ?? [start.month]), [start.date]);
  return byMonth
    ? months(byMonth).flatMap((month) => daysFrom(month.first, month.length, byDay))
    : daysFrom(first, end - first, byDay);
}

const ALL_MONTHS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];

/** The given dates of months; `SKIP` moves the positive ones that a month does not have. */
function datesOf({ skip }: Rule, months: readonly Month[], dates: readonly number[]): number[] {
  const days: number[] = [];
  for (const { first, length } of months)
    for (const date of dates) {
      const at = date > 0 ? date : length + date + 1;
      if (at >= 1 && at <= length) days.push(first + at - 1);
      else if (date > 0 && skip !== 'OMIT') days.push(first + length - (skip === 'BACKWARD' ? 1 : 0));
    }
  return unique(days);
}

/** The days of `BYWEEKNO` in a year; the first and last weeks reach into the years around. */
function weekDays({ byWeekNo = [], weekStart }: Rule, year: number): number[] {
  const days: number[] = [];
  const [first, end] = [daysFromCivil(year, 1, 1), daysFromCivil(year + 1, 1, 1)];
  for (const of of [year - 1, year, year + 1]) {
    const begin = firstWeekOf(of, weekStart);
    const weeks = (firstWeekOf(of + 1, weekStart) - begin) / 7;
    for (const number of byWeekNo) {
      const week = number > 0 ? number - 1 : weeks + number;
      if (week < 0 || week >= weeks) continue;
      for (let day = begin + week * 7; day < begin + week * 7 + 7; day++)
        if (day >= first && day < end) days.push(day);
    }
  }
  return unique(days);
}

/** The days of a month or year that `BYDAY` names. */
function daysFrom(first: number, length: number, byDay: readonly RuleDay[]): number[] {
  const span = { first, length };
  return withinDays(
    Array.from({ length }, (_, at) => first + at),
    byDay,
    () => span,
  );
}

/** The days that `BYDAY` names within the month or year of each. */
function withinDays(
  days: number[],
  byDay: readonly RuleDay[] | undefined,
  spanOf: (day: number) => { first: number; length: number },
): number[] {
  if (!byDay) return days;
  return days.filter((day) => {
    const weekday = weekdayOf(day);
    const { first, length } = spanOf(day);
    const n = Math.floor((day - first) / 7) + 1;
    const fromEnd = -Math.floor((first + length - 1 - day) / 7) - 1;
    return byDay.some((one) => one.weekday === weekday && (one.n === 0 || one.n === n || one.n === fromEnd));
  });
}

function isMonthDay(dates: readonly number[], { first, length }: Month, day: number): boolean {
  const date = day - first + 1;
  return dates.includes(date) || dates.includes(date - length - 1);
}

function isYearDay(numbers: readonly number[], year: number, day: number): boolean {
  const [first, end] = [daysFromCivil(year, 1, 1), daysFromCivil(year + 1, 1, 1)];
  return numbers.includes(day - first + 1) || numbers.includes(day - end);
}

function unique(days: readonly number[]): number[] {
  return [...new Set(days)].sort((a, b) => a - b);
}
