import { ianaOffset } from './zone-offsets.js';

/** A time zone of one of PHP's three kinds: an IANA name with rules, an abbreviation, or a plain offset. */
export interface Zone {
  kind: 'iana' | 'abbreviation' | 'offset';
  /** PHP's name: `Europe/Paris`, `EST`, `+02:00`. */
  name: string;
  /** Seconds ahead of UTC of an abbreviation or an offset; unused for an IANA name. */
  offset: number;
}

/** The zone that PHP runs in. */
export const UTC: Zone = { kind: 'iana', name: 'UTC', offset: 0 };

/** The zone of a timestamp (`@0`). */
export const TIMESTAMP_ZONE: Zone = { kind: 'offset', name: '+00:00', offset: 0 };

const THREE_HOURS = 10800;

/** Seconds that the zone is ahead of UTC at an epoch second; 0 for an IANA name unknown to the runtime. */
export function offsetAt(zone: Zone, epoch: number): number {
  if (zone.kind !== 'iana' || zone.name === 'UTC') return zone.offset;
  return ianaOffset(zone.name, epoch) ?? 0;
}

/**
 * Epoch seconds of wall seconds in a zone. A time in a gap moves forward by the gap. Of an ambiguous time PHP takes the
 * second east of Greenwich and the first west of it, as recorded: it takes the offset at the wall time read as UTC, and
 * only where that does not hold the offset before the transition.
 */
export function toEpoch(zone: Zone, wall: number): number {
  const guess = offsetAt(zone, wall);
  const actual = offsetAt(zone, wall - guess);
  if (guess === actual) return wall - guess;
  // West of Greenwich the guess is the offset before the transition: it stays for times inside a gap.
  const inGap = offsetAt(zone, wall - actual) !== actual && actual > guess;
  return wall - (inGap ? guess : actual);
}

/** Like `toEpoch`, but always the first of two occurrences: PHP's rule for a zone inside a date text. */
export function toFirstEpoch(zone: Zone, wall: number): number {
  const epoch = toEpoch(zone, wall);
  const earlier = wall - offsetAt(zone, epoch - THREE_HOURS);
  return earlier < epoch && earlier + offsetAt(zone, earlier) === wall ? earlier : epoch;
}
