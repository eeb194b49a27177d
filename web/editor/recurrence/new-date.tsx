import { useState } from 'preact/hooks';
import { parseWallClock } from '../../../src/lib/wordpress-text/dates/wall-clock.js';
import { fill } from '../../../src/pages/texts/fill.js';
import { TEXTS } from '../catalogue.js';
import { formatWall } from './series.js';

const T = TEXTS.recurrence;

/** A day, with its time where it has one, to be added to a list. */
export function NewDate({
  id,
  label,
  isDay,
  time,
  onAdd,
}: {
  id: string;
  label: string;
  isDay: boolean;
  /** The usual time, in seconds of the day. */
  time: number;
  onAdd: (wall: number) => void;
}) {
  const [day, setDay] = useState('');
  const [clock, setClock] = useState<string>();
  const usual = new Date(time * 1000).toISOString().slice(11, 16);
  const wall = parseWallClock(isDay ? day : `${day} ${clock || usual}`);
  function add() {
    if (wall === undefined) return;
    setDay('');
    onAdd(wall);
    document.getElementById(id)?.focus();
  }
  // Enter must not send the form while a day is typed here.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    add();
  };
  return (
    <>
      <div class="rule">
        <label for={id}>{label}</label>
        <input
          id={id}
          type="date"
          max="9999-12-31"
          value={day}
          onInput={(event) => setDay(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        {!isDay && (
          <input
            type="time"
            aria-label={fill(T.timeOf, { label })}
            value={clock ?? usual}
            onInput={(event) => setClock(event.currentTarget.value)}
            onKeyDown={onKeyDown}
          />
        )}
        <button
          type="button"
          class="small"
          aria-label={fill(T.addTo, { label })}
          disabled={wall === undefined}
          onClick={add}
        >
          {TEXTS.fields.add}
        </button>
      </div>
      {wall !== undefined && <p class="warning">{fill(T.notAdded, { date: formatWall(wall, isDay) })}</p>}
    </>
  );
}
