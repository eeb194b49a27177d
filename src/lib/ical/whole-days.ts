import { DAY } from '../recurrence/calendar-days.js';
import { formatWallClock, parseWallClock, secondsBetween } from '../wordpress-text/dates/wall-clock.js';

/** The first and last day of an all-day event and the day after, each `YYYY-MM-DD`; days may start at a cutoff. */
export function wholeDays(start: string, end: string): { first: string; last: string; after: string } {
  const days = Math.max(1, Math.ceil(secondsBetween(start, end) / DAY));
  const first = start.slice(0, 10);
  return { first, last: daysLater(first, days - 1), after: daysLater(first, days) };
}

/** Whether the day `YYYY-MM-DD` exists. */
export function isDay(day: string): boolean {
  return parseWallClock(day) !== undefined && daysLater(day, 0) === day;
}

/** Adds days to `YYYY-MM-DD`. */
export function daysLater(day: string, days: number): string {
  return formatWallClock((parseWallClock(day) ?? 0) + days * DAY).slice(0, 10);
}
