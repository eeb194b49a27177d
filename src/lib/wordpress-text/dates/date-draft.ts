import type { WallClock } from './wall-clock.js';
import { TIMESTAMP_ZONE, type Zone } from './zones.js';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** The months as Roman numerals. */
const ROMANS = ['i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix', 'x', 'xi', 'xii'];
/** English abbreviations of the weekdays, Sunday first. */
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
/** Ordinal words; the index is the number. */
const ORDINALS = [
  'this first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'.split(' '),
  'this next second third fourth fifth sixth seventh eight'.split(' '),
];

/** Units of time: the beginning of the name, the unit it is measured in, and its size; 0 means business days. */
const UNITS = [
  ['mic', 'second', 1e-6],
  ['us', 'second', 1e-6],
  ['µs', 'second', 1e-6],
  ['mil', 'second', 1e-3],
  ['ms', 'second', 1e-3],
  ['sec', 'second', 1],
  ['min', 'minute', 1],
  ['hour', 'hour', 1],
  ['day', 'day', 1],
  ['weekd', 'day', 0],
  ['week', 'day', 7],
  ['fort', 'day', 14],
  ['forth', 'day', 14],
  ['month', 'month', 1],
  ['year', 'year', 1],
] as const;

/** The abbreviations of months, as regular expression source. */
export const MONTH_ABBREVIATIONS = 'jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec';
/** All names of months except Roman numerals, likewise. */
export const MONTH_NAMES = `january|february|march|april|june|july|august|september|october|november|december|${MONTH_ABBREVIATIONS}`;
/** The names of weekdays, likewise. */
export const WEEKDAY_NAMES = '(?:sun|mon|tues|wednes|thurs|fri|satur)days?|sun|mon|tue|wed|thu|fri|sat';
/** The names of units of time, weekdays among them, likewise. */
export const UNIT_NAMES =
  '(?:microsecond|millisecond|msec|usec|µsec|second|sec|minute|min|hour|day|fortnight|forthnight|month|year)s?|' +
  `ms|µs|weekdays?|weeks|${WEEKDAY_NAMES}`;
/** The ordinal words that count units, likewise. */
export const ORDINAL_WORDS =
  'first|second|third|fourth|fifth|sixth|seventh|eighth?|ninth|tenth|eleventh|twelfth|next|last|previous|this';

/** The fields set so far while parsing a date text; a second date or time, or a third zone, makes parsing fail. */
export class DateDraft {
  failed = false;
  hasDate = false;
  hasTime = false;
  zone?: Zone;
  parts: Partial<WallClock> = {};
  /** The relative offset by unit (`+2 days`). */
  shift: WallClock = { year: 0, month: 0, day: 0, hour: 0, minute: 0, second: 0 };
  /** The target weekday. `rule`: 0 never stays on the same day, 1 may stay, 2 counts within the week from Monday. */
  weekday?: { day: number; rule: 0 | 1 | 2 };
  /** The relative offset in business days. */
  businessDays = 0;
  /** `first day of`, `last day of`. */
  edge?: 'first' | 'last';
  /** `first monday of` counts weekdays from the start of the month, `last monday of` from its end. */
  ofMonth?: 'start' | 'end';
  private zones = 0;

  setDate(year: number | undefined, month: number, day?: number): void {
    if (this.hasDate) this.failed = true;
    this.hasDate = true;
    if (year !== undefined) this.parts.year = year;
    this.parts.month = month;
    if (day !== undefined) this.parts.day = day;
  }

  setTime(hour: number, minute = 0, second = 0): void {
    if (this.hasTime) this.failed = true;
    this.hasTime = true;
    Object.assign(this.parts, { hour, minute, second });
  }

  /** Sets midnight; a time may still follow. */
  clearTime(): void {
    this.hasTime = false;
    Object.assign(this.parts, { hour: 0, minute: 0, second: 0 });
  }

  /** Sets the zone; a second one is ignored, as PHP only warns about it. */
  setZone(find: () => Zone | undefined): void {
    this.zones++;
    if (this.zones === 1) this.zone = find();
    if (!this.zone || this.zones > 2) this.failed = true;
  }

  /** Sets an instant, which replaces date, time and zone. */
  setTimestamp(seconds: number): void {
    this.setZone(() => TIMESTAMP_ZONE);
    this.hasDate = false;
    this.hasTime = false;
    this.parts = { year: 1970, month: 1, day: 1, hour: 0, minute: 0, second: 0 };
    this.shift.second += seconds;
  }

  /** `ago` negates the relative offset. */
  reverse(): void {
    for (const unit of Object.keys(this.shift) as (keyof WallClock)[])
      this.shift[unit] = 0 - this.shift[unit];
    this.businessDays = 0 - this.businessDays;
    if (this.weekday) this.weekday.day = this.weekday.day === 0 ? -7 : -this.weekday.day;
  }
}

/** The month (1 to 12) of an English name, its abbreviation, a Roman number or digits. */
export function monthNumber(word: string): number {
  const lower = word.toLowerCase();
  return Number(lower) || ROMANS.indexOf(lower) + 1 || MONTHS.indexOf(lower.slice(0, 3)) + 1;
}

/** The number of an ordinal word: `last` and `previous` -1, `this` 0, `next` and `first` 1. */
export function ordinalNumber(word: string): number {
  const lower = word.toLowerCase();
  if (lower === 'last' || lower === 'previous') return -1;
  return Math.max(...ORDINALS.map((words) => words.indexOf(lower)));
}

/** The weekday (0 is Sunday) of a name or abbreviation; the word `weekday` counts as Monday, as in PHP. */
export function weekdayNumber(word: string): number {
  const lower = word.toLowerCase();
  return lower.startsWith('weekday') ? 1 : WEEKDAYS.indexOf(lower.slice(0, 3));
}

/** Shifts a draft by units, or weeks and a weekday by `rule`; `keepTime` as in `+1 monday`. */
export function shiftBy(draft: DateDraft, amount: number, unit: string, rule: 0 | 1, keepTime = false): void {
  const lower = unit.toLowerCase();
  const [start, part, size = 0] = UNITS.find(([word]) => lower.startsWith(word)) ?? [];
  if (part !== undefined && size !== 0) {
    draft.shift[part] += amount * size;
    return;
  }
  if (!keepTime) draft.clearTime();
  if (start !== undefined) {
    draft.businessDays = amount;
  } else {
    draft.shift.day += (amount > 0 ? amount - 1 : amount) * 7;
    draft.weekday = { day: weekdayNumber(lower), rule };
  }
}
