import { ZONE_GROUPS } from '../../src/lib/wordpress-text/dates/data/zone-names.js';

const OFFSETS = Array.from({ length: 27 }, (_, index) => index - 12)
  .filter((hours) => hours !== 0)
  .map((hours) => `UTC${hours < 0 ? hours : `+${hours}`}`);

/** The time zones that the server knows by name, then UTC and whole offsets. */
export const ZONES: readonly string[] = [
  ...ZONE_GROUPS.flatMap(([, names]) => names)
    .filter((name) => name.includes('/') && !name.startsWith('Etc/'))
    .sort(),
  'UTC',
  ...OFFSETS,
];

/** The zone that a typed text names in any spelling, `Europe/Berlin` for `europe/berlin`; else the text. */
export function zoneNamed(text: string): string {
  const wanted = text.trim().replaceAll(' ', '_').toLowerCase();
  return ZONES.find((name) => name.toLowerCase() === wanted) ?? text;
}
