/** Number of colours, `--hue-0` and up in web/calendar/palette.css. */
const HUES = 12;

/** The colour of an event by the slug of its first category; without one, the first colour. */
export function categoryHue(slug: string | undefined): string {
  if (slug === undefined) return 'hue-0';
  // These two constants spread the usual categories.
  let hash = 49;
  for (const char of slug) hash = (hash * 583 + (char.codePointAt(0) ?? 0)) % 1_000_003;
  return `hue-${hash % HUES}`;
}
