/** From `at` (epoch seconds) on, the zone is `offset` seconds ahead of UTC. */
interface Transition {
  at: number;
  offset: number;
}

interface ZoneTable {
  format: Intl.DateTimeFormat;
  /** By UTC year: the offset at its start, then each change within it. */
  years: Map<number, readonly Transition[]>;
}

const OFFSET = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/;
const STEP = 6 * 86400;
const CYCLE_SECONDS = 146097 * 86400;
const FIRST_YEAR = 1800;
const LAST_YEAR = 2499;
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
  let year = new Date(Math.min(Math.max(epoch, -8.64e12), 8.64e12) * 1000).getUTCFullYear();
  let second = epoch;
  if (year < FIRST_YEAR) {
    year = FIRST_YEAR;
    second = Date.UTC(FIRST_YEAR, 0, 1) / 1000;
  } else if (year > LAST_YEAR) {
    // The Gregorian calendar repeats itself, weekdays included, every 400 years.
    second -= Math.ceil((epoch - Date.UTC(LAST_YEAR + 1, 0, 1) / 1000 + 1) / CYCLE_SECONDS) * CYCLE_SECONDS;
    year = new Date(second * 1000).getUTCFullYear();
  }
  const transitions = transitionsIn(table, year);
  let offset = 0;
  for (const transition of transitions) {
    if (transition.at > second) break;
    offset = transition.offset;
  }
  return offset;
}

function tableOf(name: string): ZoneTable | null {
  let table = tables.get(name);
  if (table === undefined) {
    table = makeTable(name);
    tables.set(name, table);
  }
  return table;
}

function makeTable(name: string): ZoneTable | null {
  try {
    const format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
    return { format, years: new Map() };
  } catch {
    return null;
  }
}

function transitionsIn(table: ZoneTable, year: number): readonly Transition[] {
  let transitions = table.years.get(year);
  if (!transitions) {
    if (table.years.size >= MAX_YEARS) table.years.clear();
    transitions = findTransitions(table.format, Date.UTC(year, 0, 1) / 1000, Date.UTC(year + 1, 0, 1) / 1000);
    table.years.set(year, transitions);
  }
  return transitions;
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
