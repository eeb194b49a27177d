import { parseWallClock } from '../wordpress-text/dates/wall-clock.js';
import { canonicalZone, isValidZone } from '../wordpress-text/dates/zones.js';
import type { DescribedZone } from './described-zone.js';
import { epochOf, wallAt } from './wall-time.js';
import { isPlace, zoneOfId } from './zone-names.js';

/** A time of a file: an instant (epoch seconds) and what the clock of a zone of the calendar shows then. */
export interface Moment {
  epoch: number;
  wall: string;
  zone: string;
}

/** Most descriptions of a file that may fail; the others then are not read any more, as each may take long. */
const MAX_FAILURES = 5;

/** Which zones the times of a calendar are in. */
export class FileZones {
  private failures = 0;
  private readonly failed = new Set<DescribedZone>();

  constructor(
    /** Of times that name none. */
    readonly local: string,
    /** That times in UTC are shown in. */
    readonly shown = 'UTC',
    /** What the file says of a zone, by its `TZID`. */
    private readonly described: { get(id: string): DescribedZone | undefined } = new Map(),
  ) {}

  /**
   * The time of a wall clock whose zone is named by a `TZID`: the description in the file defines it, else the name. It is shown in
   * that zone if the calendar knows it, and on the local clock if it does not. Undefined for a zone that nothing says.
   */
  moment(wall: string, id: string): Moment | undefined {
    const named = zoneOfId(id);
    const described = this.describedEpoch(wall, id, named === undefined);
    if (described === undefined)
      return named === undefined ? undefined : { epoch: epochOf(wall, named), wall, zone: named };
    const zone = [asGiven(id), named].find((one) => one !== undefined && epochOf(wall, one) === described);
    if (zone !== undefined) return { epoch: described, wall, zone };
    const shown = named !== undefined && isPlace(named) ? named : this.local;
    return { epoch: described, wall: wallAt(described, shown), zone: shown };
  }

  private describedEpoch(wall: string, id: string, isOnlyDescribed: boolean): number | undefined {
    const zone = this.described.get(id.trim());
    if (!zone || this.failed.has(zone) || this.failures > MAX_FAILURES) return undefined;
    const seconds = parseWallClock(wall) ?? 0;
    try {
      const offset = zone.offsetAt(seconds) ?? (isOnlyDescribed ? zone.firstOffset() : undefined);
      return offset === undefined ? undefined : seconds - offset;
    } catch {
      this.failed.add(zone);
      this.failures += 1;
      return undefined;
    }
  }
}

/** The zone text itself, where the calendar takes it as one. */
function asGiven(id: string): string | undefined {
  const name = id.trim();
  return isValidZone(name) ? canonicalZone(name) : undefined;
}
