import type { Calendar, EventInput, EventSourceFuncInfo } from 'fullcalendar';
import {
  type CalendarQuery,
  calendarSearch,
  isFiltered,
  readCalendarQuery,
} from '../../src/pages/calendar/calendar-query.js';
import { wallText } from '../../src/pages/calendar/shown-time.js';
import { fill } from '../../src/pages/calendar/texts/fill.js';
import { Details } from './details.js';
import { readFilters, showFilters, watchFilters } from './filters.js';
import { makeGrid, viewName } from './grid.js';
import { LoadError, loadEvents } from './load-events.js';
import { element, readSettings } from './page.js';
import { letCopy, showSharing } from './sharing.js';
import { toEvent } from './to-event.js';
import { nowIn, zoneOf } from './zone.js';

type View = NonNullable<CalendarQuery['view']>;

const settings = readSettings();
const { texts } = settings;
const SMALL = matchMedia('(max-width: 45rem)');
/** No clock is further than this from another: events of the neighbouring days may fall into a range. */
const MARGIN = 26 * 3_600_000;

let query = readCalendarQuery(location.search);
let grid: Calendar;
let loading: AbortController | undefined;
/** What the events were filtered by that are shown, or being loaded. */
let loaded: string | undefined;

const details = new Details(settings, () => {
  if (query.event === undefined) return;
  // The entry of the dialog goes, so that the way back does not open it again.
  if (history.state?.dialog) history.back();
  else go({ event: undefined }, 'replace');
});

/** What the page shows where the address does not say. */
const viewOf = ({ view }: CalendarQuery): View => view ?? (SMALL.matches ? 'list' : 'month');

/** Changes what the page shows, and its address. */
function go(other: Partial<CalendarQuery>, how: 'push' | 'replace' = 'push', state: object = {}): void {
  query = { ...query, page: 1, ...other };
  const address = location.pathname + calendarSearch(query).replace(/^\?$/, '');
  if (how === 'push') history.pushState(state, '', address);
  else history.replaceState(state, '', address);
  follow();
}

/** Shows what the address says. */
function follow(): void {
  const name = viewName(viewOf(query), SMALL.matches);
  const date = query.date ?? nowIn(zoneOf(query, settings), settings).slice(0, 10);
  const { type, currentStart, currentEnd } = grid.view;
  const time = Date.parse(`${date}T00:00:00Z`);
  const isElsewhere = time < currentStart.getTime() || time >= currentEnd.getTime();
  // Going somewhere asks for the events of there.
  if (type !== name) grid.changeView(name, date);
  else if (isElsewhere) grid.gotoDate(date);
  else if (filtersOf(query) !== loaded) grid.refetchEvents();
  showFilters(query, settings);
  showSharing(query, settings);
  showTitle();
  if (query.event !== undefined) void details.show(query);
  else details.hide();
}

/** What the events of a range depend on besides it. */
const filtersOf = ({ filters, zone }: CalendarQuery): string => JSON.stringify([filters, zone]);

function showTitle(): void {
  element('title').textContent = grid.view.title;
  for (const button of document.querySelectorAll<HTMLElement>('[data-view]'))
    button.setAttribute('aria-pressed', String(button.dataset['view'] === viewOf(query)));
}

async function eventsOf({ start, end }: EventSourceFuncInfo): Promise<EventInput[]> {
  loading?.abort();
  loading = new AbortController();
  const { signal } = loading;
  loaded = filtersOf(query);
  const zone = zoneOf(query, settings);
  const name = viewName(viewOf(query), SMALL.matches);
  const isList = name.startsWith('list');
  const wall = (date: Date, margin: number) => wallText(new Date(date.getTime() + margin));
  const range = { from: wall(start, -MARGIN), to: wall(end, MARGIN) };
  say(texts.loading);
  try {
    const { events, total } = await loadEvents(settings.api, query, range, signal);
    say(events.length < total ? fill(texts.tooMany, { total, count: events.length }) : '');
    // The list says so by itself.
    if (total === 0 && !isList) say(isFiltered(query.filters) ? texts.noneFiltered : texts.none);
    const { language, zone: siteZone } = settings;
    const listFrom = isList ? start.toISOString().slice(0, 10) : undefined;
    const entries = events.flatMap((event) => {
      const address = location.pathname + calendarSearch(query, { event: event.id });
      return toEvent(event, { zone, siteZone, language, listFrom }, address) ?? [];
    });
    if (name === 'timeGridWeek') showHours(entries);
    return entries;
  } catch (error) {
    if (signal.aborted) return [];
    say(error instanceof LoadError ? texts[error.kind] : texts.failed, true);
    return [];
  }
}

/** The week begins with the first hour that anything happens in, and is never all night. */
function showHours(events: readonly EventInput[]): void {
  const hours = events
    .filter(({ allDay }) => !allDay)
    .map(({ start }) => Number(String(start).slice(11, 13)));
  grid.setOption('slotMinTime', `${String(Math.min(8, ...hours)).padStart(2, '0')}:00:00`);
}

function say(text: string, isFailure = false): void {
  const status = element('status');
  status.textContent = text;
  status.classList.toggle('failure', isFailure);
  element('calendar').setAttribute('aria-busy', String(text === texts.loading));
  if (!isFailure) return;
  const again = document.createElement('button');
  again.type = 'button';
  again.textContent = texts.retry;
  again.addEventListener('click', () => grid.refetchEvents());
  status.append(' ', again);
}

async function start(): Promise<void> {
  const place = element('calendar');
  const state = { view: viewName(viewOf(query), SMALL.matches), date: query.date };
  grid = await makeGrid(place, settings, state, {
    now: () => nowIn(zoneOf(query, settings), settings),
    events: eventsOf,
    opened: (event) => go({ event }, 'push', { dialog: true }),
    openedDay,
  });
  element('events').hidden = true;
  place.hidden = false;
  element('toolbar').hidden = false;
  element('sharing').hidden = false;
  document.documentElement.classList.add('scripted');
  if (SMALL.matches) element<HTMLDetailsElement>('filtering').open = false;
  grid.render();
  showFilters(query, settings);
  showSharing(query, settings);
  letCopy(settings);
  showTitle();
  watchFilters((typed) => go({ ...readFilters(settings) }, typed ? 'replace' : 'push'));
  for (const button of document.querySelectorAll<HTMLElement>('[data-view]'))
    button.addEventListener('click', () => go({ view: button.dataset['view'] as View }));
  for (const button of document.querySelectorAll<HTMLElement>('[data-go]'))
    button.addEventListener('click', () => navigate(button.dataset['go'] as 'prev' | 'next' | 'today'));
  element('reset').addEventListener('click', (click) => {
    click.preventDefault();
    go({ filters: {} });
  });
  SMALL.addEventListener('change', follow);
  addEventListener('popstate', () => {
    query = readCalendarQuery(location.search);
    follow();
  });
}

/** On phones a month has no room for words: the list from a day on says what the day holds. */
function openedDay(date: string): boolean {
  if (SMALL.matches && viewOf(query) !== 'list') go({ view: 'list', date });
  return SMALL.matches;
}

/** One month or week on or back, or to where today is. */
function navigate(way: 'prev' | 'next' | 'today'): void {
  if (way !== 'today') grid[way]();
  go({ date: way === 'today' ? undefined : grid.view.currentStart.toISOString().slice(0, 10) });
}

void start();
