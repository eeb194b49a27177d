import { rejected } from './failure.js';

const WALL_CLOCK = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d$/;
const WITH_OFFSET = /T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/i;

/** `2027-05-18T19:00:00+02:00` for a wall clock and the same instant in UTC; undefined if either is no date. */
export function isoDate(wall: unknown, utc: unknown): string | undefined {
  if (!isWallClock(wall) || !isWallClock(utc)) return undefined;
  const minutes = Math.round((instantOf(wall) - instantOf(utc)) / 60_000);
  const two = (value: number) => String(value).padStart(2, '0');
  const ahead = Math.abs(minutes);
  return `${wall.replace(' ', 'T')}${minutes < 0 ? '-' : '+'}${two(Math.floor(ahead / 60))}:${two(ahead % 60)}`;
}

/**
 * The wall clock of an event's date that is sent with an offset, in the event's time zone: the interface would drop the offset
 * (docs/behaviour/dates.md#event-dates-on-write). Other texts stay as they are.
 */
export function toWallClock(name: string, value: unknown, timeZone: unknown): unknown {
  if (typeof value !== 'string' || !WITH_OFFSET.test(value)) return value;
  const instant = new Date(value);
  if (typeof timeZone !== 'string' || timeZone === '' || Number.isNaN(instant.getTime()))
    throw offsetError(name);
  try {
    // Swedish dates are written as the interface's are.
    const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
    return format.format(instant);
  } catch {
    throw offsetError(name);
  }
}

/** The present time at an address of the tz database; undefined for a zone that this runtime does not know. */
export function nowIn(timeZone: string): string | undefined {
  try {
    const parts = { dateStyle: 'short', timeStyle: 'medium' } as const;
    return new Intl.DateTimeFormat('sv-SE', { timeZone, ...parts }).format();
  } catch {
    return undefined;
  }
}

const isWallClock = (value: unknown): value is string => typeof value === 'string' && WALL_CLOCK.test(value);

const instantOf = (text: string) => Date.parse(`${text.replace(' ', 'T')}Z`);

function offsetError(name: string) {
  const text =
    'A date with an offset needs a known timezone beside it; or send the local time without an offset.';
  return rejected('date_with_offset', `Invalid parameter(s): ${name}`, { [name]: text });
}
