import { createReadStream } from 'node:fs';
import { hash } from 'node:crypto';
import type { Loss } from '../../lib/ical/losses.js';
import { type ReadEvent, readEvents } from '../../lib/ical/read-event.js';
import { type CalendarPart, splitComponents } from '../../lib/ical/split-components.js';
import { CalendarSurvey, hasProperty, uidOf } from './calendar-survey.js';
import { type FileRecord, guarded, type ReadOptions } from './file-record.js';

/** Yields the events of a calendar file; a first pass reads what applies to all of them and may follow them. */
export async function* calendarRecords(path: string, input: ReadOptions): AsyncGenerator<FileRecord> {
  const { occurrences, zone, note } = input;
  const survey = new CalendarSurvey(zone, note);
  const changed = new Set<string>();
  const read = (part: CalendarPart): FileRecord[] =>
    guarded(part.line, () => {
      const events = readEvents(part.lines, {
        zones: survey.zonesOf(part.calendar),
        isOurs: survey.isOurs(part.calendar),
        occurrences,
        hasSeries: survey.isSeries(uidOf(part.lines) ?? ''),
      });
      return part.isUnended
        ? withLoss(events, { line: part.line, property: 'END', why: 'it is missing' })
        : events;
    });
  const parts = (notes?: (line: string) => void) => splitComponents(createReadStream(path), notes);

  for await (const part of parts(note)) survey.take(part);
  if (occurrences > 0)
    for await (const part of parts())
      if (part.name === 'VEVENT' && isChange(part))
        for (const { event } of read(part)) if (event) changed.add(event.uid);
  const seen = new Map<string, { line: number; digest: string }>();
  for await (const part of parts())
    if (part.name === 'VEVENT')
      for (const record of read(part))
        if (isChange(part) || !changed.has(record.event?.uid ?? '')) yield distinct(record, survey, seen);
}

const isChange = ({ lines }: CalendarPart): boolean => hasProperty(lines, 'RECURRENCE-ID');

/** Gives events that share a `UID` distinct ids by their starts, and records the remaining duplicates as lost. */
function distinct(
  { line, event, fault }: FileRecord,
  survey: CalendarSurvey,
  seen: Map<string, { line: number; digest: string }>,
): FileRecord {
  if (!event) return { line, fault };
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
  return { line, event: own };
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
