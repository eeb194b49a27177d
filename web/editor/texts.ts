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
export function shownMoment(clock: string): string {
  const time = Date.parse(`${clock.replace(' ', 'T')}Z`);
  if (Number.isNaN(time)) return clock;
  return SHOWN.format(time);
}

/** When an event is. */
export function shownTimes(row: Row): string {
  const clocks = [String(row['start_date'] ?? ''), String(row['end_date'] ?? '')];
  const [start = Number.NaN, end = Number.NaN] = clocks.map((clock) =>
    Date.parse(`${clock.replace(' ', 'T')}Z`),
  );
  if (Number.isNaN(start) || Number.isNaN(end) || end < start) return clocks.join(' – ');
  return (row['all_day'] === true ? DAY : SHOWN).formatRange(start, end);
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
