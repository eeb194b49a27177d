import type { CalendarEntry } from '../lib/ical/calendar-entry.js';
import { wholeDays } from '../lib/ical/whole-days.js';

/** A page of events for programs that read news. */
export interface Feed {
  /** The site's name, and what it says of itself. */
  title: string;
  description: string;
  /** Its address, and its language such as `de-DE`. */
  home: string;
  language: string;
  /** Where this page is, and where the next one. */
  self: string;
  next?: string;
  items: readonly FeedItem[];
}

/** An event, with an address that stays the same whatever becomes of it. */
export interface FeedItem extends Omit<CalendarEntry, 'id'> {
  id: string;
}

/** `2027-03-10T18:00:00Z` of a date in UTC; that of no date, which a draft has, is the first one. */
export function isoDate(utc: string): string {
  return utc.startsWith('0000') ? '1970-01-01T00:00:00Z' : `${utc.replace(' ', 'T')}Z`;
}

/** When the last change of a feed was, in UTC. */
export function lastChange({ items }: Feed): string {
  return items.reduce((last, { modifiedUtc }) => (modifiedUtc > last ? modifiedUtc : last), '0000');
}

/** What an event is and when, in no language in particular: `2027-03-10 19:00 – 21:30 Europe/Berlin, Tempodrom, Berlin`. */
export function whenAndWhere({
  start,
  end,
  allDay,
  zone,
  venues,
  isCancelled,
}: Omit<CalendarEntry, 'id'>): string {
  const [day, time] = [start.slice(0, 10), start.slice(11, 16)];
  const [lastDay, lastTime] = [end.slice(0, 10), end.slice(11, 16)];
  const { last } = wholeDays(start, end);
  const wall =
    end <= start ? `${day} ${time}` : `${day} ${time} –${lastDay === day ? '' : ` ${lastDay}`} ${lastTime}`;
  const when = allDay ? (last === day ? day : `${day} – ${last}`) : `${wall} ${zone}`;
  const where = placeText({ venues });
  return [isCancelled ? `✗ ${when}` : when, where].filter(Boolean).join(', ');
}

/** Name and city of the first venue; '' without one. */
export function placeText({ venues: [venue] }: Pick<CalendarEntry, 'venues'>): string {
  return venue ? [venue.name, venue.city].filter(Boolean).join(', ') : '';
}
