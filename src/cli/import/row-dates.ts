import { Unreadable } from '../../lib/ical/read-time.js';
import { daysLater, isDay } from '../../lib/ical/whole-days.js';

type Row = ReadonlyMap<string, string>;

/** The dates of a row as request parameters, each with the time beside it; empty for an empty cell. */
export function datesOf(row: Row): { start: string; end: string; isAllDay?: boolean } {
  const [start, end] = [row.get('start_date') ?? '', row.get('end_date') ?? ''];
  checkDate('start_date', start);
  checkDate('end_date', end);
  const [startTime, endTime] = [timeOf(row, 'start_time'), timeOf(row, 'end_time')];
  if (/^(true|1)$/.test(row.get('all_day') ?? ''))
    return {
      start: dayOf(row, start),
      end: startTime === '00:00:00' && endTime === '00:00:00' ? lastDay(start, end) : dayOf(row, end),
    };
  const isAllDay = row.has('start_time') && !row.get('all_day') && startTime === '' && endTime === '';
  if (isAllDay && !TIME.test(start) && !TIME.test(end)) return { start, end, isAllDay };
  const begins = singleFlight(start, startTime, 'start');
  // Without an end date, or without an end time on the same day, the start is the end.
  const isSameDay = end === '' || end === start;
  if (isSameDay && endTime === '') return { start: begins, end: end === '' ? '' : begins };
  return { start: begins, end: singleFlight(end === '' ? dayPart(start) : end, endTime, 'end') };
}

/** The interface would read a number as epoch seconds and `13.04.27` as a time of today; tables mean neither. */
export function checkDate(name: string, cell: string): void {
  if (cell === '' && name !== 'start_date') return;
  if (!/\d{4}/.test(cell) || /^\d+([.,]\d+)?$/.test(cell))
    throw new Unreadable(`its ${name} has to be a date with a year of four digits, such as 2027-03-10 19:00`);
  const day = isoDay(cell);
  if (day !== undefined && !isDay(day)) throw new Unreadable(`its ${name} is a day that does not exist`);
}

/** Numeric dates by separator; the interface would read February 30 as March 2. */
const DIGITS = [
  /^(?<year>\d{4})[-/](?<month>\d\d?)[-/](?<day>\d\d?)(?!\d)/,
  /^(?<day>\d\d?)[-.](?<month>\d\d?)[-.](?<year>\d{4})(?!\d)/,
  /^(?<month>\d\d?)\/(?<day>\d\d?)\/(?<year>\d{4})(?!\d)/,
];

function isoDay(cell: string): string | undefined {
  const { year, month = '', day = '' } = DIGITS.map((order) => order.exec(cell)?.groups).find(Boolean) ?? {};
  return year && `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

/** A time within a date. */
const TIME = /[T\s]\s*\d{1,2}([:.]\d\d|\s*[ap]\.?m)/i;
/** Midnight, which spreadsheets append to dates. */
const MIDNIGHT = /[T\s]+(00?:00(:00)?(\.0+)?|12:00(:00)?\s*a\.?m\.?)$/i;

const dayPart = (date: string): string =>
  date.replace(MIDNIGHT, '').replace(/[T\s]\s*\d{1,2}[:.]\d\d.*$/, '');

function singleFlight(date: string, time: string, which: 'start' | 'end'): string {
  if (time === '') return date;
  const day = date.replace(MIDNIGHT, '');
  if (TIME.test(day))
    throw new Unreadable(`it has a time in its ${which}_date and another one in its ${which}_time`);
  return `${day} ${time}`;
}

/** With separate time columns, the time within an all-day date is ignored. */
function dayOf(row: Row, date: string): string {
  return row.has('start_time') ? date.replace(MIDNIGHT, '') : date;
}

/** Outlook ends all-day events at the following midnight. */
function lastDay(start: string, end: string): string {
  const [first, after] = [isoDay(start), isoDay(end)];
  return first && after && after > first ? daysLater(after, -1) : end;
}

const CLOCK =
  /^(?<hour>\d{1,2})(?:\s*[:.h]\s*(?<minute>\d\d)(?::(?<second>\d\d)(?:\.0+)?)?|\s*(?:h|uhr)(?=$))?\s*(?:(?<half>[ap])\.?\s*m\.?|uhr|h)?$/i;

/** Parses a time cell such as `7:00 PM`, `19.30 Uhr` or `19h30` to `HH:MM:SS`, '' if empty; throws `Unreadable`. */
function timeOf(row: Row, name: 'start_time' | 'end_time'): string {
  const cell = (row.get(name) ?? '').trim();
  if (cell === '') return '';
  const groups = CLOCK.exec(cell)?.groups;
  const { hour = '', minute = '0', second = '0', half } = groups ?? {};
  const isBare = /^\d+$/.test(cell);
  const hours = Number(hour);
  const isPossible = half === undefined ? hours <= 23 : hours >= 1 && hours <= 12;
  if (!groups || isBare || !isPossible || Number(minute) > 59 || Number(second) > 59)
    throw new Unreadable(`its ${name} has to be a time such as 19:00 or 7:00 PM`);
  const later = half?.toLowerCase() === 'p' ? 12 : 0;
  const hourOfDay = half === undefined ? hours : (hours % 12) + later;
  return [hourOfDay, Number(minute), Number(second)].map((part) => String(part).padStart(2, '0')).join(':');
}
