import { Calendar, type EventInput, type EventSourceFuncInfo } from 'fullcalendar';
import dayGrid from 'fullcalendar/daygrid';
import list from 'fullcalendar/list';
import theme from 'fullcalendar/themes/breezy';
import timeGrid from 'fullcalendar/timegrid';
import type { CalendarQuery } from '../../src/pages/calendar/calendar-query.js';
import type { ScriptSettings } from '../../src/pages/calendar/script-settings.js';
import { dropEmptyHeaders, nameByContent } from '../shared/grid-names.js';
import type { EventExtras } from './to-event.js';

type View = NonNullable<CalendarQuery['view']>;

/** The views that FullCalendar draws. */
export type GridView = Exclude<View, 'list'>;

/** What FullCalendar calls a view; the seven columns of a week are too many for a phone. */
export function viewName(view: GridView, isSmall: boolean): string {
  if (view === 'week') return isSmall ? 'listWeek' : 'timeGridWeek';
  return view === 'day' ? 'timeGridDay' : 'dayGridMonth';
}

/** What the calendar asks of the page. */
export interface Page {
  /** What the clock of the chosen zone shows. */
  now(): string;
  /** The events of a range of days. */
  events(range: EventSourceFuncInfo): Promise<EventInput[]>;
  opened(id: number): void;
  /** A day, `YYYY-MM-DD`, was pointed at; whether it is shown by itself now. */
  openedDay(day: string): boolean;
  /** The link of a day's number was followed. */
  followedDay(day: string): void;
  /** Relative URL of a day. */
  dayAddress(day: string): string;
  /** All events of a range are drawn. */
  drawn(): void;
}

