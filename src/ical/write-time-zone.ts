import { nameAt } from '../wordpress/dates/abbreviation.js';
import { formatOffset, formatWallClock, parseWallClock } from '../wordpress/dates/wall-clock.js';
import { offsetAt, type Zone } from '../wordpress/dates/zone.js';
import { buildZone } from '../wordpress/dates/zones.js';
import type { CalendarEntry } from './calendar-entry.js';
import { compactDate, contentLine, escapeText } from './content-line.js';

const DAY = 86_400;

/** Nobody knows what clocks showed before that, nor what they will show after. */
const FIRST_YEAR = 1900;
const LAST_YEAR = 2200;

/** Whether a zone is written as UTC itself, which needs no description. */
export function isUtc(zone: string): boolean {
  const built = buildZone(zone);
  return built.kind === 'iana' && built.name === 'UTC';
}

/** Whether the wall clock of a zone is described in the year of a date. */
export function isDescribed(wall: string): boolean {
  const year = Number(wall.slice(0, 4));
  return year > FIRST_YEAR && year < LAST_YEAR;
}

/**
 * A `VTIMEZONE` by which the wall clock of a zone is understood from the beginning of one year to the end of another, as far as
 * both are between 1900 and 2200: every change of its offset in between.
 */
export function timeZoneLines(name: string, firstYear: number, lastYear: number): string {
  const zone = buildZone(name);
  const [first, last] = [firstYear, lastYear].map((year) => Math.min(Math.max(year, FIRST_YEAR), LAST_YEAR));
  return describe(name, zone, secondsOf(first ?? FIRST_YEAR), secondsOf((last ?? LAST_YEAR) + 1));
}

/** The zones that the times of some events are read in, with the years that these lie in; each is written once. */
export class UsedZones {
  private readonly years = new Map<string, { first: number; last: number }>();
  private readonly written = new Set<string>();

  /** Notes that an event is told by the clock of a zone: before that is written, or it is another one. */
  use({ zone, start, end, allDay }: Pick<CalendarEntry, 'zone' | 'start' | 'end' | 'allDay'>): void {
    if (allDay || isUtc(zone)) return;
    // A year more on each side, as UTC is in another one there.
    const [first, last] = [Number.parseInt(start, 10) - 1, Number.parseInt(end, 10) + 1];
    const known = this.years.get(zone) ?? { first, last };
    this.years.set(zone, { first: Math.min(known.first, first), last: Math.max(known.last, last) });
  }

  /** A `VTIMEZONE` for each of those that have none yet. */
  *lines(): Generator<string> {
    for (const [zone, { first, last }] of this.years) {
      if (this.written.has(zone)) continue;
      this.written.add(zone);
      yield timeZoneLines(zone, first, last);
    }
  }
}

function describe(name: string, zone: Zone, from: number, to: number): string {
  const first = offsetAt(zone, from);
  const observances = [{ at: from, before: first, after: first }, ...changes(zone, from, to)];
  const lines = observances.map(({ at, before, after }) => {
    const kind = isSummer(zone, at) ? 'DAYLIGHT' : 'STANDARD';
    return [
      contentLine('BEGIN', kind),
      // On the clock as it was before.
      contentLine('DTSTART', compactDate(formatWallClock(at + before))),
      contentLine('TZOFFSETFROM', utcOffset(before)),
      contentLine('TZOFFSETTO', utcOffset(after)),
      contentLine('TZNAME', escapeText(nameAt(zone, after))),
      contentLine('END', kind),
    ].join('');
  });
  return [
    contentLine('BEGIN', 'VTIMEZONE'),
    contentLine('TZID', escapeText(name)),
    ...lines,
    contentLine('END', 'VTIMEZONE'),
  ].join('');
}

/** Every change of the offset between two epoch seconds. */
function changes(zone: Zone, from: number, to: number) {
  const found: { at: number; before: number; after: number }[] = [];
  for (let day = from; day < to; day += DAY) {
    const before = offsetAt(zone, day);
    const after = offsetAt(zone, Math.min(day + DAY, to));
    if (before === after) continue;
    let [low, high] = [day, Math.min(day + DAY, to)];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (offsetAt(zone, middle) === before) low = middle;
      else high = middle;
    }
    found.push({ at: high, before, after });
  }
  return found;
}

/** Whether the clock is ahead of what it is at another time of that year. */
function isSummer(zone: Zone, at: number): boolean {
  const offsets = Array.from({ length: 12 }, (_, month) => offsetAt(zone, at + (month + 0.5) * 30 * DAY));
  return offsetAt(zone, at) > Math.min(...offsets);
}

/** `+0200`, with seconds where there are any. */
function utcOffset(offset: number): string {
  const seconds = Math.abs(offset) % 60;
  return formatOffset(offset).replace(':', '') + (seconds ? String(seconds).padStart(2, '0') : '');
}

function secondsOf(year: number): number {
  return parseWallClock(`${String(Math.max(1, year)).padStart(4, '0')}-01-01 00:00:00`) ?? 0;
}
