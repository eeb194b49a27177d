import { Calendar, type EventInput, type EventSourceFuncInfo } from 'fullcalendar';
import dayGrid from 'fullcalendar/daygrid';
import list from 'fullcalendar/list';
import theme from 'fullcalendar/themes/breezy';
import timeGrid from 'fullcalendar/timegrid';
import type { CalendarQuery } from '../../src/pages/calendar/calendar-query.js';
import type { ScriptSettings } from '../../src/pages/calendar/script-settings.js';
import { fill } from '../../src/pages/texts/fill.js';
import { dropEmptyHeaders, nameByContent } from '../shared/grid-names.js';
import { eventContent, piece, timeFormat } from './event-content.js';
import { firstHour, scrollHour } from './first-hour.js';
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
  settings: ScriptSettings,
  { view, date }: { view: string; date?: string },
  page: Page,
): Promise<Calendar> {
  const { language, direction, firstDay, hour, hour12, dayCutoff, texts } = settings;
  // English is built in.
  const locales = language.startsWith('en') ? [] : (await import('fullcalendar/locales-all')).default;
  const dayFormat = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' });
  // Hours in words, such as "09 Uhr" in German, are too wide for the axis.
  const hourFormat = new Intl.DateTimeFormat(language, {
    hour,
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
  /** Where a week or day that has been loaded is to be scrolled to. */
  let scrollTo: string | undefined;
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
    eventTimeFormat: timeFormat(settings),
    eventClass: 'ev',
    blockEventClass: 'block',
    columnEventClass: 'column',
    columnEventInnerClass: 'column-inner',
    columnMoreLinkClass: 'column-more',
    tableHeaderClass: 'head',
    dayHeaderInnerClass: 'day-head',
    listItemEventClass: 'list-item',
    listDaysClass: 'list-days',
    listDayClass: 'list-day',
    listDayHeaderClass: 'list-head',
    listDayBodyClass: 'list-body',
    eventContent: (info) => eventContent(info, settings),
    eventDidMount: ({ el, event, timeText }) => {
      const { place: where, zone, whole } = event.extendedProps as EventExtras;
      if (el.getAttribute('role') === 'listitem') beLink(el);
      el.title = [`${whole || timeText} ${zone}`.trim(), event.title, where].filter(Boolean).join('\n');
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
    eventsSet: () => {
      page.drawn();
      if (scrollTo === undefined) return;
      grid.scrollToTime(scrollTo);
      scrollTo = undefined;
    },
    moreLinkText: (count) => fill(texts.more, { count }),
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
    expandRows: true,
    views: {
      dayGridMonth: { blockEventClass: 'block month-event' },
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
      if (grid.view.type.startsWith('timeGrid')) {
        grid.setOption('slotMinTime', firstHour(events, range));
        scrollTo = scrollHour(events, range, page.now());
      }
      return events;
    },
  });
  return grid;
}

const dayOf = (date: Date) => date.toISOString().slice(0, 10);

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
