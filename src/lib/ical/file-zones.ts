import { RecurrenceError } from '../recurrence/recurrence-error.js';
import { type ZoneClock, type ZoneClocks, zoneClock } from '../recurrence/zone-clock.js';
import { formatWallClock, parseWallClock } from '../wordpress-text/dates/wall-clock.js';
import { canonicalZone, isValidZone } from '../wordpress-text/dates/zones.js';
import type { DescribedZone } from './described-zone.js';
import { epochOf, wallAt } from './wall-time.js';
import { isPlace, zoneOfId } from './zone-names.js';

/** An instant (epoch seconds) with its wall clock time in a zone of the calendar. */
export interface Moment {
  epoch: number;
  wall: string;
  zone: string;
}

/** The maximum of failed definitions per file; further ones are ignored, as each may take long. */
const MAX_FAILURES = 5;

/** Resolves the zones of a calendar file. */
export class FileZones {
  private failures = 0;
  private readonly failed = new Set<DescribedZone>();

  constructor(
    /** The zone of times without one. */
    readonly local: string,
    /** The zone that UTC times are converted to. */
    readonly utcZone = 'UTC',
    /** The zones that the file defines, by `TZID`. */
    private readonly described: { get(id: string): DescribedZone | undefined } = new Map(),
  ) {}

  /**
   * Resolves a wall clock time with a `TZID`: by the definition in the file, else by name. The result is in that zone if
   * the calendar supports it, else in the local one. Undefined for an unknown zone.
   */
  moment(wall: string, id: string): Moment | undefined {
    const named = zoneOfId(id);
    const described = this.describedEpoch(wall, id, named === undefined);
    if (described === undefined)
      return named === undefined ? undefined : { epoch: epochOf(wall, named), wall, zone: named };
    const zone = [asGiven(id), named].find((one) => one !== undefined && epochOf(wall, one) === described);
    if (zone !== undefined) return { epoch: described, wall, zone };
    const fallback = named !== undefined && isPlace(named) ? named : this.local;
    return { epoch: described, wall: wallAt(described, fallback), zone: fallback };
  }

  /** The clocks of the file, for recurrences. */
  clocks(): ZoneClocks {
    return { local: zoneClock(this.local), find: (id) => this.clockOf(id) };
  }

  private clockOf(id: string): ZoneClock | undefined {
    const named = zoneOfId(id);
    if (!this.definitionOf(id)) return named === undefined ? undefined : zoneClock(named);
    const tooMuch = () => new RecurrenceError('too_much', `the time zone "${id}" cannot be computed`);
    const toEpoch = (wall: number) => {
      const moment = this.moment(formatWallClock(wall), id);
      if (!moment) throw tooMuch();
      return moment.epoch;
    };
    if (this.moment('2000-01-01 00:00:00', id) === undefined) return undefined;
    const toWall = (epoch: number) => {
      const offset = this.describedOffset(id, named === undefined, (zone) => zone.offsetAtEpoch(epoch));
      if (offset !== undefined) return epoch + offset;
      if (named === undefined) throw tooMuch();
      return zoneClock(named).toWall(epoch);
    };
    return { name: id, toEpoch, toWall };
  }

  private describedEpoch(wall: string, id: string, isOnlyDescribed: boolean): number | undefined {
    const seconds = parseWallClock(wall) ?? 0;
    const offset = this.describedOffset(id, isOnlyDescribed, (zone) => zone.offsetAt(seconds));
    return offset === undefined ? undefined : seconds - offset;
  }

  /** The definition of a `TZID`, which other programs escape as a text. */
  private definitionOf(id: string): DescribedZone | undefined {
    return this.described.get(id.replace(/\\([\\;,])/g, '$1').trim());
  }

  private describedOffset(
    id: string,
    isOnlyDescribed: boolean,
    offsetOf: (zone: DescribedZone) => number | undefined,
  ): number | undefined {
    const zone = this.definitionOf(id);
    if (!zone || this.failed.has(zone) || this.failures > MAX_FAILURES) return undefined;
    try {
      return offsetOf(zone) ?? (isOnlyDescribed ? zone.firstOffset() : undefined);
    } catch {
      this.failed.add(zone);
      this.failures += 1;
      return undefined;
    }
  }
}

/** The zone text itself, if the calendar supports it. */
function asGiven(id: string): string | undefined {
  const name = id.trim();
  return isValidZone(name) ? canonicalZone(name) : undefined;
}
