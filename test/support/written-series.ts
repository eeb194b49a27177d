import type { CalendarEntry } from '../../src/lib/ical/calendar-entry.js';
import { calendarHead, calendarTail } from '../../src/lib/ical/write-event.js';
import { entryLines } from '../../src/lib/ical/write-series.js';
import { UsedZones } from '../../src/lib/ical/write-time-zone.js';
import { dropOccurrence } from '../../src/lib/recurrence/edit-recurrence.js';
import { parseRecurrence } from '../../src/lib/recurrence/parse-recurrence.js';
import { TIMES } from './calendar-times.js';

const ENTRY: CalendarEntry = {
  ...{ id: 7, uid: '7@calendar.example.org', title: 'Choir', html: '', status: 'publish', url: '' },
  ...TIMES,
  zone: 'Europe/Berlin',
  ...{ categories: [], tags: [], venues: [], organizers: [] },
};
/** The date that is moved. */
export const KEY = Date.UTC(2027, 2, 8, 17) / 1000;
/** Five Mondays in Berlin without one, and a Friday. */
export const SET = dropOccurrence(
  parseRecurrence([
    'DTSTART;TZID=Europe/Berlin:20270301T180000',
    'DTEND;TZID=Europe/Berlin:20270301T193000',
    'RRULE:FREQ=WEEKLY;COUNT=6;BYDAY=MO',
    'RDATE;TZID=Europe/Berlin:20270402T180000',
  ]),
  Date.UTC(2027, 2, 15, 17) / 1000,
);
/** What becomes of the moved date. */
export const MOVED = {
  ...ENTRY,
  ...{ title: 'Choir, later', start: '2027-03-09 20:00:00', end: '2027-03-09 21:00:00' },
  ...{ utcStart: '2027-03-09 19:00:00', utcEnd: '2027-03-09 20:00:00' },
};
const zones = new UsedZones();
zones.cover('Europe/Berlin', 2027, 2028);
/** The calendar file of the series. */
export const TEXT =
  calendarHead('Choir', 'UTC') +
  [...zones.lines()].join('') +
  entryLines({ ...ENTRY, series: { set: SET, changes: [{ key: KEY, entry: MOVED }] } }) +
  calendarTail();
