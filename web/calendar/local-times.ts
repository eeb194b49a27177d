import type { ScriptSettings } from '../../src/pages/calendar/script-settings.js';
import {
  dateFormat,
  type EventTimes,
  isDate,
  moment,
  timesIn,
  timeText,
  zoneText,
} from '../../src/pages/calendar/shown-time.js';
import { OWN_ZONE } from './zone.js';

/** The parts of a day in the list, in their order. */
const DAY_PARTS: readonly Intl.DateTimeFormatOptions[] = [
  { weekday: 'short' },
  { day: 'numeric' },
  { month: 'short' },
];

/** Converts the times of the server's HTML to the visitor's zone, which the server does not know. */
export function showLocalTimes(root: ParentNode, { language, hour, hour12 }: ScriptSettings): void {
  for (const time of root.querySelectorAll<HTMLElement>('time[data-times]')) {
    const event = JSON.parse(time.dataset['times'] ?? '') as EventTimes;
    const times = timesIn(event, OWN_ZONE);
    const zone = times.allDay ? '' : ` (${zoneText(OWN_ZONE, event.utc_start_date, language)})`;
    time.textContent = timeText(times, { language, hour, hour12 }) + zone;
    const day = time.closest('.item')?.querySelector('.day');
    if (!day || !isDate(times.start)) continue;
    DAY_PARTS.forEach((part, at) => {
      const format = dateFormat(language, { ...part, timeZone: 'UTC' });
      const text = day.children[at];
      if (text) text.textContent = format.format(moment(times.start));
    });
  }
}
