import { type CalendarQuery, chosenZone } from '../../src/pages/calendar/calendar-query.js';
import type { ScriptSettings } from '../../src/pages/calendar/script-settings.js';
import { wallClock, wallText } from '../../src/pages/calendar/shown-time.js';

/** The visitor's own zone. */
export const OWN_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The zone of the chosen clock; undefined for each event's own. */
export function zoneOf(query: CalendarQuery, settings: ScriptSettings): string | undefined {
  const choice = chosenZone(query, settings);
  if (choice === 'event') return undefined;
  return choice === 'local' ? OWN_ZONE : settings.zone;
}

/** What that clock shows now, `YYYY-MM-DD HH:MM:SS`; where each event has its own, the site's does. */
export function nowIn(zone: string | undefined, settings: ScriptSettings): string {
  return wallClock(wallText(new Date()), zone ?? settings.zone);
}
