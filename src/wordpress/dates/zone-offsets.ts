/** From `at` (epoch seconds) on, the zone is `offset` seconds ahead of UTC. */
interface Transition {
  at: number;
  offset: number;
}

interface ZoneTable {
  format: Intl.DateTimeFormat;
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

const tables = new Map<string, ZoneTable | null>();

/**
 * Seconds that an IANA zone (canonical spelling) is ahead of UTC at an epoch second; undefined for a zone that the
 * runtime does not know. Rules hold for every later year; before 1800 local mean time holds.
 */
export function ianaOffset(name: string, epoch: number): number | undefined {
  const table = tableOf(name);
  if (!table) return undefined;
  // The calendar repeats itself, weekdays included, and so do the rules.
  const cycles = Math.max(0, Math.ceil((Math.floor(epoch / YEAR_SECONDS) - LAST_YEAR) / 400));
  const second = Math.max(epoch - cycles * 400 * YEAR_SECONDS, FIRST_YEAR * YEAR_SECONDS);
  const transitions = transitionsIn(table, Math.floor(second / YEAR_SECONDS));
  return transitions.findLast(({ at }) => at <= second)?.offset;
}

function tableOf(name: string): ZoneTable | null {
  return remembered(tables, name, () => {
    try {
      const format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
      return { format, years: new Map() };
    } catch {
      return null;
    }
  });
}

function transitionsIn({ format, years }: ZoneTable, year: number): readonly Transition[] {
  if (years.size >= MAX_YEARS && !years.has(year)) years.clear();
  return remembered(years, year, () => findTransitions(format, year * YEAR_SECONDS));
}

function remembered<K, V>(known: Map<K, V>, key: K, make: () => V): V {
  const found = known.get(key);
  if (found !== undefined) return found;
  const made = make();
  known.set(key, made);
  return made;
}

function findTransitions(format: Intl.DateTimeFormat, start: number): readonly Transition[] {
  const end = start + YEAR_SECONDS;
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
