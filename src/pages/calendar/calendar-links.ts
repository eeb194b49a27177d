import { venuesOf } from '../../resources/events/event-entry.js';
import type { EventJson } from '../../resources/events/event-json.js';
import { addressOf, cutText, plain } from './event-texts.js';
import { isDate, moment, timesIn, wallText } from './shown-time.js';

const DAY_MS = 86_400_000;
/** Characters; longer URLs are refused by some browsers and servers. */
const MAX_TITLE = 300;
const MAX_DETAILS = 500;

/** A calendar on the web, and its URL that adds an event. */
export interface CalendarLink {
  name: string;
  address: string;
}

/** Links that add an event to calendars on the web; none for events without dates. */
export function calendarLinks(event: EventJson, title: string): CalendarLink[] {
  const { start, end, allDay } = timesIn(event);
  const { utc_start_date: utcStart, utc_end_date: utcEnd } = event;
  if (!isDate(start) || !isDate(utcStart)) return [];
  const last = isDate(end) ? end : start;
  const ends = allDay
    ? // Both calendars take the day after the last one.
      [start.slice(0, 10), wallText(new Date(moment(last).getTime() + DAY_MS)).slice(0, 10)]
    : [utcStart, isDate(utcEnd) ? utcEnd : utcStart].map((utc) => `${utc.replace(' ', 'T')}Z`);
  const text = cutText(title, MAX_TITLE);
  const details = cutText(plain(event.excerpt) || plain(event.description), MAX_DETAILS);
  const [venue] = venuesOf(event);
  const location = venue ? [plain(venue.venue), ...addressOf(venue)].filter(Boolean).join(', ') : '';
  const google = new URLSearchParams({
    action: 'TEMPLATE',
    text,
    dates: ends.map((date) => date.replace(/[-:]/g, '')).join('/'),
    details,
    location,
  });
  const outlook = new URLSearchParams({
    path: '/calendar/action/compose',
    rru: 'addevent',
    subject: text,
    startdt: ends[0] ?? '',
    enddt: ends[1] ?? '',
    allday: String(allDay),
    body: details,
    location,
  });
  return [
    { name: 'Google', address: `https://calendar.google.com/calendar/render?${google}` },
    { name: 'Outlook', address: `https://outlook.live.com/calendar/0/deeplink/compose?${outlook}` },
  ];
}
