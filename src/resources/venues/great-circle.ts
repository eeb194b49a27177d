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
