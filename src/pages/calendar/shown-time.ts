// Shared by server and browser, so nothing depends on the process's zone.
import { wholeDays } from '../../lib/ical/whole-days.js';
import { formatOffset, formatWallClock } from '../../lib/wordpress-text/dates/wall-clock.js';
import { ianaOffset, runtimeZones } from '../../lib/wordpress-text/dates/zone-offsets.js';
import { fixedUtcOffset } from '../../lib/wordpress-text/dates/zones.js';

/** The dates of an event in its JSON. */
export interface EventTimes {
  /** Null if a password hides it. */
  all_day: boolean | null;
  start_date: string | null;
  end_date: string | null;
  utc_start_date: string | null;
  utc_end_date: string | null;
  timezone: string;
}

/** Both ends as wall clocks, `YYYY-MM-DD HH:MM:SS`. */
export interface ShownTime {
  start: string;
  end: string;
  allDay: boolean;
}

/** Language tag, digits of hours, and 12-hour or 24-hour clock. */
export interface TimeStyle {
  language: string;
  hour: '2-digit' | 'numeric';
  hour12: boolean;
}

const OFFSET = /^([+-])(\d\d):(\d\d)$/;
const DATE = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;
/** Cached formatters, which take a tenth of a millisecond to create. */
const formats = new Map<string, Intl.DateTimeFormat>();
const MAX_FORMATS = 500;

/** The times of an event in a zone such as `+05:30`, by default its own; all-day dates are not converted. */
export function timesIn(event: EventTimes, zone?: string): ShownTime {
  const own = { start: event.start_date ?? '', end: event.end_date ?? event.start_date ?? '' };
  const allDay = event.all_day === true;
  // With a late day cutoff, the last day ends on the next date.
  if (allDay && isDate(own.start) && isDate(own.end))
    return { start: own.start, end: `${wholeDays(own.start, own.end).last} 23:59:59`, allDay };
  if (zone === undefined || allDay) return { ...own, allDay };
  const { utc_start_date: start, utc_end_date: end } = event;
  if (!isDate(start)) return { ...own, allDay };
  const from = wallClock(start, zone);
  return { start: from, end: isDate(end) ? wallClock(end, zone) : from, allDay };
}

/** The wall clock of a zone at a UTC time, both `YYYY-MM-DD HH:MM:SS`. */
export function wallClock(utc: string, zone: string): string {
  const time = moment(utc);
  const [, sign, hours, minutes] = OFFSET.exec(zone) ?? [];
  if (sign !== undefined) {
    const shift = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -60_000 : 60_000);
    return wallText(new Date(time.getTime() + shift));
  }
  const epoch = time.getTime() / 1000;
  return formatWallClock(epoch + (ianaOffset(zone, epoch) ?? 0));
}

/** Formats a time span, such as `Saturday, November 28, 2026, 10:00 AM – 3:00 PM`; empty for invalid dates. */
export function timeText({ start, end, allDay }: ShownTime, { language, hour, hour12 }: TimeStyle): string {
  if (!isDate(start)) return '';
  const last = isDate(end) && end > start ? end : start;
  const format = dateFormat(language, {
    weekday: 'long',
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    ...(!allDay && { hour, minute: '2-digit', hour12 }),
    timeZone: 'UTC',
  });
  if (allDay && last.slice(0, 10) === start.slice(0, 10)) return format.format(moment(start));
  return start === last ? format.format(moment(start)) : format.formatRange(moment(start), moment(last));
}

/** Whether two zones are equal; `UTC+5.75` equals `+05:45`. */
export function sameZone(one: string, other: string): boolean {
  return nameOf(one) === nameOf(other);
}

/** The name of a zone at that time (`GMT+1`, `EST`, `UTC+05:45`), or the zone itself. */
export function zoneText(zone: string, utc: string | null, language: string): string {
  const name = nameOf(zone);
  if (OFFSET.test(name)) return `UTC${name}`;
  const epoch = isDate(utc) ? moment(utc).getTime() / 1000 : 0;
  const ahead = ianaOffset(zone, epoch);
  // The runtime's data differ, so its name would be wrong.
  if (ahead !== undefined && ahead !== runtimeZones.offsetAt(zone, epoch)) return `UTC${formatOffset(ahead)}`;
  try {
    const format = dateFormat(language, { timeZone: zone, timeZoneName: 'short' });
    const parts = format.formatToParts(epoch * 1000);
    return parts.find(({ type }) => type === 'timeZoneName')?.value ?? zone;
  } catch {
    return zone;
  }
}

/** Whether a text is a valid date other than a zero date. */
export function isDate(text: string | null): text is string {
  return text !== null && DATE.test(text) && !Number.isNaN(moment(text).getTime());
}

/** The instant of a UTC wall clock. */
export function moment(wall: string): Date {
  return new Date(`${wall.replace(' ', 'T')}Z`);
}

/** The UTC wall clock of an instant, `YYYY-MM-DD HH:MM:SS`. */
export function wallText(time: Date): string {
  return time.toISOString().slice(0, 19).replace('T', ' ');
}

function nameOf(zone: string): string {
  const offset = fixedUtcOffset(zone);
  return offset === undefined ? zone : formatOffset(offset);
}

/** A cached date formatter; throws for unknown languages and zones. */
export function dateFormat(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([language, options]);
  const known = formats.get(key);
  if (known) return known;
  const format = new Intl.DateTimeFormat(language, options);
  if (formats.size >= MAX_FORMATS) formats.clear();
  formats.set(key, format);
  return format;
}
