import type { CalendarEntry } from '../lib/ical/calendar-entry.js';
import { calendarHead, calendarTail } from '../lib/ical/write-event.js';
import { entryLines } from '../lib/ical/write-series.js';
import { timeZoneLines, UsedZones, writtenZone } from '../lib/ical/write-time-zone.js';
import { htmlEntityDecode } from '../lib/wordpress-text/formatting/html-entity-decode.js';
import type { SiteSettings } from '../wordpress/options/site-settings.js';

export interface CalendarFile {
  name: string;
  /** The site's time zone. */
  zone: string;
  /** Refresh interval, such as `PT1H`; undefined for an export. */
  refresh?: string;
}

/** The properties of a site's calendar files. */
export function calendarOf({ options, zone }: Pick<SiteSettings, 'options' | 'zone'>): CalendarFile {
  return { name: htmlEntityDecode(options.get('blogname') || 'Calendar'), zone };
}

/** Writes a calendar file in chunks: time zones first, then page after page. */
export async function* calendarPieces(
  { name, zone, refresh }: CalendarFile,
  pages: AsyncIterable<readonly CalendarEntry[]> | Iterable<readonly CalendarEntry[]>,
  zones = new UsedZones(),
): AsyncGenerator<string> {
  yield calendarHead(name, zone, refresh);
  yield* zones.lines();
  let isEmpty = true;
  for await (const entries of pages) {
    for (const entry of entries) zones.use(entry);
    yield* zones.lines();
    for (const entry of entries) yield entryLines(entry);
    isEmpty &&= entries.length === 0;
  }
  // An iCalendar object must have at least one component.
  if (isEmpty) yield timeZoneLines(writtenZone(zone), [1970]);
  yield calendarTail();
}
