import type { DateDraft } from './date-draft.js';
import { monthNumber, ordinalNumber, shiftBy, weekdayNumber } from './date-words.js';
import { findOffset, findZone } from './find-zone.js';
import { daysFromCivil, weekdayOf } from './wall-clock.js';

/** One kind of token: what it looks like (sticky) and what it says. */
export interface DateRule {
  pattern: RegExp;
  apply: (draft: DateDraft, groups: readonly string[]) => void;
}

const H24 = '(2[0-4]|[01]?\\d)';
const H24LZ = '(2[0-4]|[01]\\d)';
const H12 = '(1[0-2]|0?[1-9])';
const MINUTE = '([0-5]?\\d)';
const MINUTE_LZ = '([0-5]\\d)';
const SECOND = '(60|[0-5]?\\d)';
const SECOND_LZ = '(60|[0-5]\\d)';
const MERIDIAN = '([apAP])\\.?[mM]\\.?(?:[\\t ]|$)';
const MONTH = '(1[0-2]|0?\\d)';
const MONTH_LZ = '(1[0-2]|0\\d)';
const DAY = '(3[01]|[0-2]?\\d)';
const DAY_LZ = '(3[01]|[0-2]\\d)';
const DAY_TH = '(3[01]|[0-2]?\\d)(?:st|nd|rd|th)?';
const YEAR = '(\\d{1,4})';
const YEAR4 = '(\\d{4})';
const MONTH_ABBR = '(jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)';
const MONTH_NAME =
  'january|february|march|april|june|july|august|september|october|november|december|' +
  'jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec';
/** Roman numbers count in capitals only (`0x10` is no date), so what holds them is matched exactly. */
const MONTH_TEXT = `(${anyCase(MONTH_NAME)}|VIII|VII|VI|V|IV|III|II|IX|I|XII|XI|X)`;
const GAP = '[ \\t.-]*';
const AFTER_DAY = '[,.stndrh\\t ]+';
const SHORT_DATE = `${MONTH_TEXT}${GAP}${DAY}(?:${AFTER_DAY}|$)`;
const CORRECTION =
  '(?:GMT)?[+-](?:(?:2[0-4]|[01]\\d):?[0-5]\\d:?[0-5]\\d|(?:2[0-4]|[01]?\\d)(?::?[0-5]?\\d)?)';
const WEEKDAY = '(?:sun|mon|tues|wednes|thurs|fri|satur)days?|sun|mon|tue|wed|thu|fri|sat';
const UNIT =
  '(?:microsecond|millisecond|msec|usec|µsec|second|sec|minute|min|hour|day|fortnight|forthnight|month|year)s?|' +
  `ms|µs|weekdays?|weeks|${WEEKDAY}`;
const NTH =
  'first|second|third|fourth|fifth|sixth|seventh|eighth?|ninth|tenth|eleventh|twelfth|next|last|previous|this';

