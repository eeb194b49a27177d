import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares a sent password with `post_password`, in a time that does not depend on where they differ. */
export function isPasswordRight(sent: string, stored: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(sent), digest(stored));
}

const BLANK = {
  text: [
    'description',
    'excerpt',
    'cost',
    'website',
    'email',
    'phone',
    'stateprovince',
    'zip',
    'province',
    'country',
    'city',
    'address',
  ],
  list: ['categories', 'tags', 'venue', 'organizer', 'custom_fields'],
  no: ['image'],
  nothing: [
    'all_day',
    'show_map',
    'show_map_link',
    'hide_from_listings',
    'sticky',
    'featured',
    'ticketed',
    'is_virtual',
  ],
  zero: ['geo_lat', 'geo_lng'],
} as const;

const MASKED: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ...BLANK.text.map((key) => [key, ''] as const),
  ...BLANK.list.map((key) => [key, []] as const),
  ...BLANK.no.map((key) => [key, false] as const),
  ...BLANK.nothing.map((key) => [key, null] as const),
  ...BLANK.zero.map((key) => [key, 0] as const),
  ['cost_details', { currency_symbol: '', currency_position: '', currency_code: '', values: [] }],
]);

/** Blanks the members of a protected record that tell of its content (docs/behaviour/visibility.md#passwords). */
export function maskProtected(body: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => [
      key,
      MASKED.has(key) ? structuredClone(MASKED.get(key)) : value,
    ]),
  );
}
