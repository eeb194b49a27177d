import type { Database } from '../database/database.js';
import type { Loss } from '../lib/ical/losses.js';
import { formatRecurrence } from '../lib/recurrence/format-recurrence.js';
import { parseRecurrence } from '../lib/recurrence/parse-recurrence.js';
import { compactDate } from '../lib/wordpress-text/dates/wall-clock.js';
import { DATE_PARAMETERS } from '../resources/events/event-dates.js';
import { IMPORT_META } from '../resources/events/event-uids.js';
import { storedRows } from '../resources/events/recurrence/occurrence-rows.js';
import { ifUsable } from '../resources/events/recurrence/series-dates.js';
import { SERIES_META } from '../resources/events/recurrence/stored-lines.js';
import { metaOf } from '../wordpress/posts/post-rows.js';
import { importKey } from './import-values.js';
import type { ImportedEvent, ImportedEventIndex } from './imported-event-index.js';
import type { ImportMarks } from './imported-events.js';

type Fields = Readonly<Record<string, unknown>>;

/** The lines of the fields of an event that recurs. */
export const linesOf = ({ recurrence }: Fields): string[] | undefined => recurrence as string[] | undefined;

/**
 * The fields of an update with how the event recurs: dates that were left out here since the last import stay left out;
 * where the rule was changed here, all dates stay. An event that the file made recur, and makes single, is single.
 */
export async function mergedRecurrence(
  database: Database,
  { id, recurs }: ImportedEvent,
  fields: Fields,
): Promise<{ fields: Fields; loss?: Omit<Loss, 'line'> }> {
  const lines = linesOf(fields);
  if (!recurs || id === 0) return { fields };
  if (!lines) return { fields: { ...fields, recurrence: [] } };
  const [here, before] = (await linesHereAndImported(database, id)).map(partsOf);
  if (!here || !before) return { fields };
  if (here.rules !== before.rules) {
    const rest = Object.entries(fields).filter(
      ([name]) => name !== 'recurrence' && !DATE_PARAMETERS.some((one) => one === name),
    );
    const loss = { property: 'RRULE', why: 'its dates were changed here, and stay' };
    return { fields: Object.fromEntries(rest), loss };
  }
  const added = here.exclusions.filter((one) => !before.exclusions.includes(one));
  return { fields: { ...fields, recurrence: [...lines, ...added] } };
}

/** What leaves one date out of a stored event. */
export interface Exclusion {
  /** The start of the date. */
  start: string;
  whole: ImportedEvent;
  /** The fields of the update, and what the import stores with the event then. */
  fields: Fields;
  marks: ImportMarks;
}

/** Leaves out a date that a file names without its series; undefined where the event does not have it, or no other one. */
export async function exclusionIn(
  database: Database,
  whole: ImportedEvent,
  dateIds: readonly string[],
): Promise<Exclusion | undefined> {
  const rows = await storedRows(database, database.source.manager, whole.id);
  const [here, before = ''] = await linesHereAndImported(database, whole.id);
  // Its rule is gone: another program has written its dates.
  if (!here) return undefined;
  const suffixes = dateIds.map((one) => one.slice(one.lastIndexOf('/') + 1));
  const [uid = ''] = dateIds.map((one) => importKey(one.slice(0, one.lastIndexOf('/'))));
  const [first, second] = rows;
  for (const suffix of suffixes) {
    const row = rows.find(({ start }) => compactDate(start).startsWith(suffix));
    if (!row || !second) continue;
    const line = suffix.length === 8 ? `EXDATE;VALUE=DATE:${suffix}` : `EXDATE:${compactDate(row.startUtc)}Z`;
    const moved = row === first ? { start_date: second.start, end_date: second.end } : {};
    return {
      start: row.start,
      whole,
      fields: { ...moved, recurrence: [...here.split('\n'), line] },
      marks: { uid, digest: '', recurrence: `${before}\n${line}` },
    };
  }
  return undefined;
}

/** The lines of an event, as they are here and as they were imported. */
async function linesHereAndImported(
  database: Database,
  id: number,
): Promise<[here?: string, imported?: string]> {
  const keys = [SERIES_META.lines, IMPORT_META.recurrence];
  const meta = (await metaOf(database, 'post', [id], { keys })).get(id);
  const [here, imported] = keys.map((key) => meta?.get(key)?.[0]);
  return [here, imported];
}

/** Stored lines, normalized: all but the excluded dates, and these one by one. */
function partsOf(text: string | undefined): { rules: string; exclusions: string[] } | undefined {
  if (!text) return undefined;
  return ifUsable(() => {
    const lines = formatRecurrence(parseRecurrence(text.split('\n')));
    const exclusions = lines.flatMap((line) => {
      const [, name, values] = /^(EXDATE[^:]*:)(.*)$/.exec(line) ?? [];
      return name === undefined || values === undefined ? [] : values.split(',').map((one) => name + one);
    });
    return { rules: lines.filter((line) => !line.startsWith('EXDATE')).join('\n'), exclusions };
  });
}

/**
 * The event of one date of a recurring event, as earlier versions imported it, which becomes the whole one; and the dates
 * that were trashed here, which the whole one leaves out.
 */
export function formerDates(
  exclusions: ReadonlyMap<string, string>,
  index: ImportedEventIndex,
): { first?: { key: string; event: ImportedEvent }; excluded: string[] } {
  const excluded: string[] = [];
  let first: { key: string; event: ImportedEvent } | undefined;
  for (const [id, line] of exclusions) {
    const key = importKey(id);
    const event = index.get(key);
    if (event?.status === 'trash' && !event.isWithdrawn) excluded.push(line);
    else if (event && event.status !== 'trash') first ??= { key, event };
  }
  return { ...(first && { first }), excluded };
}
