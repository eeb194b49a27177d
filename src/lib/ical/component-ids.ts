import { parseDate, parseProperty } from '../recurrence/parse-values.js';
import { RecurrenceError } from '../recurrence/recurrence-error.js';
import { compactDate, formatWallClock } from '../wordpress-text/dates/wall-clock.js';
import type { FileZones } from './file-zones.js';
import type { ContentLine } from './read-lines.js';
import { Unreadable } from './read-time.js';

/** The `SEQUENCE` of a component; undefined without a valid one. */
export function sequenceOf(lines: readonly ContentLine[]): number | undefined {
  const text = lines.find((one) => /^SEQUENCE[;:]/i.test(one.text))?.text;
  const [, digits] = /:\s*(\d{1,10})\s*$/.exec(text ?? '') ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/**
 * The ids that a changed date can have, whose series is not in the file: the instant of `RECURRENCE-ID` on the clocks that
 * the series may have. The first one is that of its own `DTSTART`. Throws `Unreadable`.
 */
export function changedIds(uid: string, lines: readonly ContentLine[], zones: FileZones): string[] {
  const property = (name: RegExp) => {
    const line = lines.find(({ text }) => name.test(text));
    return line && parseProperty(line.text);
  };
  const id = property(/^RECURRENCE-ID[;:]/i);
  if (!id) return [uid];
  const clocks = zones.clocks();
  try {
    const { isDay, wall, clock } = parseDate(id.value, clocks, id.parameters.get('TZID'));
    const written = compactDate(formatWallClock(wall));
    if (isDay || !clock) return [`${uid}/${isDay ? written.slice(0, 8) : written}`];
    const zone = property(/^DTSTART[;:]/i)?.parameters.get('TZID');
    const epoch = clock.toEpoch(wall);
    const walls = [zone === undefined ? undefined : clocks.find(zone), clock, clocks.local].flatMap((one) =>
      one ? [one.toWall(epoch)] : [],
    );
    return [...new Set(walls)].map((one) => `${uid}/${compactDate(formatWallClock(one))}`);
  } catch (error) {
    throw error instanceof RecurrenceError ? new Unreadable('RECURRENCE-ID is no date') : error;
  }
}
