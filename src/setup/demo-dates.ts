import { formatWallClock, parseWallClock } from '../lib/wordpress-text/dates/wall-clock.js';
import type { DemoDates, DemoEvent } from './demo-data.js';

const MINUTE = 60;
const DAY = 86_400;

/** The dates of a demo event as request parameters; `today` is `YYYY-MM-DD…`. */
export function datesOf({ week, weekday, time, length }: DemoDates, today: string) {
  const monday = startOfDay(today) - daysSinceMonday(today) * DAY;
  const day = monday + (7 * week + weekday) * DAY;
  const allDay = time === undefined;
  const start = parseWallClock(`${formatWallClock(day).slice(0, 10)} ${time ?? '00:00'}:00`) ?? day;
  const end = allDay ? start + (length - 1) * DAY : start + length * MINUTE;
  return { start_date: formatWallClock(start), end_date: formatWallClock(end), all_day: allDay };
}

/** Eleven o'clock the given days after today. */
export function daysFrom(today: string, days: number): string {
  return `${formatWallClock(startOfDay(today) + days * DAY).slice(0, 10)} 11:00:00`;
}

/** The repetitions of an event. */
export function timesOf({ times = 1, every = 0, week, ...event }: DemoEvent): DemoEvent[] {
  return Array.from({ length: times }, (_, at) => ({ ...event, week: week + at * every }));
}

function startOfDay(today: string): number {
  return parseWallClock(`${today.slice(0, 10)} 00:00:00`) ?? 0;
}

function daysSinceMonday(today: string): number {
  // 1970-01-01 was a Thursday.
  return (startOfDay(today) / DAY + 3) % 7;
}
