import type { CalendarEntry } from '../lib/ical/calendar-entry.js';
import { wholeDays } from '../lib/ical/whole-days.js';

export interface Feed {
  /** Name and description of the site. */
  title: string;
  description: string;
  /** URL and language of the site. */
  home: string;
  language: string;
  /** URLs of this page and the next. */
  self: string;
  next?: string;
  items: readonly FeedItem[];
}

/** An event with a permanent id. */
export interface FeedItem extends Omit<CalendarEntry, 'id'> {
  id: string;
}

/** Formats a UTC date as `2027-03-10T18:00:00Z`; a draft without a date gets the first one. */
export function isoDate(utc: string): string {
  return utc.startsWith('0000') ? '1970-01-01T00:00:00Z' : `${utc.replace(' ', 'T')}Z`;
}

/** The last modification of a feed's items, in UTC. */
export function lastChange({ items }: Feed): string {
  return items.reduce((last, { modifiedUtc }) => (modifiedUtc > last ? modifiedUtc : last), '0000');
}

/** Date and place of an event without words: `2027-03-10 19:00 – 21:30 Europe/Berlin, Tempodrom, Berlin`. */
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
