import { type CalendarQuery, readCalendarQuery } from '../../src/pages/calendar/calendar-query.js';

const KEY = 'almanac-calendar';

/** The view and the zone that the visitor chose last; nothing in frames and where the browser stores nothing. */
export function readPreferences({ embed }: CalendarQuery): Pick<CalendarQuery, 'view' | 'zone'> {
  if (embed) return {};
  try {
    const { view, zone } = readCalendarQuery(localStorage.getItem(KEY) ?? '');
    return { view, zone };
  } catch {
    return {};
  }
}

export function storePreferences({ view, zone, embed }: CalendarQuery): void {
  if (embed) return;
  const chosen = Object.entries({ view, zone }).filter(([, value]) => value !== undefined);
  try {
    localStorage.setItem(KEY, String(new URLSearchParams(chosen as [string, string][])));
  } catch {
    // The browser stores nothing.
  }
}
