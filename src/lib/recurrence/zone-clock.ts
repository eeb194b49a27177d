import { buildZone, offsetAt, toFirstEpoch } from '../wordpress-text/dates/zones.js';

/** Converts between the wall seconds of a time zone and epoch seconds. */
export interface ZoneClock {
  /** Its name as `TZID`; `UTC` for UTC. */
  readonly name: string;
  /** The epoch second of wall seconds: of two the first, in a gap by the offset before it (RFC 5545, 3.3.5). */
  toEpoch(wall: number): number;
  toWall(epoch: number): number;
}

/** Finds the clocks of a recurrence. */
export interface ZoneClocks {
  /** For times without a zone. */
  readonly local: ZoneClock;
  /** By `TZID`; undefined for an unknown one. */
  find(id: string): ZoneClock | undefined;
}

/** The clock of a zone by its name; an unknown one counts as UTC. */
export function zoneClock(name: string): ZoneClock {
  const zone = buildZone(name);
  return {
    name,
    toEpoch: (wall) => toFirstEpoch(zone, wall),
    toWall: (epoch) => epoch + offsetAt(zone, epoch),
  };
}

export const UTC_CLOCK: ZoneClock = { name: 'UTC', toEpoch: (wall) => wall, toWall: (epoch) => epoch };
