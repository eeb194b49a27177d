import { useEffect, useRef, useState } from 'preact/hooks';
import { LOCALE, TEXTS } from '../catalogue.js';
import type { Resource, Row } from '../model.js';
import { useMoveDialog } from '../move/move-dialog.js';
import { isAt, type Place } from '../move/use-move.js';
import { mayCreate } from '../rights.js';
import type { ListPlace } from '../route.js';
import { useShell } from '../shell.js';
import { DayDialog, MonthDays } from './month-days.js';
import { monthAfter, useMonthEvents } from './month-events.js';
import { MonthGrid } from './month-grid.js';
import { dayInZone } from './site-day.js';

interface MonthProps {
  resource: Resource;
  place: ListPlace;
  /** Shows another month, `YYYY-MM`. */
  onMonth: (month: string) => void;
  go: (hash: string) => void;
}

const TITLE = new Intl.DateTimeFormat(LOCALE, { month: 'long', year: 'numeric', timeZone: 'UTC' });
const NONE: readonly Row[] = [];

/** The events of a month, each on its own clock: a table of days, on small screens a list. */
export function MonthView({ resource, place, onMonth, go }: MonthProps) {
  const { session, settings } = useShell();
  const today = dayInZone(settings.zone, Date.now());
  const month = place.month || today.slice(0, 7);
  const [version, setVersion] = useState(0);
  const [day, setDay] = useState<string>();
  const isSmall = useIsSmall();
  const events = useMonthEvents(resource, place, month, version);
  const rows = events?.rows ?? NONE;
  const section = useRef<HTMLElement>(null);
  /** Where the focus goes once the events are read again. */
  const wanted = useRef<Place>();

  /** Reads the events again, also where a move was refused: somebody else may have changed the event. */
  function settled(to: Place): void {
    wanted.current = to;
    setVersion((old) => old + 1);
  }
  const mover = useMoveDialog(resource, settled);

  /** Gives the focus to an event that moved, to its day where it is among those that are not shown, or to the heading. */
  function focusAgain(): void {
    const to = wanted.current;
    const row = to && rows.find((one) => isAt(one, to));
    wanted.current = undefined;
    const { activeElement, body } = document;
    if (!to || (activeElement !== body && !section.current?.contains(activeElement))) return;
    const find = (selector: string) => section.current?.querySelector<HTMLElement>(selector);
    const target =
      find(`[data-event="${row?.id}"]`) ??
      find(`[data-date="${to.start.slice(0, 10)}"] a`) ??
      document.querySelector<HTMLElement>('h1');
    target?.focus();
  }
  useEffect(() => {
    // The table is drawn a moment later.
    if (isSmall) focusAgain();
  }, [rows]);

  const newOn = (on: string) => `#/${resource.kind}/new?day=${on}`;
  const shared = { resource, rows, month, newOn, onMove: mover.open };
  return (
    <section ref={section} class="month" aria-labelledby="month-title">
      <div class="month-head">
        <h2 id="month-title" aria-live="polite">
          {TITLE.format(new Date(`${month}-01T00:00:00Z`))}
        </h2>
        <div class="actions start">
          <button
            type="button"
            aria-label={TEXTS.month.previous}
            onClick={() => onMonth(monthAfter(month, -1))}
          >
            <span class="arrow" aria-hidden="true" />
          </button>
          <button type="button" onClick={() => onMonth(today.slice(0, 7))}>
            {TEXTS.month.today}
          </button>
          <button type="button" aria-label={TEXTS.month.next} onClick={() => onMonth(monthAfter(month, 1))}>
            <span class="arrow next" aria-hidden="true" />
          </button>
        </div>
      </div>
      {isSmall ? (
        events?.month === month && <MonthDays {...shared} today={today} />
      ) : (
        <MonthGrid
          {...shared}
          go={go}
          onDrag={async (row, by) => {
            const to = await mover.move(row, by, settled);
            settled(to);
            return to.isMoved;
          }}
          onDay={setDay}
          onDrawn={focusAgain}
        />
      )}
      {day !== undefined && (
        <DayDialog
          day={day}
          resource={resource}
          rows={rows}
          onClose={() => setDay(undefined)}
          onMove={(row) => {
            setDay(undefined);
            mover.open(row);
          }}
        />
      )}
      {mover.dialog}
      {events?.isCut && <p class="notice warning">{TEXTS.month.cut}</p>}
      {!isSmall && mayCreate(session, resource) && <p class="help">{TEXTS.month.help}</p>}
    </section>
  );
}

const SMALL = matchMedia('(max-width: 44rem)');

/** Whether the screen is too narrow for seven columns. */
function useIsSmall(): boolean {
  const [isSmall, setSmall] = useState(SMALL.matches);
  useEffect(() => {
    const follow = () => setSmall(SMALL.matches);
    SMALL.addEventListener('change', follow);
    return () => SMALL.removeEventListener('change', follow);
  }, []);
  return isSmall;
}
