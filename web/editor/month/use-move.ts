import { versionOf } from '../autosave.js';
import { TEXTS } from '../catalogue.js';
import { skippedMinutes } from '../checks.js';
import { bodyOf, fieldsOf, type Resource, type Row, type Values, valuesOf } from '../model.js';
import { problemOf } from '../problem.js';
import { recordsOf } from '../records.js';
import { saveQuestion } from '../recurrence/scope-questions.js';
import { isDateOf } from '../recurrence/series.js';
import { useShell } from '../shell.js';
import { shownMoment, titleOf } from '../texts.js';

const DAY_MS = 86_400_000;

/** By how many days the start and the end of an event move. */
export interface Move {
  start: number;
  end: number;
}

/** Moves events by whole days on their own clocks. */
export function useMove(resource: Resource) {
  const shell = useShell();
  const records = recordsOf(shell.session.client, resource);
  const fields = fieldsOf(resource, shell.session, false);

  /** Whether the event was moved; says why not. `onUndone` is called after an undo. */
  async function move(row: Row, by: Move, onUndone: () => void): Promise<boolean> {
    try {
      return await attempt(row, by, onUndone);
    } catch (error) {
      const { message, fields: faults } = problemOf(error);
      shell.complain(Object.values(faults)[0] ?? message);
      return false;
    }
  }

  async function attempt(row: Row, by: Move, onUndone: () => void): Promise<boolean> {
    const title = titleOf(row, resource.title);
    const now = await records.get(row.id);
    if (versionOf(now) !== versionOf(row)) return refused(TEXTS.month.changed.replace('{title}', title));
    const values = valuesOf(fields, now, shell.session);
    const moved = movedBy(values, by);
    if (skippedMinutes('start_date', moved) + skippedMinutes('end_date', moved) > 0) {
      const zone = String(values['timezone']);
      return refused(TEXTS.month.skipped.replace('{title}', title).replace('{zone}', zone));
    }
    const isDate = isDateOf(now);
    const scope = isDate && (await shell.askScope(saveQuestion(moved, now, shell.settings.recurrenceOff)));
    if (isDate && !scope) return false;
    const body = bodyOf(fields, moved, values);
    const saved = await records.update(row.id, scope ? { ...body, scope } : body, now);
    const said = TEXTS.month.moved.replace('{title}', title).replace('{time}', timeOf(moved));
    // Dates of a series may have got other ids.
    shell.say(said, isDate ? undefined : () => undo(saved, { start: -by.start, end: -by.end }, onUndone));
    return true;
  }

  async function undo(saved: Row, by: Move, onUndone: () => void) {
    const title = titleOf(saved, resource.title);
    try {
      const now = await records.get(saved.id);
      if (versionOf(now) !== versionOf(saved))
        return void refused(TEXTS.month.changed.replace('{title}', title));
      const values = valuesOf(fields, now, shell.session);
      const back = movedBy(values, by);
      await records.update(saved.id, bodyOf(fields, back, values), now);
      shell.say(TEXTS.month.undone.replace('{title}', title).replace('{time}', timeOf(back)));
      onUndone();
    } catch (error) {
      shell.complain(problemOf(error).message);
    }
  }

  function refused(message: string): false {
    shell.complain(message);
    return false;
  }
  return move;
}

const movedBy = (values: Values, by: Move): Values => ({
  ...values,
  start_date: shifted(String(values['start_date']), by.start),
  end_date: shifted(String(values['end_date']), by.end),
});

/** A moment of a form, days later on its own clock. */
function shifted(moment: string, days: number): string {
  const [day = '', time = ''] = moment.split('T');
  const later = new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
  return `${later}T${time}`;
}

const timeOf = (values: Values): string => {
  const [day = '', time = ''] = String(values['start_date']).split('T');
  return shownMoment(`${day} ${time || '00:00'}:00`);
};
