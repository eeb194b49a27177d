import type { SeriesIds } from './file-record.js';
import { importKey } from './import-values.js';
import type { ImportedEventIndex } from './imported-event-index.js';

/**
 * The keys of imported dates that a recurring event no longer has, also of the single event that it was before; not those
 * after the last date that was read.
 */
export function missingDates({ uid, ids, isComplete }: SeriesIds, brought: ImportedEventIndex): string[] {
  const dates = new Set(ids.map(importKey));
  const last = ids.reduce((one, other) => (other > one ? other : one), '');
  const gone = brought.datesOf(uid).filter((key) => !dates.has(key) && (isComplete || key <= last));
  const single = importKey(uid);
  return brought.get(single) ? [single, ...gone] : gone;
}
