import { html } from '../../lib/html.js';
import { venuesOf } from '../../resources/events/event-entry.js';
import type { EventJson } from '../../resources/events/event-json.js';
import { plain } from './event-texts.js';
import type { ListedEvent } from './script-settings.js';
import { moment, wallText } from './shown-time.js';

const DAY_MS = 86_400_000;
/** A month's first and last week add up to six days; another zone's clock differs by up to 26 hours. */
const MARGIN_DAYS = 8;

/** The wall clocks between which the script shows events of a month, whose first day is `YYYY-MM-DD`. */
export function monthRange(first: string): { from: string; to: string } {
  const start = moment(`${first} 00:00:00`);
  const end = Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1);
  return {
    from: wallText(new Date(start.getTime() - MARGIN_DAYS * DAY_MS)),
    to: wallText(new Date(end + MARGIN_DAYS * DAY_MS)),
  };
}

/** The members of an event that views of the calendar need. */
export function listedEvent(event: EventJson): ListedEvent {
  const { id, all_day, start_date, end_date, utc_start_date, utc_end_date, timezone } = event;
  return {
    id,
    title: html`${plain(event.title)}`.text,
    all_day,
    start_date,
    end_date,
    utc_start_date,
    utc_end_date,
    timezone,
    categories: event.categories.slice(0, 1).map(({ slug, name }) => ({ slug, name })),
    venue: venuesOf(event).map(({ venue, city }) => ({ venue, city })),
  };
}
