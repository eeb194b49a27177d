// Shared by server and browser, so nothing depends on the process's zone.
import { DAY, mod, monthOf, weekdayOf } from '../../lib/recurrence/calendar-days.js';
import type { BoundRule, RecurrenceSet } from '../../lib/recurrence/recurrence-set.js';
import type { Rule, RuleDay } from '../../lib/recurrence/rule.js';
import { dateFormat } from '../calendar/shown-time.js';
import { fill } from '../texts/fill.js';
import type { RecurrenceTexts } from '../texts/recurrence-en.js';

/** The language that recurrence rules are described in. */
export interface RecurrenceLanguage {
  /** Language tag of dates. */
  tag: string;
  hour12?: boolean;
  texts: RecurrenceTexts;
}

/** A recurrence in words. */
export interface RecurrenceText {
  text: string;
  /** Whether the words say all of it. */
  isComplete: boolean;
}

/** The maximum of days that are listed. */
const MAX_LISTED = 4;
const UNITS = { DAILY: 'Day', WEEKLY: 'Week', MONTHLY: 'Month', YEARLY: 'Year' } as const;
/** Parts of rules without words. */
const WORDLESS = ['byWeekNo', 'byYearDay', 'byHour', 'byMinute', 'bySecond'] as const;

/** Describes a recurrence, such as `every second Tuesday until 18 May, not on 4 May`. */
export function recurrenceText(set: RecurrenceSet, language: RecurrenceLanguage): RecurrenceText {
  const words = new Words(set, language);
  const rules = set.rules.map((rule) => words.rule(rule));
  const { texts } = language;
  const wallOf = (key: number) => (set.isAllDay ? key : set.clock.toWall(key));
  const added = set.added.map(({ key }) => wallOf(key));
  const excluded = set.excluded.map(({ key = 0, day }) => day ?? Math.floor(wallOf(key) / DAY));
  const dates = rules.length > 0 ? added : [...added, set.start.wall];
  const onDates = dates.length > 0 && words.on(words.dates(dates));
  const parts = [
    rules.length > 0 && words.list(rules.map(({ text }) => text).filter(Boolean)),
    onDates && (rules.length > 0 ? fill(texts.also, { days: onDates }) : onDates),
    excluded.length > 0 &&
      fill(texts.except, { days: words.on(words.dates(excluded.map((day) => day * DAY + words.startTime))) }),
  ];
  const found = parts.filter((part) => typeof part === 'string' && part !== '') as string[];
  return {
    text: found.length > 0 ? found.reduce((one, other) => fill(texts.pair, { one, other })) : '',
    isComplete: rules.every(({ isComplete }) => isComplete) && set.exclusionRules.length === 0,
  };
}

/** The midnight of the last day that an `UNTIL` includes, which may end before the time of the dates. */
export function lastDay({ isAllDay, clock, start }: RecurrenceSet, until: number): number {
  const wall = isAllDay ? until : clock.toWall(until);
  const isEarlier = mod(wall, DAY) < mod(start.wall, DAY);
  return wall - mod(wall, DAY) - (isEarlier ? DAY : 0);
}

/** Numbers with those that count from the end behind the others. */
const inOrder = (numbers: readonly number[]) =>
  [...numbers].sort((a, b) => Number(a < 0) - Number(b < 0) || a - b);

/** Words for parts of a recurrence that begins at a wall clock time. */
class Words {
  private readonly startDay: number;
  /** In seconds of the day. */
  readonly startTime: number;

  constructor(
    private readonly set: RecurrenceSet,
    private readonly language: RecurrenceLanguage,
  ) {
    this.startDay = Math.floor(set.start.wall / DAY);
    this.startTime = mod(set.start.wall, DAY);
  }

