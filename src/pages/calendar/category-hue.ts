/** How many colours there are: `.hue-0` and so on in web/calendar/calendar.css. */
const HUES = 10;

/** The colour of an event: always the same for the slug of its first category, without one the first colour. */
export function categoryHue(slug: string | undefined): string {
  let hash = 7;
  for (const char of slug ?? '') hash = (hash * 31 + (char.codePointAt(0) ?? 0)) % 1_000_003;
  return `hue-${slug === undefined ? 0 : hash % HUES}`;
}
