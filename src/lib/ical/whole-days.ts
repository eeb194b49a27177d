import { formatWallClock, parseWallClock, secondsBetween } from '../wordpress-text/dates/wall-clock.js';

const DAY = 86_400;

/** The first day of an event that lasts all day, its last one, and the one after that, each `YYYY-MM-DD`; days may begin late. */
export function wholeDays(start: string, end: string): { first: string; last: string; after: string } {
  const days = Math.max(1, Math.ceil(secondsBetween(start, end) / DAY));
  const first = start.slice(0, 10);
  return { first, last: daysLater(first, days - 1), after: daysLater(first, days) };
}

/** Whether `YYYY-MM-DD` is a day of the calendar, which the 30th of February is not. */
export function isDay(day: string): boolean {
  return parseWallClock(day) !== undefined && daysLater(day, 0) === day;
}

/** `YYYY-MM-DD` so many days later. */
export function daysLater(day: string, days: number): string {
  return formatWallClock((parseWallClock(day) ?? 0) + days * DAY).slice(0, 10);
}