/** FullCalendar on the page. Its own clock is that of UTC: dates come as they are to be shown. */
export async function makeGrid(
  place: HTMLElement,
  { language, direction, firstDay, hour12, dayCutoff, texts }: ScriptSettings,
  { view, date }: { view: string; date?: string },
  page: Page,
): Promise<Calendar> {
  // English is built in.
  const locales = language.startsWith('en') ? [] : (await import('fullcalendar/locales-all')).default;
  const dayFormat = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' });
  // Hours in words, such as "09 Uhr" in German, are too wide for the axis.
  const hourFormat = new Intl.DateTimeFormat(language, {
    hour: 'numeric',
    ...(!hour12 && { minute: '2-digit' }),
    hour12,
    timeZone: 'UTC',
  });
  const headerFormat = new Intl.DateTimeFormat(language, {
    weekday: 'short',
    day: 'numeric',
    month: 'numeric',
    timeZone: 'UTC',
  });
  const grid = new Calendar(place, {
    plugins: [dayGrid, timeGrid, list, theme],
    headerToolbar: false,
    initialView: view,
    ...(date !== undefined && { initialDate: date }),
    timeZone: 'UTC',
    now: () => page.now().replace(' ', 'T'),
    locales,
    locale: language.toLowerCase(),
    direction,
    firstDay,
    nextDayThreshold: `${dayCutoff}:00`,
    height: 'auto',
    eventDisplay: 'block',
    eventTimeFormat: {
      hour: 'numeric',
      minute: '2-digit',
      omitZeroMinute: hour12,
      meridiem: 'short',
      hour12,
    },
    eventClass: 'ev',
    blockEventClass: 'block',
    columnEventClass: 'column',
    columnEventInnerClass: 'column-inner',
    tableHeaderClass: 'head',
    listItemEventClass: 'list-item',
    listDaysClass: 'list-days',
    listDayClass: 'list-day',
    listDayHeaderClass: 'list-head',
    listDayBodyClass: 'list-body',
    eventContent,
    eventDidMount: ({ el, event, timeText }) => {
      const { place: where, zone } = event.extendedProps as EventExtras;
      if (el.getAttribute('role') === 'listitem') beLink(el);
      el.title = [`${timeText} ${zone}`.trim(), event.title, where].filter(Boolean).join('\n');
    },
    eventClick: ({ event, jsEvent }) => {
      if (jsEvent.ctrlKey || jsEvent.metaKey || jsEvent.shiftKey) return;
      jsEvent.preventDefault();
      page.opened(Number(event.id));
    },
    dayMaxEvents: 4,
    eventMaxStack: 2,
    nowIndicator: true,
    nowIndicatorLineClass: 'now',
    eventsSet: () => page.drawn(),
    moreLinkClick: ({ date: day }) => (page.openedDay(dayOf(day)) ? 'dayGridMonth' : 'popover'),
    listDayFormat: { weekday: 'long' },
    listDayAltFormat: { day: 'numeric', month: 'long' },
    noEventsText: texts.none,
    noEventsInnerClass: 'empty',
    allDayText: texts.allDay,
    slotDuration: '01:00:00',
    slotMinHeight: 48,
    eventMinHeight: 34,
    slotHeaderContent: ({ date: hour }) => hourFormat.format(hour),
    fixedWeekCount: false,
    views: {
      listWeek: { titleFormat: { day: 'numeric', month: 'short', year: 'numeric' } },
      timeGridWeek: {
        dayHeaderContent: ({ date: day }) => headerFormat.format(day),
        titleFormat: { day: 'numeric', month: 'long', year: 'numeric' },
        slotEventOverlap: false,
        displayEventEnd: false,
      },
      timeGridDay: {
        dayHeaders: false,
        titleFormat: { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
        slotEventOverlap: false,
        eventMaxStack: 6,
      },
    },
    // Another view shows the same events in another way.
    lazyFetching: false,
    viewDidMount: ({ el }) => dropEmptyHeaders(el),
    dayHeaderDidMount: ({ el }) => nameByContent(el),
    dayCellDidMount: ({ el, date: day }) => {
      nameByContent(el);
      el.addEventListener('click', () => page.openedDay(dayOf(day)));
    },
    dayCellTopContent: ({ date: day, text }) => ({
      domNodes: [dayLink(text, dayFormat.format(day), dayOf(day), page)],
    }),
    events: async (range: EventSourceFuncInfo) => {
      const events = await page.events(range);
      if (grid.view.type.startsWith('timeGrid')) grid.setOption('slotMinTime', firstHour(events));
      return events;
    },
  });
  return grid;
}

/** A week or day begins with the first hour that anything happens in, and is never all night. */
function firstHour(events: readonly EventInput[]): string {
  const hours = events
    .filter(({ allDay }) => !allDay)
    .map(({ start }) => Number(String(start).slice(11, 13)));
  return `${String(Math.min(8, ...hours)).padStart(2, '0')}:00:00`;
}

const dayOf = (date: Date) => date.toISOString().slice(0, 10);

/** Lists have room for the place; elsewhere time and title are enough. */
function eventContent(info: {
  event: { title: string; extendedProps: Record<string, unknown> };
  timeText: string;
  timeClass: string;
  titleClass: string;
  view: { type: string };
}) {
  const { place, zone, until } = info.event.extendedProps as unknown as EventExtras;
  const isList = info.view.type.startsWith('list');
  const time = piece('time', info.timeClass, [info.timeText, isList && zone].filter(Boolean).join(' '));
  const title = piece('title', info.titleClass, info.event.title);
  const below = [until && `– ${until}`, place].filter(Boolean).join(' · ');
  if (isList && below) title.append(piece('place', '', below));
  return { domNodes: info.timeText ? [time, title] : [title] };
}

/** An event in a list leads somewhere, which items of lists do not. */
function beLink(event: HTMLElement): void {
  event.removeAttribute('role');
  event.parentElement?.setAttribute('role', 'group');
}

/** The number of a day, which is read out as the whole date and leads to the day. */
function dayLink(text: string, date: string, day: string, page: Page): HTMLElement {
  const link = document.createElement('a');
  link.href = page.dayAddress(day);
  link.className = 'day-link';
  const seen = piece('number', '', text);
  seen.setAttribute('aria-hidden', 'true');
  link.append(seen, piece('date', 'unseen', date));
  link.addEventListener('click', (click) => {
    if (click.ctrlKey || click.metaKey || click.shiftKey) return;
    click.preventDefault();
    click.stopPropagation();
    page.followedDay(day);
  });
  return link;
}

function piece(name: string, classes: string, text: string): HTMLElement {
  const span = document.createElement('span');
  span.className = `ev-${name} ${classes}`.trim();
  span.textContent = text;
  return span;
}
