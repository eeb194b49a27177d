import { fill } from '../../src/pages/texts/fill.js';
import { TEXTS } from './catalogue.js';
import type { Resource, Row } from './model.js';
import { nounOf } from './nouns.js';
import { messageOf } from './problem.js';
import { recordsOf } from './records.js';
import { removalQuestion } from './recurrence/scope-questions.js';
import { isDateOf, recurrenceOf } from './recurrence/series.js';
import { useShell } from './shell.js';
import { titleOf } from './texts.js';

const TRASHED = {
  this: TEXTS.list.thisTrashed,
  following: TEXTS.list.followingTrashed,
  all: TEXTS.list.allTrashed,
} as const;
const DELETED = {
  this: TEXTS.list.thisDeleted,
  following: TEXTS.list.followingDeleted,
  all: TEXTS.list.allDeleted,
} as const;

/** Ways to take records away and to bring them back; `onDone` when one has gone well, `onUndone` when that was undone. */
export function useRemoval(resource: Resource, onDone: (row: Row) => void, onUndone = onDone) {
  const { session, settings, ask, askScope, say, complain, setUnsaved } = useShell();
  const { title, isTerm } = resource;
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
      after(row);
      say(done, undo);
    } catch (error) {
      complain(messageOf(error));
    }
  }

  /** Takes a record out of the trash with the status that it had. */
  function bringBack(row: Row, name: string) {
    const status = row['status'] ?? 'publish';
    return attempt(
      row,
      () => records.update(row.id, { status }),
      fill(TEXTS.list.back, { title: name }),
      undefined,
      onUndone,
    );
  }

  const word = isForGood ? TEXTS.list.deleteForGood : TEXTS.list.moveToTrash;
  return {
    word,
    shortWord: isForGood ? TEXTS.list.delete : TEXTS.list.trash,
    /** The short word with the title of the record that it is about. */
    wordOf: (name: string) => fill(isForGood ? TEXTS.list.deleteOf : TEXTS.list.trashOf, { title: name }),
    /** Moves a record to the trash, or deletes it for good; asks before what cannot be undone. */
    async remove(row: Row) {
      const name = titleOf(row, title);
      if (isDateOf(row)) {
        const scope = await askScope(removalQuestion(name, isForGood, settings.recurrenceOff));
        if (!scope) return;
        const done = fill((isForGood ? DELETED : TRASHED)[scope], { title: name });
        return attempt(row, () => records.remove(row.id, scope), done);
      }
      const isSeries = recurrenceOf(row) !== undefined;
      const question = {
        title: fill(isForGood ? TEXTS.list.askDelete : TEXTS.list.askTrash, { title: name }),
        text: isTerm
          ? TEXTS.list.fromAllEvents
          : [isSeries && TEXTS.list.allDatesGo, isForGood && TEXTS.list.noTrash].filter(Boolean).join(' '),
        yes: word,
        isDangerous: true,
      };
      if ((isForGood || isSeries) && !(await ask(question))) return;
      await attempt(
        row,
        () => records.remove(row.id),
        fill(isForGood ? TEXTS.list.deleted : TEXTS.list.inTrash, { title: name }),
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
        fill(isDateOf(row) ? TEXTS.list.restoredDates : TEXTS.list.restored, {
          title: name,
          one: nounOf(resource),
        }),
      );
    },
  };
}
