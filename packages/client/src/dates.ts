import type { Event } from './records.js';

type Instants = Pick<Event, 'utc_start_date' | 'utc_end_date'>;
type Dated = Pick<Event, 'start_date' | 'end_date' | 'timezone'> & Instants;

/** When an event is. */
export interface EventDates {
  start: Date;
  end: Date;
}

/** When an event is, on the clocks of its time zone. */
export interface ZonedDates<Zoned> {
  start: Zoned;
  end: Zoned;
}

/** The part of Temporal that is used: the runtime's own, or that of a polyfill. */
export interface TemporalLike<Zoned> {
  Instant: { from(text: string): { toZonedDateTimeISO(timeZone: string): Zoned } };
}

/** `Temporal.ZonedDateTime` where TypeScript's libraries have it. */
type OwnZoned = typeof globalThis extends { Temporal: TemporalLike<infer Zoned> } ? Zoned : unknown;

/** The two instants of an event; undefined where a password hides them. */
export function dates({ utc_start_date, utc_end_date }: Instants): EventDates | undefined {
  const start = instantOf(utc_start_date);
  const end = instantOf(utc_end_date);
  return start && end ? { start: new Date(start), end: new Date(end) } : undefined;
}

/**
 * The same as `Temporal.ZonedDateTime`, of the runtime or of a polyfill that is handed in; throws a `TypeError` where there is
 * neither.
 */
export function zonedDates(event: Dated): ZonedDates<OwnZoned> | undefined;
export function zonedDates<Zoned>(event: Dated, temporal: TemporalLike<Zoned>): ZonedDates<Zoned> | undefined;
export function zonedDates(
  { start_date, end_date, utc_start_date, utc_end_date, timezone }: Dated,
  temporal: TemporalLike<unknown> | undefined = (globalThis as { Temporal?: TemporalLike<unknown> }).Temporal,
): ZonedDates<unknown> | undefined {
  if (!temporal) throw new TypeError('This runtime has no Temporal: hand one in.');
  const start = instantOf(utc_start_date);
  const end = instantOf(utc_end_date);
  if (!start || !end) return undefined;
  const zoned = (utc: string, wall: string | null) => {
    const instant = temporal.Instant.from(utc);
    try {
      return instant.toZonedDateTimeISO(timezone || 'UTC');
    } catch {
      return instant.toZonedDateTimeISO(offsetOf(utc, wall));
    }
  };
  return { start: zoned(start, start_date), end: zoned(end, end_date) };
}

/** `2026-11-21 10:00:00` as `2026-11-21T10:00:00.000Z`; undefined where that is no time. */
function instantOf(utc: string | null): string | undefined {
  const text = `${utc?.replace(' ', 'T')}Z`;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

/** `+05:30`: how far a clock is ahead of UTC whose zone has a name that only calendars know, such as `UTC+5.5` or `CEST`. */
function offsetOf(utc: string, wall: string | null): string {
  const ahead = (Date.parse(instantOf(wall) ?? utc) - Date.parse(utc)) / 60_000;
  const minutes = Math.abs(ahead) < 24 * 60 ? Math.round(Math.abs(ahead)) : 0;
  const two = (value: number) => String(value).padStart(2, '0');
  return `${ahead < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
