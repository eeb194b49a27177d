import sql from 'sql-template-tag';
import type { EntityManager } from 'typeorm';
import type { Database } from '../../../database/database.js';
import { unfoldedLines } from '../../../lib/ical/content-line.js';
import { isRecurrence } from '../../../lib/recurrence/parse-recurrence.js';
import { firstMeta, type PostRecord } from '../../../wordpress/posts/post-record.js';
import { addOnColumns } from '../add-on-columns.js';
import { storedRows } from './occurrence-rows.js';
import { toRecurrenceMembers } from './recurrence-output.js';

/**
 * Our own metas of a recurring event: its lines of RFC 5545, when more of its dates are to be stored, and up to when they
 * are, both in UTC.
 */
export const SERIES_META = {
  lines: '_almanac_recurrence',
  due: '_almanac_recurrence_due',
  until: '_almanac_recurrence_until',
} as const;

/** The stored lines of an event: our own, else those of the premium add-on; undefined without any. */
export async function storedLines(
  database: Database,
  event: PostRecord,
  manager?: EntityManager,
): Promise<string[] | undefined> {
  const own = firstMeta(event, SERIES_META.lines);
  if (own) return own.split('\n');
  const columns = await addOnColumns(database, manager);
  if (!columns.has('tec_events.rset')) return undefined;
  const [row] = await database.query<{ rset: string | null }>(
    sql`SELECT rset FROM ${database.table('tec_events')} WHERE post_id = ${event.id}`,
    manager,
  );
  const lines = unfoldedLines(row?.rset ?? '');
  return isRecurrence(lines) ? lines : undefined;
}

/** Whether an input is what responses show of an event, so that it changes nothing. */
export async function isAsRendered(
  database: Database,
  event: PostRecord,
  input: readonly string[],
  manager?: EntityManager,
): Promise<boolean> {
  const rows = await storedRows(database, manager ?? database.source.manager, event.id);
  // Responses show no recurrence of an event on one date.
  if (rows.length < 2) return false;
  const timezone = firstMeta(event, '_EventTimezone') ?? '';
  const lines = await storedLines(database, event, manager);
  const sent = JSON.stringify(toRecurrenceMembers(input, timezone));
  if (lines) return sent === JSON.stringify(toRecurrenceMembers(lines, timezone));
  // Of a list of dates without a rule responses show all but the first, of an unknown rule none.
  const others = rows.slice(1).map(({ start }) => start);
  return [[], others].some((rdates) => sent === JSON.stringify({ ...toRecurrenceMembers([], ''), rdates }));
}
