import {
  type DateDraft,
  MONTH_ABBREVIATIONS,
  MONTH_NAMES,
  monthNumber,
  ORDINAL_WORDS,
  ordinalNumber,
  shiftBy,
  UNIT_NAMES,
  WEEKDAY_NAMES,
  weekdayNumber,
} from './date-draft.js';
import { daysFromCivil, weekdayOf } from './wall-clock.js';
import { findOffset, findZone } from './zones.js';

type Groups = Readonly<Record<string, string | undefined>>;

/** One kind of token: a sticky pattern and its effect on the draft. */
interface DateRule {
  pattern: RegExp;
  apply: (draft: DateDraft, groups: Groups) => void;
}

const H24 = '(?<hour>2[0-4]|[01]?\\d)';
const H24LZ = '(?<hour>2[0-4]|[01]\\d)';
const H12 = '(?<hour>1[0-2]|0?[1-9])';
const MINUTE = '(?<minute>[0-5]?\\d)';
const MINUTE_LZ = '(?<minute>[0-5]\\d)';
const SECOND = '(?<second>60|[0-5]?\\d)';
const SECOND_LZ = '(?<second>60|[0-5]\\d)';
const MERIDIAN = '(?<meridian>[apAP])\\.?[mM]\\.?(?:[\\t ]|$)';
const MONTH = '(?<month>1[0-2]|0?\\d)';
const MONTH_LZ = '(?<month>1[0-2]|0\\d)';
const DAY = '(?<day>3[01]|[0-2]?\\d)';
const DAY_LZ = '(?<day>3[01]|[0-2]\\d)';
const DAY_TH = `${DAY}(?:st|nd|rd|th)?`;
const YEAR = '(?<year>\\d{1,4})';
const YEAR4 = '(?<year>\\d{4})';
const MONTH_ABBR = `(?<month>${MONTH_ABBREVIATIONS})`;
/** Roman numerals count in capitals only (`0x10` is no date), so their rules are case-sensitive (`exact`). */
const MONTH_TEXT = `(?<month>${anyCase(MONTH_NAMES)}|VIII|VII|VI|V|IV|III|II|IX|I|XII|XI|X)`;
const GAP = '[ \\t.-]*';
const AFTER_DAY = '[,.stndrh\\t ]+';
const SHORT_DATE = `${MONTH_TEXT}${GAP}${DAY}(?:${AFTER_DAY}|$)`;
const CORRECTION =
  '(?:GMT)?[+-](?:(?:2[0-4]|[01]\\d):?[0-5]\\d:?[0-5]\\d|(?:2[0-4]|[01]?\\d)(?::?[0-5]?\\d)?)';
const NTH = `(?<nth>${ORDINAL_WORDS})`;

