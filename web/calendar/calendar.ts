import type { Calendar, EventInput, EventSourceFuncInfo } from 'fullcalendar';
import {
  type CalendarQuery,
  calendarSearch,
  isFiltered,
  readCalendarQuery,
} from '../../src/pages/calendar/calendar-query.js';
import { dateFormat, moment, timesIn, wallText } from '../../src/pages/calendar/shown-time.js';
import { fill } from '../../src/pages/texts/fill.js';
import { showDate, watchDate } from './date-field.js';
import { Details } from './details.js';
import { applyAccent, reportHeight } from './embedding.js';
import { EventList, monthFrom } from './event-list.js';
import { readFilters, showFilters, watchFilters } from './filters.js';
import type { GridView } from './grid.js';
import { fitWindow } from './grid-height.js';
import { LoadError, loadEvents, nearestEvent, useInlined } from './load-events.js';
import { element, readSettings } from './page.js';
import { namePage } from './page-title.js';
import { readPreferences, storePreferences } from './preferences.js';
import { letShare, showSharing } from './sharing.js';
import { watchKeys } from './shortcuts.js';
import { Status } from './status.js';
import { isWithin, toEvent } from './to-event.js';
import { nowIn, zoneOf } from './zone.js';

type View = NonNullable<CalendarQuery['view']>;
type Way = 'prev' | 'next' | 'today';

const settings = readSettings();
const { texts } = settings;
const SMALL = matchMedia('(max-width: 40rem)');
/** No clock is further than this from another: events of the neighbouring days may fall into a range. */
const MARGIN = 26 * 3_600_000;

let query = readCalendarQuery(location.search);
let grid: Calendar | undefined;
let making: Promise<Calendar> | undefined;
let loading: AbortController | undefined;
/** What the events were filtered by that are shown, or being loaded. */
let loaded: string | undefined;
/** Whether the events of the calendar's range are there. */
let isLoaded = false;
/** Whether the calendar has ever had events to draw. */
let isDrawn = false;

const list = new EventList(settings, query);
const status = new Status(texts, () => {
  loaded = undefined;
  void follow();
});
const details = new Details(settings, namePage, () => {
  showTitle();
  if (query.event === undefined) return;
  // The entry of the dialog goes, so that the way back does not open it again.
  if (history.state?.dialog) history.back();
  else go({ event: undefined }, 'replace');
});

/** What the page shows where the address does not say. */
const viewOf = ({ view }: CalendarQuery): View => view ?? (SMALL.matches ? 'list' : 'month');
const buttons = (name: 'view' | 'go') => document.querySelectorAll<HTMLElement>(`[data-${name}]`);
const today = () => nowIn(zoneOf(query, settings), settings).slice(0, 10);

/** Changes what the page shows, and its address. */
function go(other: Partial<CalendarQuery>, how: 'push' | 'replace' = 'push', state: object = {}): void {
  query = { ...query, page: 1, ...other };
  const address = location.pathname + calendarSearch(query).replace(/^\?$/, '');
  // The same address is the same view.
  const isSame = address === location.pathname + location.search;
  if (how === 'push' && !isSame) history.pushState(state, '', address);
  else history.replaceState(state, '', address);
  void follow();
}

/** Shows what the address says. */
async function follow(): Promise<void> {
  showFilters(query, settings);
  showSharing(query, settings);
  if (query.event !== undefined) void details.show(query);
  else details.hide();
  const view = viewOf(query);
  for (const button of buttons('view'))
    button.setAttribute('aria-pressed', String(button.dataset['view'] === view));
  showDate(query.date ?? today());
  if (view === 'list') return showList();
  return showGrid(view).catch(() => status.fail(texts.failed));
}

async function showList(): Promise<void> {
  loading?.abort();
  loading = new AbortController();
  const day = moment(`${query.date ?? today()} 00:00:00`);
  loaded = undefined;
  isLoaded = false;
  status.loading();
  try {
    await list.show(query);
    status.show();
    reveal('events');
    if (list.isEmpty) void offerNearest({ start: day, end: day }, loading.signal);
  } catch (error) {
    if (!(error instanceof Error && error.name === 'AbortError'))
      status.fail(error instanceof TypeError ? texts.offline : texts.failed);
  }
}

