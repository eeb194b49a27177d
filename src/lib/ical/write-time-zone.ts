import { DAY } from '../recurrence/calendar-days.js';
import type { RecurrenceSet } from '../recurrence/recurrence-set.js';
import { nameAt } from '../wordpress-text/dates/abbreviation.js';
import {
  compactDate,
  formatOffset,
  formatWallClock,
  parseWallClock,
} from '../wordpress-text/dates/wall-clock.js';
import { buildZone, offsetAt, type Zone } from '../wordpress-text/dates/zones.js';
import type { CalendarEntry } from './calendar-entry.js';
import { contentLine, escapeText } from './content-line.js';
import { type Transition, yearlyTransitions } from './yearly-transitions.js';

/** Single events outside of these years are written in UTC: each year costs space, and future rules are unknown. */
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
 * The `VTIMEZONE` of a zone with every transition of the given years between 1969 and 2101, and of all years from `openFrom`
 * on: by yearly rules where the zone has them, else up to 2101.
 */
export function timeZoneLines(name: string, years: Iterable<number>, openFrom = Infinity): string {
  const zone = buildZone(name);
  const within = [...years].map((year) => Math.min(Math.max(year, FIRST_YEAR), LAST_YEAR));
  const inYear = (year: number) => transitions(zone, secondsOf(year), secondsOf(year + 1));
  const yearly = yearlyTransitions(inYear, openFrom, LAST_YEAR);
  for (let year = openFrom; year < (yearly?.year ?? LAST_YEAR + 1); year++) within.push(year);
  const wanted = [...new Set(within)].filter((year) => !(year >= (yearly?.year ?? Infinity)));
  wanted.sort((a, b) => a - b);
  const observances: Observance[] = [...wanted, ...(yearly ? [yearly.year] : [])].flatMap((year, at) => {
    const from = secondsOf(year);
    const offset = offsetAt(zone, from);
    const isFollowing = wanted[at - 1] === year - 1;
    return [
      ...(isFollowing ? [] : [{ at: from, before: offset, after: offset }]),
      ...(year === yearly?.year ? yearly.transitions : inYear(year)),
    ];
  });
  const nameOf = distinctNames(zone, observances);
  const lines = observances.map(({ at, before, after, rule }) => {
    const kind = isSummer(zone, at) ? 'DAYLIGHT' : 'STANDARD';
    return [
      contentLine('BEGIN', kind),
      // On the wall clock before the transition.
      contentLine('DTSTART', compactDate(formatWallClock(at + before))),
      contentLine('TZOFFSETFROM', utcOffset(before)),
      contentLine('TZOFFSETTO', utcOffset(after)),
      rule === undefined ? '' : contentLine('RRULE', rule),
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
  /** The first years of zones that are needed for ever. */
  private readonly open = new Map<string, number>();
  private readonly written = new Set<string>();

  /** Adds the zone of an event; must be called before `lines` yields that zone. */
  use(entry: Pick<CalendarEntry, 'zone' | 'start' | 'end' | 'allDay' | 'series' | 'replaces'>): void {
    const { zone, start, end, allDay, series, replaces } = entry;
    if (series) this.useSeries(series.set);
    for (const change of series?.changes ?? []) this.use(change.entry);
    // The zone of the original date may be another one.
    if (replaces && !replaces.set.isAllDay) this.cover(replaces.set.clock.name, ...yearsOf(replaces));
    if (allDay || series) return;
    for (const year of [start, end].map((wall) => Number.parseInt(wall, 10))) this.cover(zone, year, year);
  }

  /** Adds years of a zone, to a last one after 2101 all from the first one on. */
  cover(name: string, first: number, last: number): void {
    const zone = writtenZone(name);
    if (zone === 'UTC') return;
    const years = this.years.get(zone) ?? new Set<number>();
    this.years.set(zone, years);
    // East of Greenwich the offset at the start of a year is defined in the year before.
    const begin = Math.max(first, FIRST_YEAR + 1) - 1;
    if (last > LAST_YEAR) this.open.set(zone, Math.min(begin, this.open.get(zone) ?? Infinity));
    else for (let year = begin; year <= last; year++) years.add(year);
  }

  /** Yields a `VTIMEZONE` for each zone not yet written. */
  *lines(): Generator<string> {
    for (const [zone, years] of this.years) {
      if (this.written.has(zone)) continue;
      this.written.add(zone);
      yield timeZoneLines(zone, years, this.open.get(zone));
    }
  }

  private useSeries(set: RecurrenceSet): void {
    if (set.isAllDay) return;
    const ends = [...set.added.map(({ key }) => key), ...set.rules.map(({ until }) => until)];
    const last = ends.reduce((one, other) => Math.max(one, other), set.startKey);
    const end = last + set.duration.days * DAY + set.duration.seconds;
    this.cover(set.clock.name, yearOf(set, set.startKey), yearOf(set, end));
  }
}

const yearOf = ({ clock }: Pick<RecurrenceSet, 'clock'>, key: number): number =>
  key === Infinity ? key : Number.parseInt(formatWallClock(clock.toWall(key)), 10);

function yearsOf({ set, key }: NonNullable<CalendarEntry['replaces']>): [number, number] {
  const year = yearOf(set, key);
  return [year, year];
}

/** A transition; one with a rule comes back each year. */
interface Observance extends Transition {
  rule?: string;
}

/** The transitions between two epoch seconds. */
function transitions(zone: Zone, from: number, to: number): Transition[] {
  const found: Transition[] = [];
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

type Named = Pick<Observance, 'at' | 'after'>;

/** Abbreviations of the observances; numeric where several offsets share one. */
function distinctNames(zone: Zone, observances: readonly Observance[]): (one: Named) => string {
  const nameOf = ({ at, after }: Named) => nameAt(zone, after, at);
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
