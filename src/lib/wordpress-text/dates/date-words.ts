import { MONTHS, ORDINALS, ROMANS, UNITS, WEEKDAYS } from './data/date-words.js';
import type { DateDraft } from './date-draft.js';

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

/**
 * Shifts a draft by `amount` units. A weekday name counts weeks, then moves to that day by `rule` (see
 * `DateDraft.weekday`). `keepTime` distinguishes `+1 monday` from `first monday`, which starts at midnight.
 */
export function shiftBy(
  draft: DateDraft,
  amount: number,
  unit: string,
  rule: 0 | 1,
  keepTime: boolean,
): void {
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
