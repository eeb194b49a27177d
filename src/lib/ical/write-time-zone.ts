import { nameAt } from '../wordpress-text/dates/abbreviation.js';
import { formatOffset, formatWallClock, parseWallClock } from '../wordpress-text/dates/wall-clock.js';
import { buildZone, offsetAt, type Zone } from '../wordpress-text/dates/zones.js';
import type { CalendarEntry } from './calendar-entry.js';
import { compactDate, contentLine, escapeText } from './content-line.js';

const DAY = 86_400;

/** Events outside of these years are written in UTC: each year costs space, and future rules are unknown. */
const FIRST_YEAR = 1969;
const LAST_YEAR = 2101;

const HOUR = 3600;

/**
 * The `TZID` of a zone, an IANA name that readers know without its definition; `Etc/GMT-2` for the offset `+02:00`, `UTC`
 * for an offset without a name.
 */
export function writtenZone(zone: string): string {
  const { kind, name, offset } = buildZone(zone);
  if (kind === 'iana') return name;
  const hours = offset / HOUR;
  if (hours === 0 || !Number.isInteger(hours) || hours < -12 || hours > 14) return 'UTC';
  // The signs of these names are those of POSIX.
  return `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`;
}

/** Whether the `VTIMEZONE` of a zone covers the year of a date. */
export function isDescribed(wall: string): boolean {
  const year = Number(wall.slice(0, 4));
  return year > FIRST_YEAR && year < LAST_YEAR;
}

/**
 * The `VTIMEZONE` of a zone with every transition of the given years between 1969 and 2101.
 */
export function timeZoneLines(name: string, years: Iterable<number>): string {
  const zone = buildZone(name);
  const within = [...years].map((year) => Math.min(Math.max(year, FIRST_YEAR), LAST_YEAR));
  const wanted = [...new Set(within)].sort((a, b) => a - b);
  const observances = wanted.flatMap((year, at) => {
    const [from, to] = [secondsOf(year), secondsOf(year + 1)];
    const offset = offsetAt(zone, from);
    const isFollowing = wanted[at - 1] === year - 1;
    return [
      ...(isFollowing ? [] : [{ at: from, before: offset, after: offset }]),
      ...changes(zone, from, to),
    ];
  });
  const nameOf = distinctNames(zone, observances);
  const lines = observances.map(({ at, before, after }) => {
    const kind = isSummer(zone, at) ? 'DAYLIGHT' : 'STANDARD';
    return [
      contentLine('BEGIN', kind),
      // On the wall clock before the transition.
      contentLine('DTSTART', compactDate(formatWallClock(at + before))),
      contentLine('TZOFFSETFROM', utcOffset(before)),
      contentLine('TZOFFSETTO', utcOffset(after)),
      contentLine('TZNAME', escapeText(nameOf({ at, after }))),
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

/** Collects the zones of events and their years; each zone is written once. */
export class UsedZones {
  private readonly years = new Map<string, Set<number>>();
  private readonly written = new Set<string>();

  /** Adds the zone of an event; must be called before `lines` yields that zone. */
  use({ zone, start, end, allDay }: Pick<CalendarEntry, 'zone' | 'start' | 'end' | 'allDay'>): void {
    if (allDay) return;
    for (const year of [start, end].map((wall) => Number.parseInt(wall, 10))) this.cover(zone, year, year);
  }

  /** Adds years of a zone. */
  cover(name: string, first: number, last: number): void {
    const zone = writtenZone(name);
    if (zone === 'UTC') return;
    const years = this.years.get(zone) ?? new Set<number>();
    this.years.set(zone, years);
    // East of Greenwich the offset at the start of a year is defined in the year before.
    const end = Math.min(last, LAST_YEAR);
    for (let year = Math.max(first, FIRST_YEAR + 1) - 1; year <= end; year++) years.add(year);
  }

  /** Yields a `VTIMEZONE` for each zone not yet written. */
  *lines(): Generator<string> {
    for (const [zone, years] of this.years) {
      if (this.written.has(zone)) continue;
      this.written.add(zone);
      yield timeZoneLines(zone, years);
    }
  }
}

/** A transition at an epoch second to an offset in seconds. */
interface Observance {
  at: number;
  after: number;
}

/** The transitions between two epoch seconds. */
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

/** Abbreviations of the observances; numeric where several offsets share one. */
function distinctNames(zone: Zone, observances: readonly Observance[]): (one: Observance) => string {
  const nameOf = ({ at, after }: Observance) => nameAt(zone, after, at);
  const offsets = new Map<string, Set<number>>();
  for (const one of observances)
    offsets.set(nameOf(one), new Set([...(offsets.get(nameOf(one)) ?? []), one.after]));
  return (one) => {
    const name = nameOf(one);
    return (offsets.get(name)?.size ?? 0) > 1 ? utcOffset(one.after).replace(/00$/, '') : name;
  };
}

/** Whether the offset is greater than at another time of that year. */
function isSummer(zone: Zone, at: number): boolean {
  const offsets = Array.from({ length: 12 }, (_, month) => offsetAt(zone, at + (month + 0.5) * 30 * DAY));
  return offsetAt(zone, at) > Math.min(...offsets);
}

/** Formats an offset as `+0200`, with seconds if not 0. */
function utcOffset(offset: number): string {
  const seconds = Math.abs(offset) % 60;
  return formatOffset(offset).replace(':', '') + (seconds ? String(seconds).padStart(2, '0') : '');
}

function secondsOf(year: number): number {
  return parseWallClock(`${String(Math.max(1, year)).padStart(4, '0')}-01-01 00:00:00`) ?? 0;
}