/** PHP's date formats. At each place the longest match counts, of equally long ones the first. */
export const DATE_RULES: readonly DateRule[] = [
  // Words
  rule('yesterday', (draft) => startOfDay(draft, -1)),
  rule('now', () => {}),
  rule('noon', (draft) => {
    draft.clearTime();
    draft.setTime(12);
  }),
  rule('midnight|today', (draft) => draft.clearTime()),
  rule('tomorrow', (draft) => startOfDay(draft, 1)),
  rule('@(-?\\d+)(?:\\.\\d{0,6})?', (draft, [seconds]) =>
    draft.setTimestamp(Number(seconds), { kind: 'offset', name: '+00:00', offset: 0 }),
  ),
  rule('(first|last) day of', (draft, [which]) => {
    draft.edge = which?.toLowerCase() === 'first' ? 'first' : 'last';
  }),
  rule(`(back|front) of ${H24}(?:[ \\t]*${MERIDIAN})?`, (draft, [which, hour, meridian]) => {
    draft.clearTime();
    const front = which?.toLowerCase() === 'front';
    draft.setTime(hour12(hour, meridian) - (front ? 1 : 0), front ? 45 : 15);
  }),
  rule(`(${NTH})[ \\t]+(${WEEKDAY})[ \\t]+of`, (draft, [nth = '', day = '']) => {
    const count = ordinalNumber(nth);
    draft.ofMonth = count > 0 ? 'start' : 'end';
    shiftBy(draft, count, day, count > 0 || isThis(nth) ? 1 : 0, false);
  }),

  // Times of day
  rule(`${H12}[ \\t]*${MERIDIAN}`, (draft, [h, m]) => draft.setTime(hour12(h, m))),
  rule(`${H12}[:.]${MINUTE_LZ}[ \\t]*${MERIDIAN}`, (draft, [h, i, m]) =>
    draft.setTime(hour12(h, m), Number(i)),
  ),
  rule(`${H12}[:.]${MINUTE}[:.]${SECOND_LZ}[ \\t]*${MERIDIAN}`, (draft, [h, i, s, m]) =>
    draft.setTime(hour12(h, m), Number(i), Number(s)),
  ),
  rule(`${H12}:${MINUTE_LZ}:${SECOND_LZ}[:.]\\d+${MERIDIAN}`, (draft, [h, i, s, m]) =>
    draft.setTime(hour12(h, m), Number(i), Number(s)),
  ),
  rule(`t${H24}`, setTime),
  rule(`t?${H24}[:.]${MINUTE}(?:[:.]${SECOND}(?:\\.\\d+)?)?`, setTime),
  rule(`t?${H24LZ}${MINUTE_LZ}`, (draft, [hour, minute]) => {
    // Behind a time four digits are the year: `Sat Apr 30 17:52:13 2016`.
    if (draft.hasTime) draft.parts.year = Number(`${hour}${minute}`);
    else draft.setTime(Number(hour), Number(minute));
  }),
  rule(`t?${H24LZ}${MINUTE_LZ}${SECOND_LZ}`, setTime),

  // Dates in digits
  rule(`${MONTH}/${DAY}(?:/${YEAR})?`, (draft, [m, d, y]) => draft.setDate(year(y), Number(m), Number(d))),
  rule(`${YEAR4}/${MONTH}/${DAY}/?`, setYmd),
  rule(`([+-]?\\d{4}|[+-]\\d{5,19})-${MONTH_LZ}-${DAY_LZ}`, setYmd),
  rule(`${YEAR4}-${MONTH}`, (draft, [y, m]) => draft.setDate(Number(y), Number(m), 1)),
  rule(`${YEAR}-${MONTH}-${DAY}`, setYmd),
  rule(`${YEAR4}${MONTH_LZ}${DAY_LZ}`, setYmd),
  rule(`${DAY}[.\\t-]${MONTH}[.-]${YEAR4}`, setDmy),
  rule(`${DAY}[.\\t]${MONTH}\\.(\\d\\d)`, setDmy),
  rule(`${YEAR4}[.-]?(00[1-9]|0[1-9]\\d|[12]\\d\\d|3[0-5]\\d|36[0-6])`, (draft, [y, day]) =>
    draft.setDate(Number(y), 1, Number(day)),
  ),
  rule(`${YEAR4}-?W(0[1-9]|[1-4]\\d|5[0-3])(?:-?([0-7]))?`, (draft, [y, week, day]) => {
    draft.setDate(Number(y), 1, 1);
    draft.shift.day = daysToWeek(Number(y), Number(week), Number(day ?? 1));
  }),
  rule(`${YEAR4}:${MONTH_LZ}:${DAY_LZ} ${H24LZ}:${MINUTE_LZ}:${SECOND_LZ}`, (draft, groups) => {
    setYmd(draft, groups);
    setTime(draft, groups.slice(3));
  }),
  rule(YEAR4, (draft, [y]) => {
    draft.parts.year = Number(y);
  }),

  // Dates with a month's name
  exact(`${DAY_TH}${GAP}${MONTH_TEXT}${GAP}${YEAR}`, setDmy),
  exact(`${MONTH_TEXT}${GAP}${YEAR4}`, (draft, [m = '', y]) => draft.setDate(Number(y), monthNumber(m), 1)),
  exact(`${YEAR4}${GAP}${MONTH_TEXT}`, (draft, [y, m = '']) => draft.setDate(Number(y), monthNumber(m), 1)),
  exact(`${MONTH_TEXT}${GAP}${DAY}${AFTER_DAY}${YEAR}`, (draft, [m = '', d, y]) =>
    draft.setDate(year(y), monthNumber(m), Number(d)),
  ),
  exact(SHORT_DATE, setShortDate),
  exact(`${DAY_TH}${GAP}${MONTH_TEXT}`, (draft, [d, m = '']) =>
    draft.setDate(undefined, monthNumber(m), Number(d)),
  ),
  rule(`${MONTH_ABBR}-${DAY_LZ}-${YEAR}`, (draft, [m = '', d, y]) =>
    draft.setDate(year(y), monthNumber(m), Number(d)),
  ),
  rule(`${YEAR}-${MONTH_ABBR}-${DAY_LZ}`, (draft, [y, m = '', d]) =>
    draft.setDate(year(y), monthNumber(m), Number(d)),
  ),
  rule(
    `${DAY}/${MONTH_ABBR}/${YEAR4}:${H24LZ}:${MINUTE_LZ}:${SECOND_LZ}[ \\t]+(${CORRECTION})`,
    (draft, [d, m = '', y, h, i, s, zone = '']) => {
      draft.setDate(Number(y), monthNumber(m), Number(d));
      draft.setTime(Number(h), Number(i), Number(s));
      draft.setZone(() => findOffset(zone));
    },
  ),

  // Relative words, zones
  rule('ago', (draft) => draft.reverse()),
  rule(`(${WEEKDAY}|weekdays?)`, (draft, [day = '']) => {
    draft.clearTime();
    draft.weekday = { day: weekdayNumber(day), rule: draft.weekday?.rule === 2 ? 2 : 1 };
  }),
  rule('(next|last|previous|this)[ \\t]+week', (draft, [which = '']) => {
    draft.shift.day += ordinalNumber(which) * 7;
    draft.weekday = { day: draft.weekday?.day ?? 1, rule: 2 };
  }),
  rule(`(${NTH})[ \\t]+(${UNIT})`, (draft, [nth = '', unit = '']) =>
    shiftBy(draft, ordinalNumber(nth), unit, isThis(nth) ? 1 : 0, false),
  ),
  rule(`(${MONTH_NAME})`, (draft, [month = '']) => draft.setDate(undefined, monthNumber(month))),
  rule(`(${CORRECTION})`, (draft, [zone = '']) => draft.setZone(() => findOffset(zone))),
  rule('\\(?([A-Za-z]{1,6})\\)?', (draft, [zone = '']) => draft.setZone(() => findZone(zone))),
  exact('([A-Z][a-z]+(?:[_/][A-Z][a-z]+)+)', (draft, [zone = '']) => draft.setZone(() => findZone(zone))),
  exact(`${SHORT_DATE}${H12}[:.]${MINUTE_LZ}(?:[:.]${SECOND_LZ})?[ \\t]*${MERIDIAN}`, (draft, groups) => {
    setShortDate(draft, groups);
    draft.setTime(hour12(groups[2], groups[5]), Number(groups[3]), Number(groups[4] ?? 0));
  }),
  exact(`${SHORT_DATE}[tT]?${H24}[:.]${MINUTE}(?:[:.]${SECOND})?`, (draft, groups) => {
    setShortDate(draft, groups);
    setTime(draft, groups.slice(2));
  }),
  exact(
    `${SHORT_DATE}[tT]?${H24}[:.]${MINUTE}[:.]${SECOND_LZ}[ \\t]*(${CORRECTION}|[A-Za-z]{1,6})`,
    (draft, groups) => {
      setShortDate(draft, groups);
      setTime(draft, groups.slice(2));
      draft.setZone(() => findZone(groups[5] ?? ''));
    },
  ),
  rule(`([+-]*)[ \\t]*(\\d{1,13})[ \\t]*(${UNIT}|week)`, (draft, [signs = '', count, unit = '']) => {
    const negative = signs.replaceAll('+', '').length % 2 === 1;
    shiftBy(draft, negative ? -Number(count) : Number(count), unit, 1, true);
  }),

  // What means nothing; a run at once, so that long runs cost no more than their length
  rule('[ .,\\t]+', () => {}),
];

