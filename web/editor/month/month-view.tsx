import { Calendar, type EventSourceFuncInfo } from 'fullcalendar';
import dayGrid from 'fullcalendar/daygrid';
import interaction from 'fullcalendar/interaction';
import theme from 'fullcalendar/themes/breezy';
import { useEffect, useRef, useState } from 'preact/hooks';
import { dropEmptyHeaders, nameByContent } from '../../shared/grid-names.js';
import { LOCALE } from '../catalogue.js';
import type { Resource, Row } from '../model.js';
import { problemOf } from '../problem.js';
import { mayCreate } from '../rights.js';
import type { ListPlace } from '../route.js';
import { useShell } from '../shell.js';
import { dayOf, eventsBetween, shownEvent } from './month-events.js';
import { type Move, useMove } from './use-move.js';

const TEXTS = {
  previous: 'Previous month',
  next: 'Next month',
  today: 'Today',
  help: 'Drag an event to another day to move it. By keyboard: open it and change its days.',
  cut: 'This month has more events than it has room for.',
} as const;

const DAY_MS = 86_400_000;

interface MonthProps {
  resource: Resource;
  place: ListPlace;
  /** Shows another month, `YYYY-MM`. */
  onMonth: (month: string) => void;
  go: (hash: string) => void;
}

/** The events of a month, each on its own clock, that are moved by dragging. */
export function MonthView({ resource, place, onMonth, go }: MonthProps) {
  const shell = useShell();
  const { session } = shell;
  const host = useRef<HTMLDivElement>(null);
  const grid = useRef<Calendar>();
  const rows = useRef(new Map<string, Row>());
  const [isCut, setCut] = useState(false);
  const move = useMove(resource);
  const month = place.month || dayOf(new Date()).slice(0, 7);
  /** What the calendar calls, of the last time that this was drawn. */
  const latest = useRef({ place, move });
  latest.current = { place, move };

  useEffect(() => {
    if (!host.current) return;
    const calendar = new Calendar(host.current, {
      plugins: [dayGrid, interaction, theme],
      initialView: 'dayGridMonth',
      initialDate: `${month}-01`,
      headerToolbar: false,
      // Events come on their own clocks.
      timeZone: 'UTC',
      height: 'auto',
      fixedWeekCount: false,
      eventDisplay: 'block',
      eventClass: 'ev',
      blockEventClass: 'block',
      dayMaxEvents: 5,
      eventTimeFormat: { hour: 'numeric', minute: '2-digit', meridiem: 'short' },
      viewDidMount: ({ el }) => dropEmptyHeaders(el),
      dayHeaderDidMount: ({ el }) => nameByContent(el),
      dayCellDidMount: ({ el }) => nameByContent(el),
      dayCellTopContent: ({ date, text }) => ({ domNodes: [dayNumber(text, dayFormat.format(date))] }),
      eventClick: ({ event, jsEvent }) => {
        if (event.url) return;
        jsEvent.preventDefault();
      },
      dateClick: ({ dateStr }) => {
        if (mayCreate(session, resource)) go(`#/${resource.kind}/new?day=${dateStr.slice(0, 10)}`);
      },
      eventDrop: async ({ event, oldEvent, revert }) => {
        const days = daysBetween(oldEvent.start, event.start);
        if (!(await moved(event.id, { start: days, end: days }))) revert();
      },
      eventResize: async ({ event, oldEvent, revert }) => {
        if (!(await moved(event.id, { start: 0, end: daysBetween(oldEvent.end, event.end) }))) revert();
      },
      events: async ({ start, end }: EventSourceFuncInfo) => {
        try {
          const found = await eventsBetween(session, resource, latest.current.place, { start, end });
          rows.current = new Map(found.rows.map((row) => [String(row.id), row]));
          setCut(found.isCut);
          return found.rows.map((row) => shownEvent(session, resource, row));
        } catch (error) {
          shell.complain(problemOf(error).message);
          return [];
        }
      },
    });
    async function moved(id: string, by: Move): Promise<boolean> {
      const row = rows.current.get(id);
      const isMoved =
        row !== undefined && (await latest.current.move(row, by, () => calendar.refetchEvents()));
      // Also where it was refused: somebody else may have changed the event.
      calendar.refetchEvents();
      return isMoved;
    }
    calendar.render();
    grid.current = calendar;
    return () => calendar.destroy();
  }, []);

  const filters = JSON.stringify([place.search, place.filters]);
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current) grid.current?.gotoDate(`${month}-01`);
  }, [month]);
  useEffect(() => {
    if (!isFirst.current) grid.current?.refetchEvents();
    isFirst.current = false;
  }, [filters]);

  const first = new Date(`${month}-01T00:00:00Z`);
  const other = (step: number) =>
    dayOf(new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + step, 1))).slice(0, 7);
  const title = new Intl.DateTimeFormat(LOCALE, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  return (
    <section class="month" aria-labelledby="month-title">
      <div class="month-head">
        <h2 id="month-title" aria-live="polite">
          {title.format(first)}
        </h2>
        <div class="actions start">
          <button type="button" aria-label={TEXTS.previous} onClick={() => onMonth(other(-1))}>
            <span aria-hidden="true">←</span>
          </button>
          <button type="button" onClick={() => onMonth(dayOf(new Date()).slice(0, 7))}>
            {TEXTS.today}
          </button>
          <button type="button" aria-label={TEXTS.next} onClick={() => onMonth(other(1))}>
            <span aria-hidden="true">→</span>
          </button>
        </div>
      </div>
      <div ref={host} class="month-grid" />
      {isCut && <p class="notice warning">{TEXTS.cut}</p>}
      {mayCreate(session, resource) && <p class="help">{TEXTS.help}</p>}
    </section>
  );
}

const dayFormat = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'long', timeZone: 'UTC' });

/** The number of a day, which is read out as the whole date. */
function dayNumber(text: string, date: string): HTMLElement {
  const [seen, read] = [document.createElement('span'), document.createElement('span')];
  seen.textContent = text;
  seen.setAttribute('aria-hidden', 'true');
  seen.className = 'ev-number';
  read.textContent = date;
  read.className = 'unseen';
  const both = document.createElement('span');
  both.append(seen, read);
  return both;
}

const daysBetween = (before: Date | null, after: Date | null): number =>
  Math.round(((after?.getTime() ?? 0) - (before?.getTime() ?? 0)) / DAY_MS);
