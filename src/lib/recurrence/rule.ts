import { RecurrenceError } from './recurrence-error.js';

/** `FREQ`, from the shortest to the longest. */
export const FREQUENCIES = [
  ...(['SECONDLY', 'MINUTELY', 'HOURLY'] as const),
  ...(['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const),
] as const;
export type Frequency = (typeof FREQUENCIES)[number];

/** The weekdays of `BYDAY` and `WKST`, by number. */
export const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;

/** An item of `BYDAY`: the `n`-th such weekday of the month or year, negative from its end; 0 for each one. */
export interface RuleDay {
  n: number;
  weekday: number;
}

/** A `RECUR` value of RFC 5545 with `SKIP` of RFC 7529; lists are absent where the part is missing. */
export interface Rule {
  freq: Frequency;
  interval: number;
  count?: number;
  /** As written: `20270301` or `20270301T180000`, with `Z` in UTC. */
  until?: string;
  weekStart: number;
  byMonth?: readonly number[];
  byWeekNo?: readonly number[];
  byYearDay?: readonly number[];
  byMonthDay?: readonly number[];
  byDay?: readonly RuleDay[];
  byHour?: readonly number[];
  byMinute?: readonly number[];
  bySecond?: readonly number[];
  bySetPos?: readonly number[];
  /** What becomes of a day that its month does not have. */
  skip: 'OMIT' | 'BACKWARD' | 'FORWARD';
}

/** The maximum of `COUNT`: a daily event of 270 years. */
export const MAX_COUNT = 100_000;
const MAX_INTERVAL = 10_000_000;

/** The lists of numbers: member, lowest and highest value, and whether negative ones count from the end. */
const LISTS = {
  BYSECOND: { member: 'bySecond', from: 0, to: 60, isSigned: false },
  BYMINUTE: { member: 'byMinute', from: 0, to: 59, isSigned: false },
  BYHOUR: { member: 'byHour', from: 0, to: 23, isSigned: false },
  BYMONTHDAY: { member: 'byMonthDay', from: 1, to: 31, isSigned: true },
  BYYEARDAY: { member: 'byYearDay', from: 1, to: 366, isSigned: true },
  BYWEEKNO: { member: 'byWeekNo', from: 1, to: 53, isSigned: true },
  BYMONTH: { member: 'byMonth', from: 1, to: 12, isSigned: false },
  BYSETPOS: { member: 'bySetPos', from: 1, to: 366, isSigned: true },
} as const;

/** The maximum of items of a list. */
const MAX_ITEMS = 732;

/** Parses a `RECUR` value in any case; throws `RecurrenceError`. */
export function parseRule(text: string): Rule {
  const parts = new Map<string, string>();
  // Other programs escape the separators, as those of a text.
  for (const part of text.replaceAll('\\', '').toUpperCase().split(';')) {
    // Other programs write a semicolon at the end.
    if (part.trim() === '') continue;
    const [name = '', value, ...rest] = part.split('=').map((one) => one.trim());
    if (value === undefined || value === '' || rest.length > 0) throw invalid(`"${part}" is no rule part`);
    if (parts.has(name)) throw invalid(`${name} is there twice`);
    parts.set(name, value);
  }
  const rule = { ...scalars(parts), ...lists(parts) };
  for (const name of parts.keys())
    if (!SCALARS.has(name) && !(name in LISTS) && name !== 'BYDAY')
      throw new RecurrenceError('unsupported', `${name} is not supported`);
  checkCombination(rule);
  return rule;
}

/** Formats a rule as a `RECUR` value. */
export function formatRule(rule: Rule): string {
  const days = rule.byDay?.map(({ n, weekday }) => `${n === 0 ? '' : n}${WEEKDAYS[weekday]}`);
  return [
    ...(rule.skip === 'OMIT' ? [] : ['RSCALE=GREGORIAN']),
    `FREQ=${rule.freq}`,
    ...(rule.interval === 1 ? [] : [`INTERVAL=${rule.interval}`]),
    ...(rule.count === undefined ? [] : [`COUNT=${rule.count}`]),
    ...(rule.until === undefined ? [] : [`UNTIL=${rule.until}`]),
    ...Object.entries(LISTS).flatMap(([name, { member }]) => {
      const list = rule[member];
      const day = name === 'BYSETPOS' && days ? [`BYDAY=${days.join(',')}`] : [];
      return [...day, ...(list ? [`${name}=${list.join(',')}`] : [])];
    }),
    ...(rule.weekStart === 0 ? [] : [`WKST=${WEEKDAYS[rule.weekStart]}`]),
    ...(rule.skip === 'OMIT' ? [] : [`SKIP=${rule.skip}`]),
  ].join(';');
}

const SCALARS: ReadonlySet<string> = new Set([
  ...['FREQ', 'INTERVAL', 'COUNT', 'UNTIL', 'WKST', 'RSCALE', 'SKIP'],
]);

function scalars(parts: ReadonlyMap<string, string>) {
  const scale = parts.get('RSCALE') ?? 'GREGORIAN';
  if (scale !== 'GREGORIAN')
    throw new RecurrenceError('unsupported', `the calendar RSCALE=${scale} is not supported`);
  const freq = FREQUENCIES.find((one) => one === parts.get('FREQ'));
  if (!freq) throw invalid(parts.has('FREQ') ? `FREQ=${parts.get('FREQ')} is unknown` : 'FREQ is missing');
  const skip = parts.get('SKIP') ?? 'OMIT';
  if (skip !== 'OMIT' && skip !== 'BACKWARD' && skip !== 'FORWARD') throw invalid(`SKIP=${skip} is unknown`);
  const weekStart = WEEKDAYS.findIndex((day) => day === (parts.get('WKST') ?? 'MO'));
  if (weekStart < 0) throw invalid(`WKST=${parts.get('WKST')} is no weekday`);
  const until = parts.get('UNTIL');
  if (until !== undefined && !/^\d{8}(?:T\d{6}Z?)?$/.test(until)) throw invalid(`UNTIL=${until} is no date`);
  const count = positive(parts, 'COUNT');
  if (count !== undefined && until !== undefined) throw invalid('COUNT and UNTIL exclude each other');
  if (count !== undefined && count > MAX_COUNT)
    throw new RecurrenceError('too_much', `COUNT=${count} is more than ${MAX_COUNT}`);
  const interval = positive(parts, 'INTERVAL') ?? 1;
  if (interval > MAX_INTERVAL)
    throw new RecurrenceError('too_much', `INTERVAL=${interval} is more than ${MAX_INTERVAL}`);
  return {
    freq,
    interval,
    weekStart,
    skip,
    ...(count !== undefined && { count }),
    ...(until !== undefined && { until }),
  } satisfies Rule;
}

function positive(parts: ReadonlyMap<string, string>, name: string): number | undefined {
  const text = parts.get(name);
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text) || Number(text) === 0) throw invalid(`${name}=${text} is no number from 1 on`);
  return Number(text);
}

