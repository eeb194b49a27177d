import type { EventInput } from 'fullcalendar';
import { categoryHue } from '../../src/pages/calendar/category-hue.js';
import { isDate, moment, timesIn, zoneText } from '../../src/pages/calendar/shown-time.js';
import type { ListedEvent } from './load-events.js';

const DAY = 86_400_000;

/** What else is shown of an event, as `extendedProps`. */
export interface Details {
  place: string;
  /** What its zone is called, where that is not the calendar's. */
  zone: string;
}

/** An event as the calendar shows it, in a zone or on its own clock; undefined where it has no date. */
export function toEvent(
  event: ListedEvent,
  { zone, siteZone, language, address }: { zone?: string; siteZone: string; language: string; address: string },
): EventInput | undefined {
  const { start, end, allDay } = timesIn(event, zone);
  if (!isDate(start)) return undefined;
  const [venue] = 'length' in event.venue ? event.venue : [event.venue];
  const isElsewhere = zone === undefined && !allDay && event.timezone !== '' && event.timezone !== siteZone;
  const details: Details = {
    place: [plain(venue?.venue), plain(venue?.city)].filter(Boolean).join(', '),
    zone: isElsewhere ? zoneText(event.timezone, event.utc_start_date, language) : '',
  };
  return {
    id: String(event.id),
    title: plain(event.title) || `#${event.id}`,
    start: allDay ? start.slice(0, 10) : start.replace(' ', 'T'),
    ...(isDate(end) && end > start && { end: allDay ? dayAfter(end) : end.replace(' ', 'T') }),
    allDay,
    url: address,
    color: `var(--${categoryHue(event.categories[0]?.slug)})`,
    extendedProps: details,
  };
}

/** The plain text of what the interface gives as HTML; nothing of it runs or is loaded. */
export function plain(html: unknown): string {
  if (typeof html !== 'string') return '';
  if (!/[<&]/.test(html)) return html;
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  for (const hidden of body.querySelectorAll('script, style')) hidden.remove();
  return (body.textContent ?? '').trim();
}

function dayAfter(wall: string): string {
  return new Date(moment(`${wall.slice(0, 10)} 00:00:00`).getTime() + DAY).toISOString().slice(0, 10);
}
