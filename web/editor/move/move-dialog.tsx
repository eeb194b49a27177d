import { useState } from 'preact/hooks';
import { fill } from '../../../src/pages/texts/fill.js';
import { TEXTS } from '../catalogue.js';
import { Dialog } from '../dialogs.js';
import type { Resource, Row } from '../model.js';
import { isDateOf, recurrenceOf } from '../recurrence/series.js';
import { may } from '../rights.js';
import type { Session } from '../session.js';
import type { Settings } from '../settings.js';
import { shownTimes, titleOf } from '../texts.js';
import { daysBetween, laterBy, moved } from './moved-times.js';
import { type Place, useMove } from './use-move.js';

const STEPS = [
  ['weekEarlier', -7],
  ['dayEarlier', -1],
  ['dayLater', 1],
  ['weekLater', 7],
] as const;

/** Whether a record is an event that the user may move. */
export const mayMove = (session: Session, settings: Settings, resource: Resource, row: Row): boolean =>
  resource.kind === 'events' &&
  row['status'] !== 'trash' &&
  may(session, 'edit', resource, row) &&
  (settings.recurrenceOff === '' || recurrenceOf(row) === undefined);

/** Moves events, by a dialog too; `onDone` hears where the event is after each attempt and each undo. */
export function useMoveDialog(resource: Resource, onDone: (place: Place) => void) {
  const move = useMove(resource);
  const [row, setRow] = useState<Row>();
  return {
    move,
    open: (wanted: Row) => setRow(wanted),
    dialog: row && (
      <MoveDialog
        title={titleOf(row, resource.title)}
        row={row}
        onClose={() => setRow(undefined)}
        onMove={async (days) => {
          setRow(undefined);
          onDone(await move(row, { start: days, end: days }, onDone));
        }}
      />
    ),
  };
}

interface DialogProps {
  title: string;
  row: Row;
  onMove: (days: number) => void;
  onClose: () => void;
}

/** Asks for the day that an event moves to, and shows its times there. */
function MoveDialog({ title, row, onMove, onClose }: DialogProps) {
  const before = String(row['start_date']).slice(0, 10);
  const [day, setDay] = useState(before);
  const [fault, setFault] = useState('');
  const days = daysBetween(before, day);
  const isDay = /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(days);
  const choose = (chosen: string) => {
    setDay(chosen);
    setFault('');
  };
  return (
    <Dialog title={fill(TEXTS.move.openOf, { title })} onClose={onClose}>
      <form
        class="move"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (isDay && days !== 0) return onMove(days);
          setFault(isDay ? TEXTS.move.sameDay : TEXTS.form.noDay);
          document.getElementById('move-day')?.focus();
        }}
      >
        <div class="field">
          <label for="move-day">{TEXTS.move.day}</label>
          <input
            id="move-day"
            type="date"
            min="1000-01-01"
            max="9999-12-31"
            value={day}
            aria-describedby={`move-fault move-times${recurrenceOf(row) ? ' move-dates' : ''}`}
            aria-invalid={fault !== ''}
            autofocus
            onInput={(event) => choose(event.currentTarget.value)}
          />
          <p class="error" id="move-fault">
            {fault}
          </p>
        </div>
        <fieldset class="steps">
          <legend>{TEXTS.move.by}</legend>
          {STEPS.map(([text, step]) => (
            <button
              key={text}
              type="button"
              class="small"
              onClick={() => choose(laterBy(step, isDay ? day : before))}
            >
              {TEXTS.move[text]}
            </button>
          ))}
        </fieldset>
        <p id="move-times" aria-live="polite">
          {isDay && fill(TEXTS.move.times, { times: shownTimes(moved(row, { start: days, end: days })) })}
        </p>
        {recurrenceOf(row) && (
          <p class="help" id="move-dates">
            {isDateOf(row) ? TEXTS.move.asks : TEXTS.move.wholeSeries}
          </p>
        )}
        <div class="actions">
          <button type="button" onClick={onClose}>
            {TEXTS.frame.cancel}
          </button>
          <button type="submit" class="primary">
            {TEXTS.move.move}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
