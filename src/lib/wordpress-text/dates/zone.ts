import { ianaOffset } from './zone-offsets.js';

/** A time zone as PHP tells them apart: an IANA name with rules, an abbreviation, or a plain offset. */
export interface Zone {
  kind: 'iana' | 'abbreviation' | 'offset';
  /** As PHP names it: `Europe/Paris`, `EST`, `+02:00`. */
  name: string;
  /** Seconds ahead of UTC of an abbreviation or an offset; unused for an IANA name. */
  offset: number;
}

/** The zone that PHP itself runs in. */
export const UTC: Zone = { kind: 'iana', name: 'UTC', offset: 0 };

/** The zone that timestamps are shown in. */
export const TIMESTAMP_ZONE: Zone = { kind: 'offset', name: '+00:00', offset: 0 };

const THREE_HOURS = 10800;

/** Seconds that the zone is ahead of UTC at an epoch second; 0 for an IANA name unknown to the runtime. */
export function offsetAt(zone: Zone, epoch: number): number {
  if (zone.kind !== 'iana' || zone.name === 'UTC') return zone.offset;
  return ianaOffset(zone.name, epoch) ?? 0;
}

/**
 * Epoch seconds of wall seconds in a zone. A time in a gap moves forward by the gap. Of a time that happens twice PHP
 * takes the second east of Greenwich and the first west of it, as recorded: it asks for the offset at the wall time
 * read as UTC, and only when that one does not hold there for the offset before the change.
 */
export function toEpoch(zone: Zone, wall: number): number {
  const guess = offsetAt(zone, wall);
  const actual = offsetAt(zone, wall - guess);
  if (guess === actual) return wall - guess;
  // West of Greenwich the guess is the offset before the change: it stays for times inside a gap.
  const inGap = offsetAt(zone, wall - actual) !== actual && actual > guess;
  return wall - (inGap ? guess : actual);
}

/** Like `toEpoch`, but the first of two occurrences everywhere: how a zone named inside a date text is understood. */
export function toFirstEpoch(zone: Zone, wall: number): number {
  const epoch = toEpoch(zone, wall);
  const earlier = wall - offsetAt(zone, epoch - THREE_HOURS);
  return earlier < epoch && earlier + offsetAt(zone, earlier) === wall ? earlier : epoch;
}
