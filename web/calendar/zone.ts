import type { CalendarQuery } from '../../src/pages/calendar/calendar-query.js';
import { wallClock } from '../../src/pages/calendar/shown-time.js';
import type { Settings } from './settings.js';

/** The visitor's own zone. */
export const OWN_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Whose clock times are shown on. */
export function zoneChoice({ zone }: CalendarQuery, { onSiteClock }: Settings): 'site' | 'local' | 'event' {
  return zone ?? (onSiteClock ? 'site' : 'event');
}

/** The zone of that clock; undefined for each event's own. */
export function zoneOf(query: CalendarQuery, settings: Settings): string | undefined {
  const choice = zoneChoice(query, settings);
  if (choice === 'event') return undefined;
  return choice === 'local' ? OWN_ZONE : settings.zone;
}

/** What that clock shows now, `YYYY-MM-DD HH:MM:SS`; where each event has its own, the site's does. */
export function nowIn(zone: string | undefined, settings: Settings): string {
  return wallClock(new Date().toISOString().slice(0, 19).replace('T', ' '), zone ?? settings.zone);
}
