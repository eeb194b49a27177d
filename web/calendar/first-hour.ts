import type { EventInput } from 'fullcalendar';
import { isWithin } from './to-event.js';

interface Range {
  start: Date;
  end: Date;
}

const MORNING = 7;
/** Who looks at a day rarely looks for what begins in the night. */
const NIGHT_ENDS = 6;

/** The first hour of a week or day: the first that anything happens in, and never later than 8. */
export function firstHour(events: readonly EventInput[], range: Range): string {
  const hours = timed(events, range).map(({ start, end }) =>
    isOverMidnight(String(start), String(end ?? start), range) ? 0 : hourOf(start),
  );
  return hourText(Math.min(8, ...hours));
}

/** The hour to scroll to: that before the first event of the day, or before now; `now` is `YYYY-MM-DD HH:MM:SS`. */
export function scrollHour(events: readonly EventInput[], range: Range, now: string): string {
  const starts = timed(events, range).filter(({ start }) => String(start) >= dayText(range.start));
  const isToday = now >= dayText(range.start) && now < dayText(range.end);
  const hours = [...starts.map(({ start }) => hourOf(start)), ...(isToday ? [hourOf(now)] : [])];
  const byDay = hours.filter((hour) => hour >= NIGHT_ENDS);
  const first = Math.min(...(byDay.length > 0 ? byDay : hours));
  return hourText(Number.isFinite(first) ? Math.max(first - 1, 0) : MORNING);
}

const timed = (events: readonly EventInput[], range: Range) =>
  events.filter((event) => !event.allDay && isWithin(event, range));

/** Whether a day of the range begins with the rest of an event. */
function isOverMidnight(start: string, end: string, range: Range): boolean {
  if (start < dayText(range.start)) return true;
  const day = end.slice(0, 10);
  return day > start.slice(0, 10) && day < dayText(range.end) && end > `${day}T00:00:00`;
}

const dayText = (date: Date) => date.toISOString().slice(0, 10);
const hourOf = (wall: unknown) => Number(String(wall).slice(11, 13));
const hourText = (hour: number) => `${String(hour).padStart(2, '0')}:00:00`;
