import type { Row } from './model.js';

/** The characters that HTML stands for; tags stay what they are, text to be read. */
export function decoded(html: string): string {
  const page = new DOMParser().parseFromString(html.replaceAll('<', '&lt;'), 'text/html');
  return page.documentElement.textContent ?? '';
}

/** What a record is called in lists. */
export function titleOf(row: Row, member: string): string {
  const title = row[member];
  return (typeof title === 'string' && decoded(title).trim()) || `(no title, number ${row.id})`;
}

const SHOWN = new Intl.DateTimeFormat(undefined, {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
});
const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });

/** A wall clock, `YYYY-MM-DD HH:MM:SS`, as people write it. */
export function shownMoment(clock: string, isDay = false): string {
  const time = Date.parse(`${clock.replace(' ', 'T')}Z`);
  if (Number.isNaN(time)) return clock;
  return (isDay ? DAY : SHOWN).format(time);
}

/** When an event is. */
export function shownTimes(row: Row): string {
  const [start, end] = [String(row['start_date'] ?? ''), String(row['end_date'] ?? '')];
  const allDay = row['all_day'] === true;
  const from = shownMoment(start, allDay);
  if (start.slice(0, 10) === end.slice(0, 10))
    return allDay || start === end ? from : `${from} – ${end.slice(11, 16)}`;
  return `${from} – ${shownMoment(end, allDay)}`;
}

/** The words for statuses. */
export const STATUS_WORDS: Readonly<Record<string, string>> = {
  publish: 'Published',
  future: 'Scheduled',
  draft: 'Draft',
  pending: 'Pending review',
  private: 'Private',
  trash: 'Trash',
};
