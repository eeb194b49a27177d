import { fill } from '../../../src/pages/texts/fill.js';
import { versionOf } from '../autosave.js';
import { TEXTS } from '../catalogue.js';
import { skippedMinutes } from '../checks.js';
import { bodyOf, fieldsOf, type Resource, type Row, valuesOf } from '../model.js';
import { messageOf } from '../problem.js';
import { recordsOf } from '../records.js';
import { removalQuestion } from '../recurrence/scope-questions.js';
import { isDateOf, recurrenceOf } from '../recurrence/series.js';
import { type ScopeQuestion, useShell } from '../shell.js';
import { shownMoment, titleOf } from '../texts.js';
import { type Move, moved as movedBy } from './moved-times.js';
import { eventOf, planUndo, type Undo } from './undo-move.js';

/** Where an event is after a move, or after an attempt that moved nothing. */
export interface Place {
  isMoved: boolean;
  /** The record that shows it; dates of a series may get others. */
  id: number;
  /** The whole event. */
  event: number;
  /** When it begins there, on its own clock. */
  start: string;
}

/** Whether a record is the date of an event at this place. */
export const isAt = (row: Row, { event, start }: Place): boolean =>
  eventOf(row) === event && String(row['start_date']).slice(0, 16) === start.slice(0, 16);

const SAID = { this: 'moved', following: 'movedFollowing', all: 'movedAll' } as const;

/** Moves events by whole days on their own clocks; says how it went. */
export function useMove(resource: Resource) {
  const shell = useShell();
  const { session, settings } = shell;
  const records = recordsOf(session.client, resource);
  const fields = fieldsOf(resource, session, false);

  /** Moves an event; `onUndone` is called after an undo. */
  async function move(row: Row, by: Move, onUndone: (place: Place) => void): Promise<Place> {
    try {
      return (await attempt(row, by, onUndone)) ?? placeOf(row, false);
    } catch (error) {
      shell.complain(messageOf(error));
      return placeOf(row, false);
    }
  }

  async function attempt(row: Row, by: Move, onUndone: (place: Place) => void): Promise<Place | undefined> {
    const title = titleOf(row, resource.title);
    const now = await records.get(row.id);
    if (versionOf(now) !== versionOf(row)) return refused(fill(TEXTS.move.changed, { title }));
    const values = valuesOf(fields, now, session);
    const moved = movedBy(values, by);
    if (skippedMinutes('start_date', moved) + skippedMinutes('end_date', moved) > 0)
      return refused(fill(TEXTS.move.skipped, { title, zone: String(values['timezone']) }));
    const isDate = isDateOf(now);
    const scope = isDate ? await shell.askScope(moveQuestion(title, settings.recurrenceOff)) : undefined;
    if (isDate && !scope) return undefined;
    const whole = isDate ? await records.get(eventOf(now)) : now;
    const body = bodyOf(fields, moved, values);
    const saved = await records.update(row.id, scope ? { ...body, scope } : body, now);
    const start = String(body['start_date']);
    // Moved is moved, also where what comes of it cannot be read.
    const after = recurrenceOf(whole) ? await records.get(saved.id).catch(() => saved) : saved;
    const place = { isMoved: true, id: saved.id, event: eventOf(after), start };
    const undo = await planUndo({ session, resource, fields, whole, after }).catch(() => undefined);
    const back = { ...placeOf(now, true), id: undo?.id ?? now.id };
    const time = shownMoment(start);
    shell.say(
      fill(TEXTS.move[SAID[scope ?? 'this']], { title, time }),
      undo && (() => undoMove(title, undo, back, onUndone)),
    );
    return place;
  }

  async function undoMove(title: string, undo: Undo, back: Place, onUndone: (place: Place) => void) {
    try {
      if (!(await undo.run())) return void refused(fill(TEXTS.move.changed, { title }));
      shell.say(fill(TEXTS.move.undone, { title, time: shownMoment(back.start) }));
    } catch (error) {
      shell.complain(messageOf(error));
    }
    onUndone(back);
  }

  function refused(message: string): undefined {
    shell.complain(message);
    return undefined;
  }
  return move;
}

const placeOf = (row: Row, isMoved: boolean): Place => ({
  isMoved,
  id: row.id,
  event: eventOf(row),
  start: String(row['start_date']),
});

/** Asks which dates are moved: the same ones as are taken away. */
const moveQuestion = (title: string, off: string): ScopeQuestion => ({
  choices: removalQuestion(title, false, off).choices,
  title: fill(TEXTS.move.which, { title }),
  yes: TEXTS.move.move,
});
