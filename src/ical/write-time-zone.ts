import { nameAt } from '../wordpress/dates/abbreviation.js';
import { formatOffset, formatWallClock, parseWallClock } from '../wordpress/dates/wall-clock.js';
import { offsetAt, type Zone } from '../wordpress/dates/zone.js';
import { buildZone } from '../wordpress/dates/zones.js';
import { compactDate, contentLine, escapeText } from './content-line.js';

const DAY = 86_400;

/** Whether a zone is written as UTC itself, which needs no description. */
export function isUtc(zone: string): boolean {
  const built = buildZone(zone);
  return built.kind === 'iana' && built.name === 'UTC';
}

/**
 * A `VTIMEZONE` by which the wall clock of a zone is understood from the beginning of one year to the end of another: every change
 * of its offset in between. Nothing for UTC.
 */
export function timeZoneLines(name: string, firstYear: number, lastYear: number): string {
  if (isUtc(name)) return '';
  const zone = buildZone(name);
  const from = secondsOf(firstYear);
  const to = secondsOf(lastYear + 1);
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
