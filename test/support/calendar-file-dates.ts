import { CalendarSurvey, hasProperty, uidOf } from '../../src/imports/calendar-survey.js';
import { sequenceOf } from '../../src/lib/ical/component-ids.js';
import { parseComponent } from '../../src/lib/ical/parse-component.js';
import { loseBadEnds } from '../../src/lib/ical/read-dates.js';
import { usableLines } from '../../src/lib/ical/read-event.js';
import { Unreadable } from '../../src/lib/ical/read-time.js';
import { type CalendarPart, NotACalendar, splitComponents } from '../../src/lib/ical/split-components.js';
import { occurrences } from '../../src/lib/recurrence/occurrences.js';
import { parseOverride, parseRecurrence, withOverrides } from '../../src/lib/recurrence/parse-recurrence.js';
import { RecurrenceError } from '../../src/lib/recurrence/recurrence-error.js';
import type { Override } from '../../src/lib/recurrence/recurrence-set.js';
import { compact } from './recurrence-dates.js';

/** The dates of an event of a file as test/support/calendar-dates.py writes them, or why it has none. */
export interface EventDates {
  uid: string;
  dates?: string[];
  error?: string;
}

/** Options: the zone of times without one, and the most dates per event. */
interface FileOptions {
  zone: string;
  limit: number;
}

const YEAR = 366 * 86_400;

/** The dates of each event of a file without `RECURRENCE-ID`, in the order of the file; or why it is no calendar. */
export async function fileDates(file: Buffer, options: FileOptions): Promise<EventDates[] | string> {
  const survey = new CalendarSurvey(options.zone, false, () => undefined);
  const events: CalendarPart[] = [];
  try {
    for await (const part of splitComponents(chunksOf(file))) {
      survey.take(part);
      if (part.name === 'VEVENT') events.push(part);
    }
  } catch (error) {
    if (error instanceof NotACalendar) return error.message;
    throw error;
  }
  const isChange = ({ lines }: CalendarPart) => hasProperty(lines, 'RECURRENCE-ID');
  return events
    .filter((event) => !isChange(event))
    .map((event) => {
      const uid = uidOf(event.lines) ?? '';
      const changes = events.filter((one) => isChange(one) && uid !== '' && uidOf(one.lines) === uid);
      try {
        return { uid, dates: datesOf(event, changes, survey, options) };
      } catch (error) {
        if (error instanceof Unreadable || error instanceof RecurrenceError)
          return { uid, error: error.message };
        throw error;
      }
    });
}

async function* chunksOf(file: Buffer) {
  yield file;
}

function datesOf(
  event: CalendarPart,
  changes: readonly CalendarPart[],
  survey: CalendarSurvey,
  { limit }: FileOptions,
): string[] {
  const clocksOf = ({ calendar }: CalendarPart) => survey.zonesOf(calendar).clocks();
  const textsOf = ({ lines, calendar }: CalendarPart) => {
    const parsed = parseComponent(lines);
    loseBadEnds(parsed, survey.zonesOf(calendar));
    return usableLines(parsed, lines).map(({ text }) => text);
  };
  const set = parseRecurrence(textsOf(event), { zones: clocksOf(event) });
  const last = new Map<number, { sequence: number; override: Override }>();
  for (const change of changes) {
    const sequence = sequenceOf(change.lines) ?? 0;
    const override = parseOverride(textsOf(change), set, clocksOf(change));
    if (sequence >= (last.get(override.id.key)?.sequence ?? 0))
      last.set(override.id.key, { sequence, override });
  }
  const { start, clock, isAllDay } = set;
  const changed = withOverrides(
    set,
    [...last.values()].map(({ override }) => override),
  );
  const window = {
    from: clock.toEpoch(start.wall - 2 * YEAR),
    until: clock.toEpoch(start.wall + 5 * YEAR) + 1,
  };
  const { list } = occurrences(changed, { ...window, limit });
  return list
    .map((one) =>
      isAllDay
        ? `${compact(one.start).slice(0, 8)}/${compact(one.end).slice(0, 8)}`
        : `${compact(one.startUtc)}Z/${compact(one.endUtc)}Z`,
    )
    .toSorted();
}
