/** From `at` (epoch seconds) on, the zone is `offset` seconds ahead of UTC. */
export interface Transition {
  at: number;
  offset: number;
  /** The abbreviation, such as `PDT`; undefined where unknown. */
  name?: string;
}

/** Returns the offset of a zone at `from` (epoch seconds), then each transition before `to`. */
export type ReadTransitions = (from: number, to: number) => readonly Transition[];

/** Finds a zone by canonical name; undefined for an unknown one. */
type ZoneSource = (name: string) => ReadTransitions | undefined;

interface ZoneTable {
  read: ReadTransitions;
  /** Cached by year: the offset at its start, then each transition within it. */
  years: Map<number, readonly Transition[]>;
}

const OFFSET = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/;
const STEP = 6 * 86400;
/** An average Gregorian year: 400 of them are the whole cycle of the calendar, to the second. */
const YEAR_SECONDS = 31556952;
/** Years are counted from 1970. */
const FIRST_YEAR = -170;
const LAST_YEAR = 530;
/** The maximum of cached years per zone: enough for any calendar, and a bound for hostile input. */
const MAX_YEARS = 400;

/** The offsets of one version of the time zone data, cached by zone and year. */
export class ZoneOffsets {
  private readonly tables = new Map<string, ZoneTable | null>();

  constructor(private readonly source: ZoneSource) {}

  offsetAt(name: string, epoch: number): number | undefined {
    return this.periodAt(name, epoch)?.offset;
  }

  /** The transition in effect at an epoch second: the last one, or the start of the year. */
  periodAt(name: string, epoch: number): Transition | undefined {
    const table = this.tableOf(name);
    if (!table) return undefined;
    // The calendar repeats after 400 years, weekdays included, and so do the rules.
    const cycles = Math.max(0, Math.ceil((Math.floor(epoch / YEAR_SECONDS) - LAST_YEAR) / 400));
    const second = Math.max(epoch - cycles * 400 * YEAR_SECONDS, FIRST_YEAR * YEAR_SECONDS);
    const transitions = transitionsIn(table, Math.floor(second / YEAR_SECONDS));
    return transitions.findLast(({ at }) => at <= second);
  }

  private tableOf(name: string): ZoneTable | null {
    return getOrCreate(this.tables, name, () => {
      const read = this.source(name);
      return read ? { read, years: new Map() } : null;
    });
  }
}

/** Node's own time zone data. */
export const runtimeZones = new ZoneOffsets(runtimeZone);

let current = runtimeZones;

/** Sets the data used by every conversion of this thread. */
export function useZones(zones: ZoneOffsets): void {
  current = zones;
}

export function currentZones(): ZoneOffsets {
  return current;
}

/** Seconds that an IANA zone is ahead of UTC at an epoch second; undefined for an unknown zone. */
export function ianaOffset(name: string, epoch: number): number | undefined {
  return current.offsetAt(name, epoch);
}

/** A zone of Node's own data. */
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
  return getOrCreate(years, year, () => read(year * YEAR_SECONDS, (year + 1) * YEAR_SECONDS));
}

function getOrCreate<K, V>(cache: Map<K, V>, key: K, create: () => V): V {
  const cached = cache.get(key);
  if (cached !== undefined) return cached;
  const value = create();
  cache.set(key, value);
  return value;
}

function findTransitions(format: Intl.DateTimeFormat, start: number, end: number): readonly Transition[] {
  let current = { at: start, offset: intlOffset(format, start) };
  const found = [current];
  for (let from = start; from < end; from += STEP) {
    const to = Math.min(from + STEP, end - 1);
    const offset = intlOffset(format, to);
    if (offset === current.offset) continue;
    let [before, after] = [from, to];
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2);
      if (intlOffset(format, middle) === current.offset) before = middle;
      else after = middle;
    }
    current = { at: after, offset };
    found.push(current);
  }
  return found;
}

function intlOffset(format: Intl.DateTimeFormat, epoch: number): number {
  const match = OFFSET.exec(format.format(epoch * 1000));
  if (!match?.[1]) return 0;
  const seconds = Number(match[2]) * 3600 + Number(match[3]) * 60 + Number(match[4] ?? 0);
  return match[1] === '-' ? -seconds : seconds;
}
