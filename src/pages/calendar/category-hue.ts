/** How many colours there are: `--hue-0` and so on in web/calendar/palette.css. */
const HUES = 12;

/** The colour of an event: always the same for the slug of its first category, without one the first colour. */
export function categoryHue(slug: string | undefined): string {
  if (slug === undefined) return 'hue-0';
  // With these two numbers the usual categories fall apart.
  let hash = 49;
  for (const char of slug) hash = (hash * 583 + (char.codePointAt(0) ?? 0)) % 1_000_003;
  return `hue-${hash % HUES}`;
}
