import { DAY, mod, monthOf, weekdayOf } from '../../../src/lib/recurrence/calendar-days.js';
import type { BoundRule, RecurrenceSet } from '../../../src/lib/recurrence/recurrence-set.js';
import { formatRule, type Rule, type RuleDay } from '../../../src/lib/recurrence/rule.js';
import { formatWallClock, parseWallClock } from '../../../src/lib/wordpress-text/dates/wall-clock.js';
import { lastDay } from '../../../src/pages/recurrence/recurrence-text.js';

/** How a rule ends: after a day (`YYYY-MM-DD`), after a number of dates, or never. */
export type RuleEnd = { kind: 'never' } | { kind: 'until'; day: string } | { kind: 'count'; count: number };

export type ChoiceFrequency = 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY';

/** Which day of its month a rule means, seen from the start. */
export type MonthChoice = 'date' | 'nth' | 'last' | 'lastDay';

/** A rule as the picker expresses it, for an event that begins on a given day. */
export interface RuleChoice {
  freq: ChoiceFrequency;
  interval: number;
  /** Of weekly rules, with that of the start; 0 for Monday. */
  weekdays: readonly number[];
  /** On which day weeks begin, where that matters and it is not Monday. */
  weekStart?: number;
  /** Of monthly and yearly rules. */
  on: MonthChoice;
  end: RuleEnd;
}

/** The position of a day in its month. */
function placeOf(wall: number) {
  const day = Math.floor(wall / DAY);
  const { first, length, month } = monthOf(day);
  const index = day - first;
  return {
    month,
    date: index + 1,
    weekday: weekdayOf(day),
    nth: Math.floor(index / 7) + 1,
    isLast: index + 7 >= length,
    isLastDay: index + 1 === length,
  };
}

/** The choices of a month that fit a start. */
export function monthChoices(start: number): MonthChoice[] {
  const { isLast, isLastDay } = placeOf(start);
  return [
    'date',
    'nth',
    ...(isLast ? (['last'] as const) : []),
    ...(isLastDay ? (['lastDay'] as const) : []),
  ];
}

/** A rule as the picker expresses it; undefined for one that it cannot express. */
export function toChoice({ rule, until }: BoundRule, set: RecurrenceSet): RuleChoice | undefined {
  const { freq, interval, byDay, byMonth, byMonthDay } = rule;
  const place = placeOf(set.start.wall);
  const isUnknown =
    rule.byWeekNo || rule.byYearDay || rule.byHour || rule.byMinute || rule.bySecond || rule.bySetPos;
  if (isUnknown || rule.skip !== 'OMIT') return undefined;
  const common = { interval, end: endOf(rule, until, set), weekdays: [place.weekday], on: 'date' as const };
  if (freq === 'DAILY') return byDay || byMonth || byMonthDay ? undefined : { ...common, freq };
  if (freq === 'WEEKLY') {
    const weekdays = byDay?.map(({ weekday }) => weekday).sort((a, b) => a - b) ?? [place.weekday];
    // Weeks that begin on another day are other weeks if some are left out.
    const { weekStart } = rule;
    const isUsual = weekStart === 0 || interval === 1 || weekdays.length === 1;
    return byMonth
      ? undefined
      : { ...common, freq, weekdays: [...new Set(weekdays)], ...(!isUsual && { weekStart }) };
  }
  if (freq !== 'MONTHLY' && freq !== 'YEARLY') return undefined;
  const isOwnMonth = byMonth?.length === 1 && byMonth[0] === place.month;
  if (freq === 'MONTHLY' ? byMonth : byMonth ? !isOwnMonth : byDay || byMonthDay) return undefined;
  const on = monthChoice(byDay, byMonthDay, place);
  return on && { ...common, freq, on };
}

function monthChoice(
  byDay: readonly RuleDay[] | undefined,
  byMonthDay: readonly number[] | undefined,
  place: ReturnType<typeof placeOf>,
): MonthChoice | undefined {
  if (!byDay && !byMonthDay) return 'date';
  if (byDay && byMonthDay) return undefined;
  const [n, ...others] = byMonthDay ?? [];
  if (others.length > 0) return undefined;
  if (n !== undefined) return n === place.date ? 'date' : n === -1 && place.isLastDay ? 'lastDay' : undefined;
  const [day, ...more] = byDay ?? [];
  if (!day || more.length > 0 || day.weekday !== place.weekday) return undefined;
  return day.n === place.nth ? 'nth' : day.n === -1 && place.isLast ? 'last' : undefined;
}

function endOf({ count, until: text }: Rule, until: number, set: RecurrenceSet): RuleEnd {
  if (count !== undefined) return { kind: 'count', count };
  if (text === undefined) return { kind: 'never' };
  return { kind: 'until', day: formatWallClock(lastDay(set, until)).slice(0, 10) };
}

/** The rule of a choice, as a `RECUR` value. */
export function toRule(
  { freq, interval, weekdays, weekStart = 0, on, end }: RuleChoice,
  start: number,
): string {
  const { month, weekday, nth } = placeOf(start);
  const ofMonth: Partial<Rule> =
    on === 'nth' || on === 'last'
      ? { byDay: [{ n: on === 'last' ? -1 : nth, weekday }] }
      : on === 'lastDay'
        ? { byMonthDay: [-1] }
        : {};
  const days: Partial<Rule> =
    freq === 'WEEKLY' && weekdays.join() !== String(weekday)
      ? { byDay: weekdays.map((one) => ({ n: 0, weekday: one })) }
      : freq === 'MONTHLY'
        ? ofMonth
        : freq === 'YEARLY' && on !== 'date'
          ? { ...ofMonth, byMonth: [month] }
          : {};
  const ending: Partial<Rule> =
    end.kind === 'count'
      ? { count: end.count }
      : end.kind === 'until'
        ? { until: end.day.replaceAll('-', '') }
        : {};
  return formatRule({ freq, interval, weekStart, skip: 'OMIT', ...days, ...ending });
}

/** The choice for another start: its weekdays move along, and what does not exist there becomes the date. */
export function movedChoice(choice: RuleChoice, from: number, to: number): RuleChoice {
  const days = Math.floor(to / DAY) - Math.floor(from / DAY);
  const turned = (weekday: number) => mod(weekday + days, 7);
  const { interval, weekdays, weekStart = 0 } = choice;
  return {
    ...choice,
    weekdays: weekdays.map(turned).sort((a, b) => a - b),
    ...(interval > 1 && weekdays.length > 1 && { weekStart: turned(weekStart) }),
    on: monthChoices(to).includes(choice.on) ? choice.on : 'date',
  };
}

/** The first day of an end that does not exist yet: a year after the start. */
export const usualUntil = (start: number): string => {
  const day = formatWallClock(start).slice(0, 10);
  const year = `${Number(day.slice(0, 4)) + 1}${day.slice(4)}`;
  return parseWallClock(year) === undefined ? day : year;
};