function rule(source: string, apply: DateRule['apply']): DateRule {
  return { pattern: new RegExp(source, 'iy'), apply };
}

function exact(source: string, apply: DateRule['apply']): DateRule {
  return { pattern: new RegExp(source, 'y'), apply };
}

function anyCase(words: string): string {
  return words.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}

function startOfDay(draft: DateDraft, days: number): void {
  draft.clearTime();
  draft.shift.day = days;
}

function setTime(draft: DateDraft, [hour, minute, second]: readonly string[]): void {
  draft.setTime(Number(hour), Number(minute ?? 0), Number(second ?? 0));
}

function setYmd(draft: DateDraft, [y, m, d]: readonly string[]): void {
  draft.setDate(year(y), Number(m), Number(d));
}

function setDmy(draft: DateDraft, [d, m = '', y]: readonly string[]): void {
  draft.setDate(year(y), Number(m) || monthNumber(m), Number(d));
}

function setShortDate(draft: DateDraft, [m = '', d]: readonly string[]): void {
  draft.setDate(undefined, monthNumber(m), Number(d));
}

/** Years of up to three digits below 100 lie in 1970 to 2069. */
function year(digits: string | undefined): number | undefined {
  if (digits === undefined) return undefined;
  const value = Number(digits);
  if (digits.length > 3 || value >= 100) return value;
  return value < 70 ? value + 2000 : value + 1900;
}

function hour12(hour: string | undefined, meridian: string | undefined): number {
  if (meridian === undefined) return Number(hour);
  return (Number(hour) % 12) + (meridian.toLowerCase() === 'p' ? 12 : 0);
}

function isThis(word: string): boolean {
  return word.toLowerCase() === 'this';
}

/** Days from 1 January to a day of an ISO week. */
function daysToWeek(isoYear: number, week: number, day: number): number {
  const weekday = weekdayOf(daysFromCivil(isoYear, 1, 1) * 86400);
  return (weekday > 4 ? 7 - weekday : -weekday) + (week - 1) * 7 + day;
}