function lists(parts: ReadonlyMap<string, string>): Partial<Rule> {
  const found: Record<string, unknown> = {};
  for (const [name, { member, from, to, isSigned }] of Object.entries(LISTS)) {
    const numbers = parts.get(name)?.split(',');
    if (!numbers) continue;
    found[member] = sorted(name, numbers, (item) => {
      const match = (isSigned ? /^[+-]?\d{1,3}$/ : /^\d{1,2}$/).test(item);
      const size = Math.abs(Number(item));
      return match && size >= from && size <= to ? Number(item) : undefined;
    });
  }
  const days = parts.get('BYDAY')?.split(',');
  if (days) {
    if (days.length > MAX_ITEMS) throw tooLong('BYDAY');
    found['byDay'] = days.map((item) => {
      const [, sign, digits, name = ''] = /^([+-]?)(\d{0,2})([A-Z]{2})$/.exec(item.trim()) ?? [];
      const weekday = WEEKDAYS.indexOf(name as (typeof WEEKDAYS)[number]);
      const n = Number(`${sign}${digits || '0'}`);
      if (weekday < 0 || Math.abs(n) > 53 || (digits !== '' && n === 0) || (sign !== '' && n === 0))
        throw invalid(`BYDAY=${item} is no weekday`);
      return { n, weekday };
    });
  }
  return found;
}

function sorted(name: string, items: readonly string[], read: (item: string) => number | undefined) {
  if (items.length > MAX_ITEMS) throw tooLong(name);
  const numbers = items.map((item) => {
    const number = read(item.trim());
    if (number === undefined) throw invalid(`${name}=${item} is out of range`);
    return number;
  });
  return [...new Set(numbers)].sort((a, b) => a - b);
}

/** Rejects the combinations that RFC 5545, 3.3.10, forbids. */
function checkCombination(rule: Rule): void {
  const { freq, byDay, byWeekNo, byYearDay, byMonthDay, bySetPos } = rule;
  const isMonthOrYear = freq === 'MONTHLY' || freq === 'YEARLY';
  if (byWeekNo && freq !== 'YEARLY') throw invalid(`BYWEEKNO is not allowed with FREQ=${freq}`);
  if (byYearDay && ['DAILY', 'WEEKLY', 'MONTHLY'].includes(freq))
    throw invalid(`BYYEARDAY is not allowed with FREQ=${freq}`);
  if (byMonthDay && freq === 'WEEKLY') throw invalid('BYMONTHDAY is not allowed with FREQ=WEEKLY');
  if (byDay?.some(({ n }) => n !== 0) && (!isMonthOrYear || byWeekNo))
    throw invalid(`a numbered BYDAY is not allowed with ${byWeekNo ? 'BYWEEKNO' : `FREQ=${freq}`}`);
  const others = Object.values(LISTS).filter(({ member }) => member !== 'bySetPos');
  if (bySetPos && !byDay && others.every(({ member }) => !rule[member]))
    throw invalid('BYSETPOS needs another BY part');
}

function invalid(reason: string): RecurrenceError {
  return new RecurrenceError('invalid', reason);
}

function tooLong(name: string): RecurrenceError {
  return new RecurrenceError('too_much', `${name} has more than ${MAX_ITEMS} items`);
}
