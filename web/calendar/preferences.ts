import { type CalendarQuery, readCalendarQuery } from '../../src/pages/calendar/calendar-query.js';

const KEY = 'almanac-calendar';

/** The view and the zone that the visitor chose last; nothing in frames and where the browser stores nothing. */
export function readPreferences({ embed }: CalendarQuery): Pick<CalendarQuery, 'view' | 'zone'> {
  if (embed) return {};
  try {
    const { view, zone } = readCalendarQuery(String(read()));
    return { view, zone };
  } catch {
    return {};
  }
}

export function storePreferences({ view, zone, embed }: CalendarQuery): void {
  if (!embed) store({ view, zone });
}

/** Whether single keys are shortcuts: WCAG 2.2, 2.1.4, asks that they can be turned off. */
export const readShortcuts = (): boolean => read().get('shortcuts') !== 'off';

export const storeShortcuts = (isOn: boolean): void => store({ shortcuts: isOn ? undefined : 'off' });

function read(): URLSearchParams {
  try {
    return new URLSearchParams(localStorage.getItem(KEY) ?? '');
  } catch {
    return new URLSearchParams();
  }
}

function store(chosen: Readonly<Record<string, string | undefined>>): void {
  const all = read();
  for (const [name, value] of Object.entries(chosen))
    if (value === undefined) all.delete(name);
    else all.set(name, value);
  try {
    localStorage.setItem(KEY, String(all));
  } catch {
    // The browser stores nothing.
  }
}