  rule({ rule, until }: BoundRule): RecurrenceText {
    const { texts } = this.language;
    const found = this.frequency(rule);
    if (found === undefined) return { text: '', isComplete: false };
    const isOther = WORDLESS.some((part) => rule[part]) || rule.skip !== 'OMIT';
    const end =
      rule.until === undefined ? '' : ` ${fill(texts.until, { date: this.date(lastDay(this.set, until)) })}`;
    const { count = 0 } = rule;
    const one = `${found.text}${end}`;
    const other = count === 1 ? texts.once : fill(texts.times, { n: count });
    const text = count === 0 ? one : fill(texts.pair, { one, other });
    return { text, isComplete: found.isComplete && !isOther };
  }

  /** How often and on which days. */
  private frequency(rule: Rule): RecurrenceText | undefined {
    const { texts } = this.language;
    const { freq, interval, byMonth } = rule;
    if (freq !== 'DAILY' && freq !== 'WEEKLY' && freq !== 'MONTHLY' && freq !== 'YEARLY') return undefined;
    const every = fill(texts[`every${UNITS[freq]}${interval === 1 ? '' : 's'}`], { n: interval });
    const months = freq === 'YEARLY' ? undefined : byMonth;
    if (freq === 'WEEKLY' || (freq === 'DAILY' && rule.byDay && interval === 1))
      return this.complete(
        this.weekly(rule, freq === 'DAILY' ? texts.everyWeek : every),
        months,
        !rule.byMonthDay && !rule.bySetPos,
      );
    if (rule.byWeekNo || rule.byYearDay) return this.complete(every, byMonth, false);
    const hasDays = rule.byDay !== undefined || rule.byMonthDay !== undefined;
    if (freq === 'DAILY') return this.complete(every, months, !hasDays);
    const days = freq === 'MONTHLY' ? this.monthDays(rule) : this.yearDays(rule);
    if (days === undefined) return this.complete(every, byMonth, false);
    return this.complete([every, days.months && this.in(days.months), this.on(days.days)], months);
  }

  private complete(parts: string | readonly unknown[], months?: readonly number[], isComplete = true) {
    const all = [...(typeof parts === 'string' ? [parts] : parts), months && this.in(months)];
    return { text: all.filter(Boolean).join(' '), isComplete };
  }

  private weekly({ byDay, interval }: Rule, every: string): string {
    const { texts } = this.language;
    const numbers = byDay?.map(({ weekday }) => weekday) ?? [weekdayOf(this.startDay)];
    const weekdays = [...new Set(numbers)].sort((a, b) => a - b);
    const [first = 0] = weekdays;
    if (interval === 1 && weekdays.length === 7) return texts.everyDay;
    if (interval === 1 && weekdays.join('') === '01234') return texts.mondayToFriday;
    if (weekdays.length === 1 && interval === 1) return this.withWeekday(texts.everyWeekday, first);
    if (weekdays.length === 1 && interval === 2) return this.withWeekday(texts.everySecondWeekday, first);
    return `${every} ${this.on(weekdays.map((one) => this.withWeekday(texts.weekday, one)))}`;
  }

  /** Days of a month; undefined if there are no words for them. */
  private monthDays({
    byDay,
    byMonthDay,
    bySetPos,
  }: Rule): { days: string[]; months?: undefined } | undefined {
    if (byDay && byMonthDay) return undefined;
    if (byDay) {
      const days = bySetPos ? this.positions(byDay, bySetPos) : byDay.map((one) => this.nth(one));
      return days.some((one) => one === undefined) ? undefined : { days: days as string[] };
    }
    const { texts } = this.language;
    const numbers = byMonthDay ?? [this.startDay - monthOf(this.startDay).first + 1];
    if (bySetPos || numbers.some((n) => n < -1)) return undefined;
    const days = inOrder(numbers);
    const named: Readonly<Record<number, string>> = { 1: texts.firstDay, [-1]: texts.lastDay };
    return { days: days.map((n) => named[n] ?? fill(texts.monthDay, { n })) };
  }

