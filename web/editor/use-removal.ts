import type { Resource, Row } from './model.js';
import { problemOf } from './problem.js';
import { recordsOf } from './records.js';
import { removalQuestion } from './recurrence/scope-questions.js';
import { isDateOf, recurrenceOf } from './recurrence/series.js';
import { useShell } from './shell.js';
import { titleOf } from './texts.js';

const REMOVED = { this: 'This date', following: 'This and the following dates', all: 'All dates' } as const;

/** Ways to take records away and to bring them back; `onDone` when one has gone well, `onUndone` when that was undone. */
export function useRemoval(resource: Resource, onDone: (row: Row) => void, onUndone = onDone) {
  const { session, settings, ask, askScope, say, complain, setUnsaved } = useShell();
  const { one, title, isTerm } = resource;
  const records = recordsOf(session.client, resource);
  const isForGood = isTerm || settings.trashDays === 0;

  async function attempt(
    row: Row,
    work: () => Promise<unknown>,
    done: string,
    undo?: () => void,
    after = onDone,
  ) {
    try {
      await work();
      // What was typed into a record that is gone is gone with it.
      setUnsaved(false);
      say(done, undo);
      after(row);
    } catch (error) {
      const { message, fields } = problemOf(error);
      complain(Object.values(fields)[0] ?? message);
    }
  }

  /** Takes a record out of the trash with the status that it had. */
  function bringBack(row: Row, name: string) {
    const status = row['status'] ?? 'publish';
    return attempt(row, () => records.update(row.id, { status }), `${name} is back.`, undefined, onUndone);
  }

  return {
    word: isForGood ? 'Delete for good' : 'Move to trash',
    shortWord: isForGood ? 'Delete' : 'Trash',
    /** Moves a record to the trash, or deletes it for good; asks before what cannot be undone. */
    async remove(row: Row) {
      const name = titleOf(row, title);
      if (isDateOf(row)) {
        const scope = await askScope(removalQuestion(name, isForGood, settings.recurrenceOff));
        if (!scope) return;
        const what = `${REMOVED[scope]} of ${name}`;
        const done = `${what} ${scope === 'this' ? 'was' : 'were'} ${isForGood ? 'deleted' : 'moved to the trash'}.`;
        return attempt(row, () => records.remove(row.id, scope), done);
      }
      const isSeries = recurrenceOf(row) !== undefined;
      const question = {
        title: `${isForGood ? 'Delete' : 'Trash'} ${name}?`,
        text: isTerm
          ? `It is taken from all events. This cannot be undone.`
          : `${isSeries ? 'All of its dates go with it. ' : ''}${
              isForGood ? 'This server keeps no trash: it is deleted for good.' : ''
            }`,
        yes: isForGood ? 'Delete for good' : 'Move to trash',
        isDangerous: true,
      };
      if ((isForGood || isSeries) && !(await ask(question))) return;
      await attempt(
        row,
        () => records.remove(row.id),
        isForGood ? `${name} was deleted.` : `${name} is in the trash.`,
        isForGood ? undefined : () => bringBack(row, name),
      );
    },
    /** Takes a record out of the trash, as a draft: nothing is published by mistake. */
    async restore(row: Row) {
      const name = titleOf(row, title);
      await attempt(
        row,
        // Dates that are in the trash one by one are events of their own.
        () => records.update(row.id, { status: 'draft', ...(isDateOf(row) && { scope: 'all' }) }),
        `${name} is back as a draft${isDateOf(row) ? ', with all of its dates' : ''}. Open the ${one} to publish it.`,
      );
    },
  };
}
