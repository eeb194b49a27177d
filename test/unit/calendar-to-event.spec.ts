import { toEvent } from '../../web/calendar/to-event.js';

const LISTED = {
  id: 7,
  title: 'Exhibition',
  categories: [],
  venue: [],
  all_day: false,
  start_date: '2027-12-20 10:00:00',
  utc_start_date: '2027-12-20 09:00:00',
  timezone: 'Europe/Berlin',
};
const SHOWING = {
  siteZone: 'Europe/Berlin',
  style: { language: 'en-US', hour: 'numeric', hour12: true },
  layout: 'list',
} as const;

it.each([
  ['UTC+5.75', '+05:45', ''],
  ['UTC+0', '+00:00', ''],
  ['UTC-3.5', '+05:45', 'UTC-03:30'],
  ['Europe/Berlin', 'Europe/Berlin', ''],
  ['Europe/London', 'Europe/Berlin', 'GMT'],
])(
  'omits the zone of an event in %s on a calendar in %s where both are the same: %j',
  (timezone, siteZone, zone) => {
    const event = { ...LISTED, timezone, end_date: LISTED.start_date, utc_end_date: LISTED.utc_start_date };
    expect(toEvent(event, { ...SHOWING, siteZone }, '')?.extendedProps).toMatchObject({ zone });
  },
);

it.each([
  ['2027-12-29 18:00:00', 'December 29'],
  ['2028-01-09 18:00:00', 'January 9, 2028'],
  ['2027-12-20 18:00:00', ''],
])('shows the end %s of an event in the list: %j', (end_date, until) => {
  const event = { ...LISTED, end_date, utc_end_date: end_date };
  expect(toEvent(event, SHOWING, './calendar?event=7')?.extendedProps).toMatchObject({ until });
});
