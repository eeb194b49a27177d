import type { Event } from './records.js';

type Dated = Pick<Event, 'utc_start_date' | 'utc_end_date' | 'timezone'>;

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
export function dates({ utc_start_date, utc_end_date }: Dated): EventDates | undefined {
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
  { utc_start_date, utc_end_date, timezone }: Dated,
  temporal: TemporalLike<unknown> | undefined = (globalThis as { Temporal?: TemporalLike<unknown> }).Temporal,
): ZonedDates<unknown> | undefined {
  if (!temporal) throw new TypeError('This runtime has no Temporal: hand one in.');
  const start = instantOf(utc_start_date);
  const end = instantOf(utc_end_date);
  if (!start || !end) return undefined;
  const zoned = (text: string) => temporal.Instant.from(text).toZonedDateTimeISO(zoneOf(timezone));
  return { start: zoned(start), end: zoned(end) };
}

/** `2026-11-21 10:00:00` as `2026-11-21T10:00:00Z`; undefined where that is no time. */
function instantOf(utc: string | null): string | undefined {
  const text = `${utc?.replace(' ', 'T')}Z`;
  return Number.isNaN(Date.parse(text)) ? undefined : text;
}

/** `UTC+5.5` and the like, which sites without a named zone have, as `+05:30`; others as they are. */
function zoneOf(timezone: string): string {
  const [, sign, hours = '', part = '0'] = /^UTC([+-])(\d{1,2})(\.\d+)?$/.exec(timezone) ?? [];
  if (!sign) return timezone || 'UTC';
  return `${sign}${hours.padStart(2, '0')}:${String(Math.round(Number(part) * 60)).padStart(2, '0')}`;
}
