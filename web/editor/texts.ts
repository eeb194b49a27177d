import { type EventTimes, timesIn } from '../../src/pages/calendar/shown-time.js';
import { fill } from '../../src/pages/texts/fill.js';
import { LOCALE, TEXTS } from './catalogue.js';
import type { Row } from './model.js';

/** The characters that HTML stands for; tags stay what they are, text to be read. */
export function decoded(html: string): string {
  const page = new DOMParser().parseFromString(html.replaceAll('<', '&lt;'), 'text/html');
  return page.documentElement.textContent ?? '';
}

/** What a record is called in lists. */
export function titleOf(row: Row, member: string): string {
  const title = row[member];
  return (typeof title === 'string' && decoded(title).trim()) || fill(TEXTS.frame.noTitle, { id: row.id });
}

const SHOWN = new Intl.DateTimeFormat(LOCALE, {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
});
const DAY = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeZone: 'UTC' });

/** A wall clock, `YYYY-MM-DD HH:MM:SS`, as people write it. */
export function shownMoment(clock: string): string {
  const time = Date.parse(`${clock.replace(' ', 'T')}Z`);
  if (Number.isNaN(time)) return clock;
  return SHOWN.format(time);
}

const TYPED = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'short' });

/** An instant on the clock of this browser. */
export const shownInstant = (instant: number): string => TYPED.format(instant);

/** When an event is, on its own clock; of one that lasts all day the last day, also where days begin late. */
export function ownTimes(row: Row): { start: string; end: string } {
  const text = (name: 'start_date' | 'end_date' | 'utc_start_date' | 'utc_end_date' | 'timezone') =>
    String(row[name] ?? '');
  const times: EventTimes = {
    all_day: row['all_day'] === true,
    start_date: text('start_date'),
    end_date: text('end_date'),
    utc_start_date: text('utc_start_date'),
    utc_end_date: text('utc_end_date'),
    timezone: text('timezone'),
  };
  return timesIn(times);
}

/** The same in words. */
export function shownTimes(row: Row): string {
  const times = ownTimes(row);
  const clocks = [times.start, times.end];
  const [start = Number.NaN, end = Number.NaN] = clocks.map((clock) =>
    Date.parse(`${clock.replace(' ', 'T')}Z`),
  );
  if (Number.isNaN(start) || Number.isNaN(end) || end < start) return clocks.join(' – ');
  if (row['all_day'] === true) return DAY.formatRange(start, end);
  const parts = SHOWN.formatRangeToParts(start, end);
  // The times of one day stay on one line: `6:30 – 8:00 PM`.
  const first = parts.findIndex(({ type }) => type === 'hour');
  const isOneDay = times.start.slice(0, 10) === times.end.slice(0, 10);
  return parts
    .map(({ value }, index) => (isOneDay && index > first ? value.replace(/\s/g, '\u00a0') : value))
    .join('');
}

/** The words for statuses. */
export const STATUS_WORDS: Readonly<Record<string, string>> = TEXTS.statuses;
