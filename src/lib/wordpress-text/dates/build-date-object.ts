import { toTimestamp } from './is-timestamp.js';
import { locate, type ParsedDateTime, parseDateTime } from './strtotime.js';
import { TIMESTAMP_ZONE } from './zone.js';
import { buildZone } from './zones.js';

/**
 * Parses a date parameter at `now` (epoch seconds) in the given zone. An empty value is now, a timestamp gets the zone
 * UTC, and a zone inside the text wins. Undefined for an invalid date.
 */
export function buildDateObject(value: unknown, zoneText: string, now: number): ParsedDateTime | undefined {
  const zone = buildZone(zoneText);
  if (!value || value === '0') return locate(now, zone);
  const timestamp = toTimestamp(value);
  if (timestamp !== undefined) return locate(timestamp, TIMESTAMP_ZONE);
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  return parseDateTime(String(value), now, zone);
}