async function showGrid(view: GridView): Promise<void> {
  list.abort();
  const { makeGrid, viewName } = await import('./grid.js');
  making ??= makeGrid(
    element('calendar'),
    settings,
    { view: viewName(view, SMALL.matches), date: query.date ?? today() },
    {
      now: () => nowIn(zoneOf(query, settings), settings),
      events: eventsOf,
      opened: (event) => go({ event }, 'push', { dialog: true }),
      openedDay,
      followedDay: (day) => openedDay(day) || go({ view: 'day', date: day }),
      dayAddress: (day) => location.pathname + calendarSearch(query, { view: 'day', date: day }),
      drawn: () => isLoaded && reveal('calendar'),
    },
  );
  const created = await making;
  if (viewOf(query) !== view) return;
  if (!grid) {
    grid = created;
    // Laid out, but unseen until its events are there.
    element('calendar').classList.add('drawing');
    element('calendar').hidden = false;
    fit();
    grid.render();
  }
  const name = viewName(view, SMALL.matches);
  const date = query.date ?? today();
  const { type, currentStart, currentEnd } = grid.view;
  const time = Date.parse(`${date}T00:00:00Z`);
  const isElsewhere = time < currentStart.getTime() || time >= currentEnd.getTime();
  // Going somewhere asks for the events of there.
  if (type !== name) grid.changeView(name, date);
  else if (isElsewhere) grid.gotoDate(date);
  else if (filtersOf(query) !== loaded) grid.refetchEvents();
  else if (isLoaded) reveal('calendar');
  fit();
  showTitle();
}

/** Shows the list or the calendar in place of the other. */
function reveal(id: 'events' | 'calendar'): void {
  if ((viewOf(query) === 'list') !== (id === 'events')) return;
  element('events').hidden = id !== 'events';
  element('calendar').hidden = id !== 'calendar';
  element('calendar').classList.remove('drawing');
  showTitle();
}

/** A month and hours fill the window; lists, frames and months of phones are as high as they need to be. */
function fit(): void {
  const isList = viewOf(query) === 'week' && SMALL.matches;
  const isSmallMonth = viewOf(query) === 'month' && SMALL.matches;
  if (grid) fitWindow(grid, !isList && !isSmallMonth && !query.embed);
}

/** What the events of a range depend on besides it. */
const filtersOf = ({ filters, zone }: CalendarQuery): string => JSON.stringify([filters, zone]);

function showTitle(): void {
  const isList = viewOf(query) === 'list';
  element('title').textContent = isList ? list.title : (grid?.view.title ?? '');
  if (!details.isOpen) namePage(element('title').textContent);
}

async function eventsOf({ start, end }: EventSourceFuncInfo): Promise<EventInput[]> {
  loading?.abort();
  loading = new AbortController();
  const { signal } = loading;
  loaded = filtersOf(query);
  isLoaded = false;
  const zone = zoneOf(query, settings);
  const view = viewOf(query);
  const layout = view === 'month' ? 'month' : view === 'week' && SMALL.matches ? 'list' : 'hours';
  const wall = (date: Date, margin: number) => wallText(new Date(date.getTime() + margin));
  const range = { from: wall(start, -MARGIN), to: wall(end, MARGIN) };
  status.loading();
  try {
    const { events, total } = await loadEvents(settings.api, query, range, signal);
    status.show(events.length < total ? fill(texts.tooMany, { total, count: events.length }) : '');
    const { zone: siteZone } = settings;
    const entries = events.flatMap((event) => {
      const address = location.pathname + calendarSearch(query, { event: event.id });
      return toEvent(event, { zone, siteZone, style: settings, layout }, address) ?? [];
    });
    isLoaded = true;
    if (!entries.some((entry) => isWithin(entry, { start, end }))) {
      status.show(isFiltered(query.filters) ? texts.noneFiltered : texts.none);
      void offerNearest({ start, end }, signal);
    }
    // The calendar tells only of other events than those it has drawn.
    if (entries.length === 0 || isDrawn) setTimeout(() => isLoaded && reveal('calendar'));
    isDrawn = true;
    return entries;
  } catch (error) {
    if (!signal.aborted) status.fail(error instanceof LoadError ? texts[error.kind] : texts.failed);
    return [];
  }
}

