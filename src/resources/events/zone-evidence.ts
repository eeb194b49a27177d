import { toStoredUtc, toUtc } from '../../lib/wordpress-text/dates/convert.js';
import { parseWallClock } from '../../lib/wordpress-text/dates/wall-clock.js';
import type { ZoneData } from '../../lib/wordpress-text/dates/zone-data.js';
import { buildZone } from '../../lib/wordpress-text/dates/zones.js';
import type { EventDates } from './event-dates.js';

/** The stored dates of an event. */
export type ObservedDates = Pick<EventDates, 'start' | 'end' | 'startUtc' | 'endUtc' | 'timezone'>;

/** Versions of the data differ by at most this much, in quarter hours. */
const MAX_DEVIATION = 3 * 3600;
const QUARTER_HOUR = 900;
const DAY = 86_400;
const SEASONS = [-183, -122, -61, 61, 122, 183];

interface Observation {
  id: number;
  zone: string;
  /** Epoch seconds. */
  at: number;
  /** Stored offset minus the offset in the data in use, in seconds. */
  deviation: number;
  /** Whether the UTC value equals the wall clock. */
  isUnconverted: boolean;
}

/** Detects which events were stored with other time zone data than those in use. */
export class ZoneEvidence {
  private readonly disputed = new Map<number, string>();
  /** Observations by zone and period of constant offset. */
  private readonly periods = new Map<string, Observation[]>();
  /** Start of the year of the data in use; earlier offsets are settled. */
  private readonly release: number;

  constructor(
    private readonly ours: ZoneData,
    /** The system's data, if there are any. */
    private readonly system?: ZoneData,
  ) {
    const year = Number.parseInt(ours.version ?? '', 10);
    this.release = Number.isNaN(year) ? Number.NEGATIVE_INFINITY : Date.UTC(year) / 1000;
  }

  /** Adds the dates of an event; unreadable dates are ignored. */
  add(id: number, dates: ObservedDates): void {
    const { name: zone, kind } = buildZone(dates.timezone);
    if (kind !== 'iana' || zone === 'UTC') return;
    const edges = [
      this.edge(zone, dates.start, dates.startUtc, dates.timezone),
      this.edge(zone, dates.end, dates.endUtc, dates.timezone),
    ];
    if (edges.some((edge) => edge === undefined)) return;
    const [first, last] = edges as [Edge, Edge];
    const deviations = new Set([first.deviation, last.deviation].filter((seconds) => seconds !== 0));
    if (deviations.size > 0 && first.matchesSystem && last.matchesSystem) this.disputed.set(id, zone);
    else if (deviations.size < 2 && last.at >= this.release) {
      const [deviation = 0] = deviations;
      this.observe({ id, zone, at: first.at, deviation, isUnconverted: dates.start === dates.startUtc });
    }
  }

  /** Events (with their zones) that follow the system's data, or data that most events of the same zone and period follow. */
  found(): ReadonlyMap<number, string> {
    const found = new Map(this.disputed);
    for (const observations of this.periods.values()) {
      const others = new Set(observations.map(({ deviation }) => deviation).filter(isPlausible));
      for (const other of others) {
        const theirs = observations.filter(({ deviation }) => deviation === other);
        // Clocks may change within a period of our data; a single row is judged by the whole period.
        const since =
          theirs.length > 1 ? Math.min(...theirs.map(({ at }) => at)) - DAY : Number.NEGATIVE_INFINITY;
        const ours = observations.filter(({ at, deviation }) => deviation === 0 && at >= since);
        if (theirs.some(({ isUnconverted }) => isUnconverted) && !this.mayBeUtc(theirs)) continue;
        if (theirs.length >= ours.length) for (const { id, zone } of theirs) found.set(id, zone);
      }
    }
    return found;
  }

  /** An unconverted clock proves nothing, unless several rows of the zone have it and the zone has UTC in some season. */
  private mayBeUtc(rows: readonly Observation[]): boolean {
    const hasUtc = ({ zone, at }: Observation) =>
      SEASONS.some((days) => this.ours.zones.offsetAt(zone, at + days * DAY) === 0);
    return rows.length > 1 && rows.some(hasUtc);
  }

  private edge(zone: string, wallText: string, utcText: string, timezone: string): Edge | undefined {
    const [wall, utc] = [parseWallClock(wallText), parseWallClock(utcText)];
    if (wall === undefined || utc === undefined) return undefined;
    const isOurs = utcText === toStoredUtc(wallText, timezone) || utcText === toUtc(wallText, timezone);
    const deviation = isOurs ? 0 : wall - utc - (this.ours.zones.offsetAt(zone, utc) ?? 0);
    return { at: utc, deviation, matchesSystem: this.system?.zones.offsetAt(zone, utc) === wall - utc };
  }

  private observe(observation: Observation): void {
    const { zone, at } = observation;
    const key = `${zone} ${this.ours.zones.periodAt(zone, at)?.at}`;
    const known = this.periods.get(key);
    if (known) known.push(observation);
    else this.periods.set(key, [observation]);
  }
}

interface Edge {
  at: number;
  deviation: number;
  matchesSystem: boolean;
}

function isPlausible(deviation: number): boolean {
  return deviation !== 0 && Math.abs(deviation) <= MAX_DEVIATION && deviation % QUARTER_HOUR === 0;
}
