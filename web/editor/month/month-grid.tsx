import { Calendar, type CalendarOptions } from 'fullcalendar';
import dayGrid from 'fullcalendar/daygrid';
import interaction from 'fullcalendar/interaction';
import theme from 'fullcalendar/themes/breezy';
import { useEffect, useRef } from 'preact/hooks';
import { fill } from '../../../src/pages/texts/fill.js';
import { dropEmptyHeaders, nameByContent } from '../../shared/grid-names.js';
import { LOCALE, plural, TEXTS } from '../catalogue.js';
import type { Resource, Row } from '../model.js';
import { daysBetween, type Move } from '../move/moved-times.js';
import { mayCreate } from '../rights.js';
import { type Shell, useShell } from '../shell.js';
import { gridEvent } from './month-events.js';
import { dayInZone } from './site-day.js';

interface GridProps {
  resource: Resource;
  /** `YYYY-MM` */
  month: string;
  rows: readonly Row[];
  /** The address of a new event on a day. */
  newOn: (day: string) => string;
  go: (hash: string) => void;
  /** Moves an event that was dragged; whether it was moved. */
  onDrag: (row: Row, by: Move) => Promise<boolean>;
  /** Opens the dialog that moves an event. */
  onMove: (row: Row) => void;
  /** Shows all events of a day. */
  onDay: (day: string) => void;
  /** Called when events were drawn. */
  onDrawn: () => void;
}

/** The days of a month as a table, in which events are dragged. */
export function MonthGrid(props: GridProps) {
  const shell = useShell();
  const host = useRef<HTMLDivElement>(null);
  const grid = useRef<Calendar>();
  /** What the calendar calls, of the last time that this was drawn. */
  const latest = useRef(props);
  latest.current = props;
  const { month, rows } = props;
  useEffect(() => {
    if (!host.current) return;
    const calendar = new Calendar(host.current, gridOptions(shell, latest));
    calendar.render();
    grid.current = calendar;
    return () => calendar.destroy();
  }, []);
  useEffect(() => {
    grid.current?.gotoDate(`${month}-01`);
    grid.current?.refetchEvents();
  }, [month, rows]);
  return <div ref={host} class="month-grid" />;
}

function gridOptions(shell: Shell, latest: { readonly current: GridProps }): CalendarOptions {
  const { settings, session } = shell;
  const { resource, newOn } = latest.current;
  const isCreator = mayCreate(session, resource);
  const rowOf = (id: string) => latest.current.rows.find((row) => String(row.id) === id);
  async function drag(id: string, by: Move, revert: () => void): Promise<void> {
    const row = rowOf(id);
    if (!row || !(await latest.current.onDrag(row, by))) revert();
  }
  return {
    plugins: [dayGrid, interaction, theme],
    initialView: 'dayGridMonth',
    initialDate: `${latest.current.month}-01`,
    headerToolbar: false,
    locale: LOCALE.toLowerCase(),
    direction: document.documentElement.dir === 'rtl' ? 'rtl' : 'ltr',
    firstDay: settings.firstDay,
    // Events come on their own clocks, and today is that of the site.
    timeZone: 'UTC',
    now: () => dayInZone(settings.zone, Date.now()),
    height: 'auto',
    fixedWeekCount: false,
    eventDisplay: 'block',
    // Of one time in the order of the list.
    eventOrder: 'start,-duration,allDay',
    eventClass: 'ev',
    blockEventClass: 'block',
    dayMaxEvents: 5,
    eventTimeFormat: { hour: 'numeric', minute: '2-digit', meridiem: 'short' },
    moreLinkText: (count) => plural(TEXTS.month.more, count),
    moreLinkHint: (count: number) => plural(TEXTS.month.showMore, count),
    moreLinkClick: ({ date, view }) => {
      latest.current.onDay(dayOf(date));
      // What this returns is a view of the day, which may be of another month.
      queueMicrotask(() => view.calendar.gotoDate(`${latest.current.month}-01`));
      return view.type;
    },
    viewDidMount: ({ el }) => dropEmptyHeaders(el),
    dayHeaderDidMount: ({ el }) => nameByContent(el),
    dayCellDidMount: ({ el }) => nameByContent(el),
    dayCellTopContent: ({ date, text }) => ({
      domNodes: [dayNumber(text, date, isCreator ? newOn(dayOf(date)) : undefined)],
    }),
    eventDidMount: ({ el, event }) => {
      el.dataset['event'] = event.id;
      if (!event.startEditable) return;
      el.setAttribute('aria-keyshortcuts', 'M');
      el.addEventListener('keydown', (pressed) => {
        const row = rowOf(event.id);
        if (row && isKeyOfMove(pressed)) latest.current.onMove(row);
      });
    },
    eventsSet: () => setTimeout(() => latest.current.onDrawn()),
    eventClick: ({ event, jsEvent }) => {
      if (!event.url) jsEvent.preventDefault();
    },
    dateClick: ({ dateStr }) => {
      if (isCreator) latest.current.go(newOn(dateStr.slice(0, 10)));
    },
    eventDrop: ({ event, oldEvent, revert }) => {
      const days = daysFrom(oldEvent.start, event.start);
      drag(event.id, { start: days, end: days }, revert);
    },
    eventResize: ({ event, oldEvent, revert }) => {
      drag(event.id, { start: 0, end: daysFrom(oldEvent.end, event.end) }, revert);
    },
    events: (_, done) => done(latest.current.rows.map((row) => gridEvent(shell, resource, row))),
  };
}

/** The number of a day, which is read out as the whole date; a link to a new event on that day. */
function dayNumber(text: string, date: Date, address: string | undefined): HTMLElement {
  const day = DATE.format(date);
  const [seen, read] = [document.createElement('span'), document.createElement('span')];
  seen.textContent = text;
  seen.setAttribute('aria-hidden', 'true');
  seen.className = 'ev-number';
  read.textContent = address === undefined ? day : fill(TEXTS.month.newOn, { day });
  read.className = 'unseen';
  const both = document.createElement(address === undefined ? 'span' : 'a');
  both.className = 'day-link';
  if (address !== undefined) both.setAttribute('href', address);
  both.append(seen, read);
  return both;
}

const DATE = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'long', timeZone: 'UTC' });

const dayOf = (date: Date | null): string => date?.toISOString().slice(0, 10) ?? '';

const daysFrom = (before: Date | null, after: Date | null) => daysBetween(dayOf(before), dayOf(after));

const isKeyOfMove = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === 'm' && !ctrlKey && !metaKey && !altKey;
