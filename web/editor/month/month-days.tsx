import { fill } from '../../../src/pages/texts/fill.js';
import { LOCALE, TEXTS } from '../catalogue.js';
import { Dialog } from '../dialogs.js';
import type { Resource, Row } from '../model.js';
import { mayMove } from '../move/move-dialog.js';
import { may, mayCreate } from '../rights.js';
import { useShell } from '../shell.js';
import { ownTimes, shownTimes, titleOf } from '../texts.js';
import { lastDayOf, markedTitle } from './month-events.js';

interface EventsProps {
  resource: Resource;
  rows: readonly Row[];
  /** Opens the dialog that moves an event. */
  onMove: (row: Row) => void;
}

const DAY = new Intl.DateTimeFormat(LOCALE, {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  timeZone: 'UTC',
});
const TIME = new Intl.DateTimeFormat(LOCALE, { timeStyle: 'short', timeZone: 'UTC' });

const dayText = (day: string) => DAY.format(new Date(`${day}T00:00:00Z`));

/** The events of a month by the day on which they begin, for screens on which a table of days has no room. */
export function MonthDays({
  month,
  today,
  newOn,
  ...events
}: EventsProps & {
  month: string;
  today: string;
  /** The address of a new event on a day. */
  newOn: (day: string) => string;
}) {
  const { session } = useShell();
  const days = new Map<string, Row[]>();
  for (const row of events.rows.filter((one) => isWithin(one, `${month}-01`, lastDayOf(month)))) {
    const start = ownTimes(row).start.slice(0, 10);
    const day = start < `${month}-01` ? `${month}-01` : start;
    days.set(day, [...(days.get(day) ?? []), row]);
  }
  if (days.size === 0) return <p class="empty">{TEXTS.month.empty}</p>;
  return (
    <ol class="month-days">
      {[...days].sort().map(([day, rows]) => (
        <li key={day} class="card" data-date={day}>
          <div class="month-day">
            <h3>
              {dayText(day)}
              {day === today && <span class="badge">{TEXTS.month.today}</span>}
            </h3>
            {mayCreate(session, events.resource) && (
              <a class="button small" href={newOn(day)}>
                <span aria-hidden="true">+</span>
                <span class="unseen">{fill(TEXTS.month.newOn, { day: dayText(day) })}</span>
              </a>
            )}
          </div>
          <DayEvents {...events} rows={rows} />
        </li>
      ))}
    </ol>
  );
}

/** All events of a day, over the month. */
export function DayDialog({ day, onClose, ...events }: EventsProps & { day: string; onClose: () => void }) {
  return (
    <Dialog title={dayText(day)} onClose={onClose}>
      <DayEvents {...events} rows={events.rows.filter((row) => isWithin(row, day, day))} />
      <div class="actions">
        <button type="button" onClick={onClose}>
          {TEXTS.frame.close}
        </button>
      </div>
    </Dialog>
  );
}

/** Whether an event takes place on a day from the first one to the last one. */
function isWithin(row: Row, first: string, last: string): boolean {
  const { start, end } = ownTimes(row);
  return start.slice(0, 10) <= last && end.slice(0, 10) >= first;
}

function DayEvents({ resource, rows, onMove }: EventsProps) {
  const { session, settings } = useShell();
  return (
    <ul class="day-events">
      {rows.map((row) => (
        <li key={row.id}>
          <span>
            {may(session, 'edit', resource, row) ? (
              <a href={`#/${resource.kind}/${row.id}`} dir="auto" data-event={row.id}>
                {markedTitle(resource, row)}
              </a>
            ) : (
              markedTitle(resource, row)
            )}
            <span class="note">{timesOnDay(row)}</span>
          </span>
          {mayMove(session, settings, resource, row) && (
            <button
              type="button"
              class="small"
              aria-label={fill(TEXTS.move.openOf, { title: titleOf(row, resource.title) })}
              onClick={() => onMove(row)}
            >
              {TEXTS.move.open}
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

/** When an event takes place, without its day if that is the only one. */
function timesOnDay(row: Row): string {
  const { start, end } = ownTimes(row);
  if (start.slice(0, 10) !== end.slice(0, 10)) return shownTimes(row);
  if (row['all_day'] === true) return TEXTS.month.allDay;
  const [from = 0, to = 0] = [start, end].map((clock) => Date.parse(`${clock.replace(' ', 'T')}Z`));
  return to >= from ? TIME.formatRange(from, to) : shownTimes(row);
}
