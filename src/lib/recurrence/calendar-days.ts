import { daysFromCivil } from '../wordpress-text/dates/wall-clock.js';

/** Days are counted from 1970-01-01 in the proleptic Gregorian calendar, weekdays from 0 for Monday. */

/** Seconds of a day. */
export const DAY = 86_400;

/** A month with its days. */
export interface Month {
  year: number;
  /** 1 to 12. */
  month: number;
  /** Its first day. */
  first: number;
  length: number;
}

const LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const CYCLE_DAYS = 146_097;

/** The month of a day. */
export function monthOf(day: number): Month {
  const shifted = day + 719_468;
  const cycle = Math.floor(shifted / CYCLE_DAYS);
  const dayOfCycle = shifted - cycle * CYCLE_DAYS;
  const yearOfCycle = Math.floor(
    (dayOfCycle -
      Math.floor(dayOfCycle / 1460) +
      Math.floor(dayOfCycle / 36_524) -
      Math.floor(dayOfCycle / 146_096)) /
      365,
  );
  const dayOfYear =
    dayOfCycle - (365 * yearOfCycle + Math.floor(yearOfCycle / 4) - Math.floor(yearOfCycle / 100));
  const fromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
  const year = yearOfCycle + cycle * 400 + (month <= 2 ? 1 : 0);
  const first = day - (dayOfYear - Math.floor((153 * fromMarch + 2) / 5));
  return { year, month, first, length: lengthOf(year, month) };
}

/** The month with the number `year * 12 + month - 1`. */
export function monthAt(number: number): Month {
  const year = Math.floor(number / 12);
  const month = number - year * 12 + 1;
  return { year, month, first: daysFromCivil(year, month, 1), length: lengthOf(year, month) };
}

/** The weekday of a day. */
export function weekdayOf(day: number): number {
  return mod(day + 3, 7);
}

/** The first day of the week of a day; weeks begin on `weekStart`. */
export function weekOf(day: number, weekStart: number): number {
  return day - mod(weekdayOf(day) - weekStart, 7);
}

/** The first day of week 1 of a year: the first week with at least four days in it. */
export function firstWeekOf(year: number, weekStart: number): number {
  return weekOf(daysFromCivil(year, 1, 4), weekStart);
}

/** The remainder with the sign of the divisor. */
export function mod(value: number, divisor: number): number {
  return value - Math.floor(value / divisor) * divisor;
}

function lengthOf(year: number, month: number): number {
  const isLeap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return isLeap ? 29 : (LENGTHS[month - 1] ?? 31);
}
