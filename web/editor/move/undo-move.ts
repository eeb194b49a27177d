import { versionOf } from '../autosave.js';
import { bodyOf, type Field, type Resource, type Row, valuesOf } from '../model.js';
import { recordsOf } from '../records.js';
import { anchorOf, recurrenceOf, storedLines, UNKNOWN_RULE } from '../recurrence/series.js';
import { may } from '../rights.js';
import type { Session } from '../session.js';

/** A way back from a move. */
export interface Undo {
  /** The record that shows the event then. */
  id: number;
  /** Whether it was undone; false where somebody else has changed the event since, and then nothing is written. */
  run: () => Promise<boolean>;
}

interface Moved {
  session: Session;
  resource: Resource;
  fields: readonly Field[];
  /** The whole event before the move, and what the move has written. */
  whole: Row;
  after: Row;
}

/** The id of the whole event of a record. */
export const eventOf = (row: Row): number => recurrenceOf(row)?.event_id ?? row.id;

/**
 * Plans the undo of a move: the event gets its times again, and its rule. Dates that became an event of their own go to
 * the trash, as the event has them again. Undefined where the rule cannot be sent as it was.
 */
export async function planUndo({
  session,
  resource,
  fields,
  whole,
  after,
}: Moved): Promise<Undo | undefined> {
  const records = recordsOf(session.client, resource);
  const isSeries = recurrenceOf(whole) !== undefined;
  if (isSeries && !isResendable(whole)) return undefined;
  const divided = eventOf(after) === whole.id ? undefined : eventOf(after);
  if (divided !== undefined && !may(session, 'delete', resource, after)) return undefined;
  const names = ['start_date', 'end_date', ...(isSeries ? ['recurrence'] : [])];
  const sent = fields.filter(({ name }) => names.includes(name));
  const body = bodyOf(sent, valuesOf(sent, whole, session), undefined);
  const written = [isSeries ? await records.get(whole.id) : after];
  if (divided !== undefined) written.push(await records.get(divided));
  return {
    id: whole.id,
    run: async () => {
      const now = await Promise.all(written.map(({ id }) => records.get(id)));
      if (now.some((row, index) => versionOf(row) !== versionOf(written[index]))) return false;
      await records.update(whole.id, body, now[0]);
      if (divided !== undefined) await records.remove(divided);
      return true;
    },
  };
}

/** Whether its first date is the start of its rule: only then its lines give the same dates again. */
function isResendable(whole: Row): boolean {
  const start = anchorOf(whole).find((line) => line.startsWith('DTSTART'));
  const digits = (start?.split(':').at(-1) ?? '').replace('T', '');
  const first = String(whole['start_date']).replace(/\D/g, '');
  return storedLines(whole) !== UNKNOWN_RULE && /^\d{8,}$/.test(digits) && first.startsWith(digits);
}
