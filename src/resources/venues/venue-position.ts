import { isNumeric } from '../../lib/wordpress-text/formatting/php-number.js';

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

/** A position in degrees. */
export interface Position {
  latitude: number;
  longitude: number;
}

/** The earth's mean radius, in metres. */
const RADIUS = 6_371_008.8;

/** Distance between two positions in whole metres, by the haversine formula, which also holds at the date line and the poles. */
export function metresBetween(a: Position, b: Position): number {
  const [from, to] = [radians(a.latitude), radians(b.latitude)];
  const across = Math.sin(radians(b.longitude - a.longitude) / 2);
  const along = Math.sin((to - from) / 2);
  const share = along ** 2 + Math.cos(from) * Math.cos(to) * across ** 2;
  return Math.round(2 * RADIUS * Math.asin(Math.sqrt(Math.min(1, share))));
}

const radians = (degrees: number): number => (degrees * Math.PI) / 180;
