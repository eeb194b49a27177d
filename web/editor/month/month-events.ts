import type { EventInput } from 'fullcalendar';
import { useEffect, useState } from 'preact/hooks';
import { fill } from '../../../src/pages/texts/fill.js';
import { listOf, TEXTS } from '../catalogue.js';
import type { Resource, Row } from '../model.js';
import { mayMove } from '../move/move-dialog.js';
import { laterBy } from '../move/moved-times.js';
import { problemOf } from '../problem.js';
import { recordsOf } from '../records.js';
import { may } from '../rights.js';
import type { ListPlace } from '../route.js';
import type { Session } from '../session.js';
import { type Shell, useShell } from '../shell.js';
import { ownTimes, STATUS_WORDS, titleOf } from '../texts.js';

const PER_PAGE = 50;
/** More events than a month shows readably. */
const MAX_PAGES = 20;

/** The events of a month. */
export interface MonthEvents {
  /** `YYYY-MM` */
  month: string;
  rows: readonly Row[];
  /** Whether there are more of them. */
  isCut: boolean;
}

/** The events of a month and of the days beside it, read again for another `version`. */
export function useMonthEvents(resource: Resource, place: ListPlace, month: string, version: number) {
  const shell = useShell();
  const [events, setEvents] = useState<MonthEvents>();
  const filters = JSON.stringify([place.search, place.filters]);
  useEffect(() => {
    const abort = new AbortController();
    eventsOf(shell.session, resource, place, month, abort.signal).then(setEvents, (error) => {
      if (!abort.signal.aborted) shell.complain(problemOf(error).message);
    });
    return () => abort.abort();
  }, [resource, filters, month, version]);
  return events;
}

async function eventsOf(
  session: Session,
  resource: Resource,
  { search, filters }: ListPlace,
  month: string,
  signal: AbortSignal,
): Promise<MonthEvents> {
  const all = resource.tabs.find(({ id }) => id === 'all');
  const query = {
    ...all?.query(),
    ...filters,
    ...(search !== '' && { search }),
    order: 'asc',
    // Days of other months stand beside those of this one.
    start_date: laterBy(-6, `${month}-01`),
    starts_before: laterBy(6, lastDayOf(month)),
    per_page: PER_PAGE,
  };
  const rows: Row[] = [];
  for (let page = 1; page <= MAX_PAGES; page++) {
    const found = await recordsOf(session.client, resource).list({ ...query, page }, { signal });
    rows.push(...found.items);
    if (page >= found.totalPages) return { month, rows, isCut: false };
  }
  return { month, rows, isCut: true };
}

/** An event on its own clock, as FullCalendar shows it. */
export function gridEvent({ session, settings }: Shell, resource: Resource, row: Row): EventInput {
  const { start, end } = ownTimes(row);
  const allDay = row['all_day'] === true;
  const isMovable = mayMove(session, settings, resource, row);
  return {
    id: String(row.id),
    title: markedTitle(resource, row),
    start: allDay ? start.slice(0, 10) : start.replace(' ', 'T'),
    end: allDay ? laterBy(1, end.slice(0, 10)) : end.replace(' ', 'T'),
    allDay,
    startEditable: isMovable,
    // The end of an event with times is a time of day.
    durationEditable: isMovable && allDay,
    ...(may(session, 'edit', resource, row) && { url: `#/${resource.kind}/${row.id}` }),
  };
}

/** The title of an event behind what keeps it from lists that all may read: its status, or that it is hidden. */
export function markedTitle(resource: Resource, row: Row): string {
  const title = titleOf(row, resource.title);
  const status = String(row['status'] ?? 'publish');
  const marks = [
    ...(status === 'publish' ? [] : [STATUS_WORDS[status] ?? status]),
    ...(row['hide_from_listings'] === true ? [TEXTS.list.hidden] : []),
  ];
  return marks.length === 0 ? title : fill(TEXTS.month.marked, { marks: listOf(marks), title });
}

/** The last day of a month, `YYYY-MM-DD`. */
export const lastDayOf = (month: string): string => laterBy(-1, `${monthAfter(month, 1)}-01`);

/** A month, months later; both `YYYY-MM`. */
export function monthAfter(month: string, months: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 7);
}
