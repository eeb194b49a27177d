import { hash } from 'node:crypto';
import { EventLoopYielder } from '../common/event-loop.js';
import { changedIds, sequenceOf } from '../lib/ical/component-ids.js';
import type { Loss } from '../lib/ical/losses.js';
import { MAX_COMPARED, type ReadEvent, readEvents } from '../lib/ical/read-event.js';
import { Unreadable } from '../lib/ical/read-time.js';
import { isRecurring } from '../lib/ical/series.js';
import { type CalendarPart, splitComponents } from '../lib/ical/split-components.js';
import { CalendarSurvey, hasProperty, uidOf } from './calendar-survey.js';
import { type FileRecord, guarded, type ReadOptions, type SeriesIds } from './file-record.js';
import { SeriesPlans } from './series-plans.js';

/**
 * Yields the events of a calendar file, of recurring ones that stay one event first all and then their changed dates. A
 * first pass reads what applies to all of them and may follow them.
 */
export async function* calendarRecords(
  open: () => AsyncIterable<Uint8Array>,
  input: ReadOptions,
): AsyncGenerator<FileRecord> {
  const keepsSeries = input.occurrences === undefined;
  const survey = new CalendarSurvey(input.zone, keepsSeries, input.note);
  const yielder = new EventLoopYielder();
  async function* parts(note?: (line: string) => void) {
    for await (const part of splitComponents(open(), note)) {
      // The dates of one event may take long to compute.
      if (yielder.shouldYield) await yielder.yield();
      yield part;
    }
  }
  for await (const part of parts(input.note)) survey.take(part);
  const plans = new SeriesPlans(survey, input.occurrences ?? MAX_COMPARED);
  const hasChanges = survey.hasChangedSeries();
  if (hasChanges) for await (const part of parts()) plans.take(part);
  const seen = new Map<string, { line: number; digest: string }>();
  const isLater = ({ lines }: CalendarPart) =>
    keepsSeries && hasProperty(lines, 'RECURRENCE-ID') && survey.isSeries(uidOf(lines) ?? '');
  for (const pass of keepsSeries && hasChanges ? [false, true] : [false]) {
    for await (const part of parts()) {
      if (part.name !== 'VEVENT') continue;
      if (isLater(part) !== pass) continue;
      const { lines, line } = part;
      const uid = uidOf(lines);
      const named = (record: FileRecord): FileRecord => ({ ...record, ...(uid !== undefined && { uid }) });
      const later = survey.laterRevision(lines) ?? plans.laterRevision(part);
      if (later !== undefined)
        yield named({ line, fault: `line ${later} has a later revision (SEQUENCE) of it` });
      else if (isCancelled(part, survey)) yield named(cancellation(part, survey, plans, keepsSeries));
      else for (const record of read(part, survey, plans, input)) yield named(distinct(record, survey, seen));
    }
  }
}

function read(
  part: CalendarPart,
  survey: CalendarSurvey,
  plans: SeriesPlans,
  input: ReadOptions,
): FileRecord[] {
  const { lines, line, calendar } = part;
  const uid = uidOf(lines) ?? '';
  const zones = survey.zonesOf(calendar);
  let ids: SeriesIds | undefined;
  const records = guarded(line, () => {
    const isChange = hasProperty(lines, 'RECURRENCE-ID');
    const series = isRecurring(lines) || isChange ? plans.seriesOf(part, zones) : undefined;
    const options = { zones, isOurs: survey.isOurs(calendar), occurrences: input.occurrences };
    const events = readEvents(lines, { ...options, line, ...(series && { series }) });
    if (series && !isChange)
      ids =
        input.occurrences === undefined
          ? { uid, ids: series.changedIds(), isComplete: true, ...revisionOf(lines) }
          : { uid, ids: series.ids(), isComplete: series.isComplete, ...revisionOf(lines) };
    return part.isUnended ? withLoss(events, { line, property: 'END', why: 'it is missing' }) : events;
  });
  const [first, ...others] = records;
  if (!ids) return records;
  // All dates of a series may have been changed by other components.
  return [{ ...(first ?? { line }), series: ids }, ...others];
}

/** Whether an event withdraws what was imported before. */
function isCancelled({ lines, calendar }: CalendarPart, survey: CalendarSurvey): boolean {
  return (
    survey.isCancelling(calendar) ||
    lines.some(({ text }) => /^STATUS(?:;[^:]*)?:\s*CANCELLED\s*$/i.test(text))
  );
}

function cancellation(
  part: CalendarPart,
  survey: CalendarSurvey,
  plans: SeriesPlans,
  keepsSeries: boolean,
): FileRecord {
  const { line, lines, calendar } = part;
  const uid = uidOf(lines) ?? '';
  if (!hasProperty(lines, 'RECURRENCE-ID')) return { line, cancelled: { uid, ...revisionOf(lines) } };
  try {
    const own = plans.idsOf(part);
    const ids = [...own, ...changedIds(uid, lines, survey.zonesOf(calendar))];
    const isExcluded = keepsSeries && own.length > 0;
    return { line, cancelled: { uid, ids: [...new Set(ids)], isExcluded, ...revisionOf(lines) } };
  } catch (error) {
    if (error instanceof Unreadable) return { line, fault: error.message };
    throw error;
  }
}

function revisionOf(lines: CalendarPart['lines']): { sequence?: number } {
  const sequence = sequenceOf(lines);
  return sequence === undefined ? {} : { sequence };
}

/** Gives events that share a `UID` distinct ids by their starts, and records the remaining duplicates as lost. */
function distinct(
  record: FileRecord,
  survey: CalendarSurvey,
  seen: Map<string, { line: number; digest: string }>,
): FileRecord {
  const { line, event } = record;
  if (!event) return record;
  const isShared = survey.isShared(event.uid);
  const [own = event] = isShared
    ? withLoss([withStartInId(event)], {
        line,
        property: 'UID',
        why: 'other events of the file have it: they are told apart by DTSTART',
      })
    : [event];
  const digest = hash('sha256', JSON.stringify(own.fields), 'base64');
  const before = seen.get(own.uid);
  if (!before) seen.set(own.uid, { line, digest });
  else if (before.digest !== digest)
    return { line, fault: `the event on line ${before.line} has the same UID and begins at the same time` };
  return { ...record, event: own };
}

/** Adds the start to an event's id, as occurrences of a series have it. */
export function withStartInId(event: ReadEvent): ReadEvent {
  const start = String(event.fields['start_date']).replace(/[-:]/g, '').replace(' ', 'T');
  return { ...event, uid: `${event.uid}/${start}`, sharedUid: event.uid };
}

function withLoss(events: readonly ReadEvent[], loss: Loss): ReadEvent[] {
  return events.map((event, at) =>
    at === 0 ? { ...event, losses: [...(event.losses ?? []), loss] } : event,
  );
}
