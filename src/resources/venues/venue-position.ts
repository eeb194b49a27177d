import { isNumeric } from '../../lib/wordpress-text/formatting/php-number.js';
import type { Position } from './great-circle.js';

/** Meta keys of a venue's latitude and longitude. */
export const POSITION_KEYS = ['_VenueLat', '_VenueLng'];

/** The position in a venue's meta; undefined if it is missing or out of range. */
export function positionOf(meta: (key: string) => string | null | undefined): Position | undefined {
  const [latitude, longitude] = POSITION_KEYS.map((key) => degrees(meta(key)));
  if (latitude === undefined || longitude === undefined) return undefined;
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined;
}

function degrees(text: string | null | undefined): number | undefined {
  return isNumeric(text) ? Number(text) : undefined;
}
