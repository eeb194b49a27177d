import type { Row, Values } from '../model.js';

const DAY_MS = 86_400_000;

/** By how many days the start and the end of an event move. */
export interface Move {
  start: number;
  end: number;
}

/** The values of a form, or a record as far as its own clock goes, after a move. */
export const moved = <Timed extends Values | Row>(timed: Timed, by: Move): Timed => ({
  ...timed,
  start_date: laterBy(by.start, String(timed['start_date'])),
  end_date: laterBy(by.end, String(timed['end_date'])),
});

/** A wall clock that begins with its day, days later at the same time of day. */
export function laterBy(days: number, clock: string): string {
  const later = new Date(Date.parse(`${clock.slice(0, 10)}T00:00:00Z`) + days * DAY_MS);
  return later.toISOString().slice(0, -14) + clock.slice(10);
}

/** The days from one day to another, each `YYYY-MM-DD`; not a number for other texts. */
export const daysBetween = (before: string, after: string): number =>
  Math.round((Date.parse(`${after}T00:00:00Z`) - Date.parse(`${before}T00:00:00Z`)) / DAY_MS);