  /** Days of a year: a date, or those of months. */
  private yearDays(rule: Rule): { days: string[]; months?: readonly number[] } | undefined {
    const { byMonth, byMonthDay, byDay } = rule;
    if (!byMonth && (byMonthDay || byDay)) return undefined;
    const start = monthOf(this.startDay);
    const [month = start.month, ...others] = byMonth ?? [];
    const [date = this.startDay - start.first + 1, ...more] = byMonthDay ?? [];
    if (!byDay && others.length === 0 && more.length === 0 && date > 0 && !rule.bySetPos) {
      // A leap year has every day.
      const wall = Date.UTC(2024, month - 1, date) / 1000;
      return {
        days: [
          fill(this.language.texts.date, { date: this.format(wall, { day: 'numeric', month: 'long' }) }),
        ],
      };
    }
    const days = this.monthDays(rule);
    return days && { ...days, months: byMonth ?? [month] };
  }

  /** `BYSETPOS` of one weekday, of all working days or of all days. */
  private positions(byDay: readonly RuleDay[], bySetPos: readonly number[]): (string | undefined)[] {
    const { texts } = this.language;
    const weekdays = byDay.map(({ n, weekday }) => (n === 0 ? weekday : 9)).sort((a, b) => a - b);
    const [weekday = 0] = weekdays;
    const isWorkdays = weekdays.join('') === '01234';
    if (weekdays.length !== 1 && !isWorkdays) return [undefined];
    return inOrder(bySetPos).map((n) => {
      const text = this.ordinal(n);
      if (!isWorkdays) return text && this.withWeekday(text, weekday);
      return text && fill(text.split('|', 1)[0] ?? '', { weekday: texts.workday });
    });
  }

  private nth({ n, weekday }: RuleDay): string | undefined {
    const text = this.ordinal(n);
    return text && this.withWeekday(text, weekday);
  }

  private ordinal(n: number): string | undefined {
    const { nth1, nth2, nth3, nth4, nth5, nthLast } = this.language.texts;
    return n === -1 ? nthLast : [undefined, nth1, nth2, nth3, nth4, nth5][n];
  }

  private withWeekday(text: string, weekday: number): string {
    const [masculine = '', feminine = masculine] = text.split('|');
    const isFeminine = this.language.texts.feminine.includes(String(weekday));
    // 1 January 2024 was a Monday.
    const name = this.format(Date.UTC(2024, 0, 1 + weekday) / 1000, { weekday: 'long' });
    return fill(isFeminine ? feminine : masculine, { weekday: name });
  }

  private in(months: readonly number[]): string {
    const names = months.map((month) => this.format(Date.UTC(2024, month - 1) / 1000, { month: 'long' }));
    return fill(this.language.texts.in, { months: this.list(names) });
  }

  /** Dates in order, the later ones as a number; times of day only where they are not that of the start. */
  dates(walls: readonly number[]): string[] {
    const { texts } = this.language;
    const all = [...new Set(walls)].sort((a, b) => a - b);
    const visible = all.length > MAX_LISTED ? all.slice(0, MAX_LISTED - 1) : all;
    const listed = visible.map((wall) =>
      fill(texts.date, { date: this.date(wall, mod(wall, DAY) !== this.startTime) }),
    );
    return all.length > visible.length
      ? [...listed, fill(texts.more, { n: all.length - visible.length })]
      : listed;
  }

  private date(wall: number, hasTime = false): string {
    const isOtherYear = monthOf(Math.floor(wall / DAY)).year !== monthOf(this.startDay).year;
    return this.format(wall, {
      day: 'numeric',
      month: 'long',
      ...(isOtherYear && { year: 'numeric' }),
      ...(hasTime && { hour: 'numeric', minute: '2-digit', hour12: this.language.hour12 }),
    });
  }

  on(days: readonly string[]): string {
    return fill(this.language.texts.on, { days: this.list(days) });
  }

  list(items: readonly string[]): string {
    return new Intl.ListFormat(this.language.tag, { type: 'conjunction' }).format(items);
  }

  private format(wall: number, options: Intl.DateTimeFormatOptions): string {
    return dateFormat(this.language.tag, { ...options, timeZone: 'UTC' }).format(wall * 1000);
  }
}