/** PHP's date formats; at each position the longest match wins, of equally long ones the first. */
export const DATE_RULES: readonly DateRule[] = [
  // Words
  rule('yesterday', (draft) => startOfDay(draft, -1)),
  rule('now'),
  rule('noon', (draft) => {
    draft.clearTime();
    draft.setTime(12);
  }),
  rule('midnight|today', (draft) => draft.clearTime()),
  rule('tomorrow', (draft) => startOfDay(draft, 1)),
  rule('@(?<seconds>-?\\d+)(?:\\.\\d{0,6})?', (draft, { seconds }) => draft.setTimestamp(Number(seconds))),
  rule('(?<which>first|last) day of', (draft, { which }) => {
    draft.edge = which?.toLowerCase() === 'first' ? 'first' : 'last';
  }),
  rule(`(?<which>back|front) of ${H24}(?:[ \\t]*${MERIDIAN})?`, (draft, { which, hour, meridian }) => {
    draft.clearTime();
    const front = which?.toLowerCase() === 'front';
    draft.setTime(hour12(hour, meridian) - (front ? 1 : 0), front ? 45 : 15);
  }),
  rule(`${NTH}[ \\t]+(?<day>${WEEKDAY_NAMES})[ \\t]+of`, (draft, { nth = '', day = '' }) => {
    const count = ordinalNumber(nth);
    draft.ofMonth = count > 0 ? 'start' : 'end';
    shiftBy(draft, count, day, count > 0 || isThis(nth) ? 1 : 0);
  }),

  // Times of day
  rule(`${H12}[ \\t]*${MERIDIAN}`),
  rule(`${H12}[:.]${MINUTE_LZ}[ \\t]*${MERIDIAN}`),
  rule(`${H12}[:.]${MINUTE}[:.]${SECOND_LZ}[ \\t]*${MERIDIAN}`),
  rule(`${H12}:${MINUTE_LZ}:${SECOND_LZ}[:.]\\d+${MERIDIAN}`),
  rule(`t${H24}`),
  rule(`t?${H24}[:.]${MINUTE}(?:[:.]${SECOND}(?:\\.\\d+)?)?`),
  rule(`t?${H24LZ}${MINUTE_LZ}`, (draft, groups) => {
    // Behind a time four digits are the year: `Sat Apr 30 17:52:13 2016`.
    if (draft.hasTime) draft.parts.year = Number(`${groups['hour']}${groups['minute']}`);
    else setParts(draft, groups);
  }),
  rule(`t?${H24LZ}${MINUTE_LZ}${SECOND_LZ}`),

  // Dates in digits
  rule(`${MONTH}/${DAY}(?:/${YEAR})?`),
  rule(`${YEAR4}/${MONTH}/${DAY}/?`),
  rule(`(?<year>[+-]?\\d{4}|[+-]\\d{5,19})-${MONTH_LZ}-${DAY_LZ}`),
  rule(`${YEAR4}-${MONTH}`),
  rule(`${YEAR}-${MONTH}-${DAY}`),
  rule(`${YEAR4}${MONTH_LZ}${DAY_LZ}`),
  rule(`${DAY}[.\\t-]${MONTH}[.-]${YEAR4}`),
  rule(`${DAY}[.\\t]${MONTH}\\.(?<year>\\d\\d)`),
  rule(`${YEAR4}[.-]?(?<day>00[1-9]|0[1-9]\\d|[12]\\d\\d|3[0-5]\\d|36[0-6])`, (draft, { year, day }) =>
    draft.setDate(Number(year), 1, Number(day)),
  ),
  rule(`${YEAR4}-?W(?<week>0[1-9]|[1-4]\\d|5[0-3])(?:-?(?<day>[0-7]))?`, (draft, { year, week, day = 1 }) => {
    draft.setDate(Number(year), 1, 1);
    draft.shift.day = daysToWeek(Number(year), Number(week), Number(day));
  }),
  rule(`${YEAR4}:${MONTH_LZ}:${DAY_LZ} ${H24LZ}:${MINUTE_LZ}:${SECOND_LZ}`),
  rule(YEAR4, (draft, { year }) => {
    draft.parts.year = Number(year);
  }),

  // Dates with a month's name
  exact(`${DAY_TH}${GAP}${MONTH_TEXT}${GAP}${YEAR}`),
  exact(`${MONTH_TEXT}${GAP}${YEAR4}`),
  exact(`${YEAR4}${GAP}${MONTH_TEXT}`),
  exact(`${MONTH_TEXT}${GAP}${DAY}${AFTER_DAY}${YEAR}`),
  exact(SHORT_DATE),
  exact(`${DAY_TH}${GAP}${MONTH_TEXT}`),
  rule(`${MONTH_ABBR}-${DAY_LZ}-${YEAR}`),
  rule(`${YEAR}-${MONTH_ABBR}-${DAY_LZ}`),
  rule(`${DAY}/${MONTH_ABBR}/${YEAR4}:${H24LZ}:${MINUTE_LZ}:${SECOND_LZ}[ \\t]+(?<offset>${CORRECTION})`),

  // Relative words, zones
  rule('ago', (draft) => draft.reverse()),
  rule(`(?<day>${WEEKDAY_NAMES}|weekdays?)`, (draft, { day = '' }) => {
    draft.clearTime();
    draft.weekday = { day: weekdayNumber(day), rule: draft.weekday?.rule === 2 ? 2 : 1 };
  }),
  rule('(?<nth>next|last|previous|this)[ \\t]+week', (draft, { nth = '' }) => {
    draft.shift.day += ordinalNumber(nth) * 7;
    draft.weekday = { day: draft.weekday?.day ?? 1, rule: 2 };
  }),
  rule(`${NTH}[ \\t]+(?<unit>${UNIT_NAMES})`, (draft, { nth = '', unit = '' }) =>
    shiftBy(draft, ordinalNumber(nth), unit, isThis(nth) ? 1 : 0),
  ),
  rule(`(?<month>${MONTH_NAMES})`),
  rule(`(?<offset>${CORRECTION})`),
  rule('\\(?(?<zone>[A-Za-z]{1,6})\\)?'),
  exact('(?<zone>[A-Z][a-z]+(?:[_/][A-Z][a-z]+)+)'),
  exact(`${SHORT_DATE}${H12}[:.]${MINUTE_LZ}(?:[:.]${SECOND_LZ})?[ \\t]*${MERIDIAN}`),
  exact(`${SHORT_DATE}[tT]?${H24}[:.]${MINUTE}(?:[:.]${SECOND})?`),
  exact(`${SHORT_DATE}[tT]?${H24}[:.]${MINUTE}[:.]${SECOND_LZ}[ \\t]*(?<zone>${CORRECTION}|[A-Za-z]{1,6})`),
  rule(`(?<signs>[+-]*)[ \\t]*(?<count>\\d{1,13})[ \\t]*(?<unit>${UNIT_NAMES}|week)`, (draft, groups) => {
    const { signs = '', count, unit = '' } = groups;
    const negative = signs.replaceAll('+', '').length % 2 === 1;
    shiftBy(draft, negative ? -Number(count) : Number(count), unit, 1, true);
  }),

  // Separators: a whole run at once, so that long runs stay linear
  rule('[ .,\\t]+'),
];

function rule(source: string, apply: DateRule['apply'] = setParts, flags = 'iy'): DateRule {
  return { pattern: new RegExp(source, flags), apply };
}

function exact(source: string): DateRule {
  return rule(source, setParts, 'y');
}

function anyCase(words: string): string {
  return words.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}

function startOfDay(draft: DateDraft, days: number): void {
  draft.clearTime();
  draft.shift.day = days;
}

/** Sets date, time of day and zone from the groups; a year with a month means the first day. */
function setParts(draft: DateDraft, groups: Groups): void {
  const { year, month, day = year && '1', hour, minute = 0, second = 0, meridian, offset, zone } = groups;
  if (month)
    draft.setDate(year ? fullYear(year) : undefined, monthNumber(month), day ? Number(day) : undefined);
  if (hour) draft.setTime(hour12(hour, meridian), Number(minute), Number(second));
  if (offset) draft.setZone(() => findOffset(offset));
  if (zone) draft.setZone(() => findZone(zone));
}

/** Expands two-digit years to 1970–2069. */
function fullYear(digits: string): number {
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
