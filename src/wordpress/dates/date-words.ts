import type { DateDraft, Shift } from './date-draft.js';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const ROMANS = ['i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix', 'x', 'xi', 'xii'];
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const ORDINALS = [
  'this first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'.split(' '),
  'this next second third fourth fifth sixth seventh eight'.split(' '),
];

const UNITS: readonly (readonly [start: string, unit: keyof Shift, size: number])[] = [
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
];

/** The month (1 to 12) of an English name, its abbreviation or a Roman number. */
export function monthNumber(word: string): number {
  const lower = word.toLowerCase();
  const roman = ROMANS.indexOf(lower);
  return (roman >= 0 ? roman : MONTHS.indexOf(lower.slice(0, 3))) + 1;
}

/** The number that an ordinal word means: `last` and `previous` -1, `this` 0, `next` and `first` 1. */
export function ordinalNumber(word: string): number {
  const lower = word.toLowerCase();
  if (lower === 'last' || lower === 'previous') return -1;
  return Math.max(...ORDINALS.map((words) => words.indexOf(lower)));
}

/** The weekday (0 is Sunday) of a name or its abbreviation; `weekday` itself counts as Monday, as PHP has it. */
export function weekdayNumber(word: string): number {
  const lower = word.toLowerCase();
  return lower.startsWith('weekday') ? 1 : WEEKDAYS.indexOf(lower.slice(0, 3));
}

/**
 * Moves a draft by so many units. A weekday name counts weeks and then moves to that day: by `rule`, see
 * `WeekdayTarget`. `keepTime` tells `+1 monday` from `first monday`, which starts at midnight.
 */
export function shiftBy(
  draft: DateDraft,
  amount: number,
  unit: string,
  rule: 0 | 1,
  keepTime: boolean,
): void {
  const lower = unit.toLowerCase();
  const found = UNITS.find(([start]) => lower.startsWith(start));
  if (found && found[2] !== 0) {
    draft.shift[found[1]] += amount * found[2];
    return;
  }
  if (!keepTime) draft.clearTime();
  if (found) {
    draft.businessDays = amount;
  } else {
    draft.shift.day += (amount > 0 ? amount - 1 : amount) * 7;
    draft.weekday = { day: weekdayNumber(lower), rule };
  }
}
