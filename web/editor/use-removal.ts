import type { Resource, Row } from './model.js';
import { problemOf } from './problem.js';
import { recordsOf } from './records.js';
import { useShell } from './shell.js';
import { titleOf } from './texts.js';

/** Ways to take records away and to bring them back; `onDone` when one has gone well. */
export function useRemoval(resource: Resource, onDone: () => void) {
  const { session, settings, ask, say, complain, setUnsaved } = useShell();
  const { kind, one, title, isTerm } = resource;
  const records = recordsOf(session.client, kind);
  const isForGood = isTerm || settings.trashDays === 0;

  async function attempt(work: () => Promise<unknown>, done: string) {
    try {
      await work();
      // What was typed into a record that is gone is gone with it.
      setUnsaved(false);
      say(done);
      onDone();
    } catch (error) {
      complain(problemOf(error).message);
    }
  }

  return {
    word: isForGood ? 'Delete for good' : 'Move to trash',
    shortWord: isForGood ? 'Delete' : 'Trash',
    /** Moves a record to the trash, or deletes it for good; asks before what cannot be undone. */
    async remove(row: Row) {
      const name = titleOf(row, title);
      const question = {
        title: `Delete ${name}?`,
        text: isTerm
          ? `It is taken from all events. This can not be undone.`
          : 'This server keeps no trash: it is deleted for good.',
        yes: 'Delete for good',
        isDangerous: true,
      };
      if (isForGood && !(await ask(question))) return;
      await attempt(
        () => records.remove(row.id),
        isForGood ? `${name} was deleted.` : `${name} is in the trash.`,
      );
    },
    /** Takes a record out of the trash, as a draft: nothing is published by mistake. */
    async restore(row: Row) {
      const name = titleOf(row, title);
      await attempt(
        () => records.update(row.id, { status: 'draft' }),
        `${name} is back as a draft. Open the ${one} to publish it.`,
      );
    },
  };
}
