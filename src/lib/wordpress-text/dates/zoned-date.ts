import { parseDateTime } from './strtotime.js';
import { formatWallClock } from './wall-clock.js';
import { buildZone, canonicalZone, isValidZone, offsetAt } from './zones.js';

/** An instant, with the clock of a time zone. */
export interface ZonedDate {
  /** Epoch milliseconds. */
  instant: number;
  /** The clock of the zone, `YYYY-MM-DD HH:MM:SS`. */
  local: string;
  /** An IANA name, `UTC±H`, `±HH:MM` or an abbreviation. */
  zone: string;
}

/**
 * Parses a date as requests send it: on the clock of `zone`, unless the text names an offset or a zone. `now` is epoch
 * milliseconds, for texts such as `tomorrow`. Undefined for a text or a zone that cannot be read.
 */
export function parseZonedDate(text: string, zone: string, { now }: { now: number }): ZonedDate | undefined {
  if (text.trim() === '' || !isValidZone(zone)) return undefined;
  const known = buildZone(zone);
  const epoch = parseDateTime(text, Math.floor(now / 1000), known)?.epoch;
  if (epoch === undefined) return undefined;
  const local = formatWallClock(epoch + offsetAt(known, epoch));
  return { instant: epoch * 1000, local, zone: canonicalZone(zone) };
}
