import type { EventInput } from 'fullcalendar';
import type { Resource, Row } from '../model.js';
import { mayMove } from '../move/move-dialog.js';
import { recordsOf } from '../records.js';
import { may } from '../rights.js';
import type { ListPlace } from '../route.js';
import type { Session } from '../session.js';
import type { Shell } from '../shell.js';
import { ownTimes, STATUS_WORDS, titleOf } from '../texts.js';

const PER_PAGE = 50;
/** More events than a month shows readably. */
const MAX_PAGES = 10;

const TEXTS = { hidden: 'Hidden' } as const;

/** The events of a range of days that the user may see, drafts included where the user may write. */
export async function eventsBetween(
  session: Session,
  resource: Resource,
  { search, filters }: ListPlace,
  range: { start: Date; end: Date },
): Promise<{ rows: Row[]; isCut: boolean }> {
  const all = resource.tabs.find(({ id }) => id === 'all');
  const query = {
    ...all?.query(),
    ...filters,
    ...(search !== '' && { search }),
    order: 'asc',
    start_date: dayOf(range.start),
    starts_before: dayOf(new Date(range.end.getTime() - 1)),
    per_page: PER_PAGE,
  };
  const rows: Row[] = [];
  for (let page = 1; page <= MAX_PAGES; page++) {
    const { items, totalPages } = await recordsOf(session.client, resource).list({ ...query, page });
    rows.push(...items);
    if (page >= totalPages) return { rows, isCut: false };
  }
  return { rows, isCut: true };
}

/** An event on its own clock, as FullCalendar shows it. */
export function shownEvent({ session, settings }: Shell, resource: Resource, row: Row): EventInput {
  const { start, end } = ownTimes(row);
  const allDay = row['all_day'] === true;
  const status = String(row['status'] ?? 'publish');
  const notes = [
    ...(status === 'publish' ? [] : [STATUS_WORDS[status] ?? status]),
    ...(row['hide_from_listings'] === true ? [TEXTS.hidden] : []),
  ];
  const isEditable = may(session, 'edit', resource, row);
  const isMovable = mayMove(session, settings, resource, row);
  return {
    id: String(row.id),
    title: [titleOf(row, resource.title), ...notes.map((note) => `(${note})`)].join(' '),
    start: allDay ? start.slice(0, 10) : start.replace(' ', 'T'),
    end: allDay ? nextDay(end) : end.replace(' ', 'T'),
    allDay,
    startEditable: isMovable,
    // The end of an event with times is a time of day.
    durationEditable: isMovable && allDay,
    ...(isEditable && { url: `#/${resource.kind}/${row.id}` }),
  };
}

/** The day of a date in UTC, `YYYY-MM-DD`. */
export const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

const nextDay = (clock: string): string =>
  dayOf(new Date(Date.parse(`${clock.slice(0, 10)}T00:00:00Z`) + 86_400_000));
