import { DAY, mod, monthOf, weekdayOf, weekOf } from './calendar-days.js';
import { RecurrenceError } from './recurrence-error.js';
import type { Rule } from './rule.js';

/**
 * The rule for a series that begins at another of its dates: what followed from the old start is written out where the
 * new one differs. Throws `RecurrenceError` where its interval would be counted from another period.
 */
export function rebaseRule(rule: Rule, from: number, to: number): Rule {
  const [old, later] = [periodOf(rule, from), periodOf(rule, to)];
  if (mod(later - old, rule.interval) !== 0)
    throw new RecurrenceError(
      'unsupported',
      `the rule skips ${rule.freq.toLowerCase()} periods, and this date is in one`,
    );
  return { ...rule, ...dateParts(rule, from, to), ...timeParts(rule, from, to) };
}

/** The number of the period that wall seconds are in. */
function periodOf({ freq, weekStart }: Rule, wall: number): number {
  const day = Math.floor(wall / DAY);
  const { year, month } = monthOf(day);
  switch (freq) {
    case 'YEARLY':
      return year;
    case 'MONTHLY':
      return year * 12 + month;
    case 'WEEKLY':
      return Math.floor(weekOf(day, weekStart) / 7);
    case 'DAILY':
      return day;
    case 'HOURLY':
      return Math.floor(wall / 3600);
    case 'MINUTELY':
      return Math.floor(wall / 60);
    case 'SECONDLY':
      return wall;
  }
}

function dateParts(rule: Rule, from: number, to: number): Partial<Rule> {
  const { freq, byMonth, byWeekNo, byYearDay, byMonthDay, byDay } = rule;
  const [day, later] = [Math.floor(from / DAY), Math.floor(to / DAY)];
  const [old, other] = [monthOf(day), monthOf(later)];
  const date = day - old.first + 1;
  const isOtherDate = date !== later - other.first + 1;
  const isOtherWeekday = weekdayOf(day) !== weekdayOf(later);
  const onWeekday = isOtherWeekday ? { byDay: [{ n: 0, weekday: weekdayOf(day) }] } : {};
  if (byDay || byMonthDay || byYearDay) return {};
  if (freq === 'WEEKLY') return onWeekday;
  if (freq === 'MONTHLY') return isOtherDate ? { byMonthDay: [date] } : {};
  if (freq !== 'YEARLY') return {};
  if (byWeekNo) return onWeekday;
  const isOther = isOtherDate || (!byMonth && old.month !== other.month);
  return isOther ? { byMonth: byMonth ?? [old.month], byMonthDay: [date] } : {};
}

function timeParts({ freq, byHour, byMinute, bySecond }: Rule, from: number, to: number): Partial<Rule> {
  const [hour, minute, second] = partsOf(from);
  const [laterHour, laterMinute, laterSecond] = partsOf(to);
  const isShort = (...names: string[]) => names.includes(freq);
  const hasHour = byHour || isShort('HOURLY', 'MINUTELY', 'SECONDLY');
  const hasMinute = byMinute || isShort('MINUTELY', 'SECONDLY');
  const hasSecond = bySecond || isShort('SECONDLY');
  return {
    ...(!hasHour && hour !== laterHour && { byHour: [hour] }),
    ...(!hasMinute && minute !== laterMinute && { byMinute: [minute] }),
    ...(!hasSecond && second !== laterSecond && { bySecond: [second] }),
  };
}

function partsOf(wall: number): [number, number, number] {
  const second = mod(wall, DAY);
  return [Math.floor(second / 3600), Math.floor(second / 60) % 60, second % 60];
}
