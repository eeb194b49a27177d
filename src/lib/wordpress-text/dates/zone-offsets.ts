/** From `at` (epoch seconds) on, the zone is `offset` seconds ahead of UTC. */
export interface Transition {
  at: number;
  offset: number;
  /** What clocks call it, such as `PDT`; undefined where the data do not say. */
  name?: string;
}

/** The offset of a zone at `from` (epoch seconds), then each change before `to`. */
export type ReadTransitions = (from: number, to: number) => readonly Transition[];

/** Finds a zone by its canonical name; undefined for an unknown one. */
export type ZoneSource = (name: string) => ReadTransitions | undefined;

interface ZoneTable {
  read: ReadTransitions;
  /** By year: the offset at its start, then each change within it. */
  years: Map<number, readonly Transition[]>;
}

const OFFSET = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/;
const STEP = 6 * 86400;
/** An average Gregorian year: 400 of them are the whole cycle of the calendar, to the second. */
const YEAR_SECONDS = 31556952;
/** Years are counted from 1970. */
const FIRST_YEAR = -170;
const LAST_YEAR = 530;
/** Years per zone that are kept: enough for any calendar, and a bound on what odd input can allocate. */
const MAX_YEARS = 400;

/** The offsets of one version of the time zone data, cached by zone and year. */
export class ZoneOffsets {
  private readonly tables = new Map<string, ZoneTable | null>();

  constructor(private readonly source: ZoneSource) {}

  /** What `ianaOffset` promises, by these data. */
  offsetAt(name: string, epoch: number): number | undefined {
    return this.periodAt(name, epoch)?.offset;
  }

  /** The period of one offset that an epoch second lies in; it begins at the last change, or with the year. */
  periodAt(name: string, epoch: number): Transition | undefined {
    const table = this.tableOf(name);
    if (!table) return undefined;
    // The calendar repeats itself, weekdays included, and so do the rules.
    const cycles = Math.max(0, Math.ceil((Math.floor(epoch / YEAR_SECONDS) - LAST_YEAR) / 400));
    const second = Math.max(epoch - cycles * 400 * YEAR_SECONDS, FIRST_YEAR * YEAR_SECONDS);
    const transitions = transitionsIn(table, Math.floor(second / YEAR_SECONDS));
    return transitions.findLast(({ at }) => at <= second);
  }

  private tableOf(name: string): ZoneTable | null {
    return remembered(this.tables, name, () => {
      const read = this.source(name);
      return read ? { read, years: new Map() } : null;
    });
  }
}

/** The data that this runtime has. */
export const runtimeZones = new ZoneOffsets(runtimeZone);

let current = runtimeZones;

/** Lets every conversion of this thread use other data. */
export function useZones(zones: ZoneOffsets): void {
  current = zones;
}

/** The data in use. */
export function currentZones(): ZoneOffsets {
  return current;
}

/**
 * Seconds that an IANA zone (canonical spelling) is ahead of UTC at an epoch second; undefined for a zone that the
 * data do not have. Rules hold for every later year; before 1800 local mean time holds.
 */
export function ianaOffset(name: string, epoch: number): number | undefined {
  return current.offsetAt(name, epoch);
}

/** A zone as this runtime knows it. */
export function runtimeZone(name: string): ReadTransitions | undefined {
  try {
    const format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
    return (from, to) => findTransitions(format, from, to);
  } catch {
    return undefined;
  }
}

function transitionsIn({ read, years }: ZoneTable, year: number): readonly Transition[] {
  if (years.size >= MAX_YEARS && !years.has(year)) years.clear();
  return remembered(years, year, () => read(year * YEAR_SECONDS, (year + 1) * YEAR_SECONDS));
}

function remembered<K, V>(known: Map<K, V>, key: K, make: () => V): V {
  const found = known.get(key);
  if (found !== undefined) return found;
  const made = make();
  known.set(key, made);
  return made;
}

function findTransitions(format: Intl.DateTimeFormat, start: number, end: number): readonly Transition[] {
  let current = { at: start, offset: askOffset(format, start) };
  const found = [current];
  for (let from = start; from < end; from += STEP) {
    const to = Math.min(from + STEP, end - 1);
    const offset = askOffset(format, to);
    if (offset === current.offset) continue;
    let [before, after] = [from, to];
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2);
      if (askOffset(format, middle) === current.offset) before = middle;
      else after = middle;
    }
    current = { at: after, offset };
    found.push(current);
  }
  return found;
}

function askOffset(format: Intl.DateTimeFormat, epoch: number): number {
  const match = OFFSET.exec(format.format(epoch * 1000));
  if (!match?.[1]) return 0;
  const seconds = Number(match[2]) * 3600 + Number(match[3]) * 60 + Number(match[4] ?? 0);
  return match[1] === '-' ? -seconds : seconds;
}
