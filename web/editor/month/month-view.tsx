import { Calendar, type EventSourceFuncInfo } from 'fullcalendar';
import dayGrid from 'fullcalendar/daygrid';
import interaction from 'fullcalendar/interaction';
import theme from 'fullcalendar/themes/breezy';
import { useEffect, useRef, useState } from 'preact/hooks';
import { dropEmptyHeaders, nameByContent } from '../../shared/grid-names.js';
import { LOCALE, TEXTS } from '../catalogue.js';
import type { Resource, Row } from '../model.js';
import { useMoveDialog } from '../move/move-dialog.js';
import type { Move } from '../move/moved-times.js';
import { isAt, type Place } from '../move/use-move.js';
import { problemOf } from '../problem.js';
import { mayCreate } from '../rights.js';
import type { ListPlace } from '../route.js';
import { useShell } from '../shell.js';
import { dayOf, eventsBetween, shownEvent } from './month-events.js';

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
  /** Where the focus goes once the events are read again. */
  const wanted = useRef<Place>();
  const mover = useMoveDialog(resource, settled);
  const month = place.month || dayOf(new Date()).slice(0, 7);
  /** What the calendar calls, of the last time that this was drawn. */
  const latest = useRef({ place, mover });
  latest.current = { place, mover };

  /** Reads the events again, also where a move was refused: somebody else may have changed the event. */
  function settled(to: Place): void {
    wanted.current = to;
    grid.current?.refetchEvents();
  }

  /** Gives the focus to an event that moved, to its day where it is among those that are not shown, or to the heading. */
  function focusAgain(): void {
    const to = wanted.current;
    const [id] = [...rows.current].find(([, row]) => to && isAt(row, to)) ?? [];
    const { activeElement, body } = document;
    if (!to || (activeElement !== body && !host.current?.contains(activeElement))) return;
    wanted.current = undefined;
    const target =
      host.current?.querySelector<HTMLElement>(`[data-event="${id}"]`) ??
      host.current?.querySelector<HTMLElement>(`[data-date="${to.start.slice(0, 10)}"] a`) ??
      document.querySelector<HTMLElement>('h1');
    target?.focus();
  }

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
      eventDidMount: ({ el, event }) => {
        el.dataset['event'] = event.id;
        if (!event.startEditable) return;
        el.setAttribute('aria-keyshortcuts', 'M');
        el.addEventListener('keydown', (pressed) => {
          const row = rows.current.get(event.id);
          if (row && isKeyOfMove(pressed)) latest.current.mover.open(row);
        });
      },
      eventsSet: () => setTimeout(focusAgain),
      eventClick: ({ event, jsEvent }) => {
        if (event.url) return;
        jsEvent.preventDefault();
      },
      dateClick: ({ dateStr }) => {
        if (mayCreate(session, resource)) go(`#/${resource.kind}/new?day=${dateStr.slice(0, 10)}`);
      },
      eventDrop: async ({ event, oldEvent, revert }) => {
        const days = daysBetween(oldEvent.start, event.start);
        await dropped(event.id, { start: days, end: days }, revert);
      },
      eventResize: async ({ event, oldEvent, revert }) => {
        await dropped(event.id, { start: 0, end: daysBetween(oldEvent.end, event.end) }, revert);
      },
      events: async ({ start, end }: EventSourceFuncInfo) => {
        try {
          const found = await eventsBetween(session, resource, latest.current.place, { start, end });
          rows.current = new Map(found.rows.map((row) => [String(row.id), row]));
          setCut(found.isCut);
          return found.rows.map((row) => shownEvent(shell, resource, row));
        } catch (error) {
          shell.complain(problemOf(error).message);
          return [];
        }
      },
    });
    async function dropped(id: string, by: Move, revert: () => void): Promise<void> {
      const row = rows.current.get(id);
      const to = row && (await latest.current.mover.move(row, by, settled));
      if (!to?.isMoved) revert();
      calendar.refetchEvents();
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
          <button type="button" aria-label={TEXTS.month.previous} onClick={() => onMonth(other(-1))}>
            <span aria-hidden="true">←</span>
          </button>
          <button type="button" onClick={() => onMonth(dayOf(new Date()).slice(0, 7))}>
            {TEXTS.month.today}
          </button>
          <button type="button" aria-label={TEXTS.month.next} onClick={() => onMonth(other(1))}>
            <span aria-hidden="true">→</span>
          </button>
        </div>
      </div>
      <div ref={host} class="month-grid" />
      {mover.dialog}
      {isCut && <p class="notice warning">{TEXTS.month.cut}</p>}
      {mayCreate(session, resource) && <p class="help">{TEXTS.month.help}</p>}
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

const isKeyOfMove = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === 'm' && !ctrlKey && !metaKey && !altKey;

const daysBetween = (before: Date | null, after: Date | null): number =>
  Math.round(((after?.getTime() ?? 0) - (before?.getTime() ?? 0)) / DAY_MS);