/** Adds a button that leads from an empty range to the nearest event, if there is one. */
async function offerNearest(range: { start: Date; end: Date }, signal: AbortSignal): Promise<void> {
  const zone = zoneOf(query, settings) ?? settings.zone;
  const found = await nearestEvent(settings.api, query, { ...range, zone }, signal).catch(() => undefined);
  if (!found || signal.aborted) return;
  const day = timesIn(found.event, zoneOf(query, settings)).start.slice(0, 10);
  const format = dateFormat(settings.language, { dateStyle: 'long', timeZone: 'UTC' });
  const date = format.format(moment(`${day} 00:00:00`));
  status.offer(fill(found.isNext ? texts.nextMatch : texts.lastMatch, { date }), () => go({ date: day }));
}

function start(): void {
  applyAccent(query);
  reportHeight(query);
  if (settings.inlined) useInlined(query, settings.inlined);
  const { view, zone } = readPreferences(query);
  query = { ...query, view: query.view ?? view, zone: query.zone ?? zone };
  // The way back leads to the same view.
  if (view || zone) history.replaceState(history.state, '', location.pathname + calendarSearch(query));
  if (!SMALL.matches) element<HTMLDetailsElement>('filtering').open = true;
  letShare(settings);
  void follow();
  watchFilters((how) => {
    // A search that is typed letter by letter, and sent, is one entry.
    const isTypedOn = how !== 'chosen' && history.state?.typed;
    go(readFilters(settings), isTypedOn ? 'replace' : 'push', { typed: how === 'typed' });
  });
  element('filters').addEventListener('change', () => storePreferences(query));
  for (const button of buttons('view'))
    button.addEventListener('click', () => {
      go({ view: button.dataset['view'] as View });
      storePreferences(query);
    });
  for (const button of buttons('go'))
    button.addEventListener('click', () => navigate(button.dataset['go'] as Way));
  watchDate((date) => go({ date }));
  element('events').addEventListener('click', followLink);
  element('reset').addEventListener('click', (click) => {
    click.preventDefault();
    go({ filters: {} });
  });
  watchKeys();
  SMALL.addEventListener('change', () => void follow());
  addEventListener('resize', fit);
  addEventListener('beforeprint', () => grid?.setOption('height', 'auto'));
  addEventListener('afterprint', fit);
  addEventListener('popstate', () => {
    query = readCalendarQuery(location.search);
    void follow();
  });
}

/** Opens events and pages of the list without loading the page anew. */
function followLink(click: MouseEvent): void {
  const link = (click.target as HTMLElement).closest('a');
  if (!link || click.ctrlKey || click.metaKey || click.shiftKey) return;
  click.preventDefault();
  const { event, date, page } = readCalendarQuery(link.search);
  if (event !== undefined) go({ event, page }, 'push', { dialog: true });
  else {
    go({ date, page, view: 'list' });
    element('toolbar').scrollIntoView();
  }
}

/** On phones a month has no room for words: the list from a day on says what the day holds. */
function openedDay(date: string): boolean {
  const isMonth = SMALL.matches && viewOf(query) === 'month';
  if (isMonth) go({ view: 'list', date });
  return isMonth;
}

/** One month, week or day on or back, or to where today is. */
function navigate(way: Way): void {
  let date: string | undefined;
  if (way !== 'today' && viewOf(query) === 'list') date = monthFrom(query.date ?? today(), way);
  else if (way !== 'today') {
    grid?.[way]();
    date = grid?.view.currentStart.toISOString().slice(0, 10);
  }
  go({ date });
}

start();
