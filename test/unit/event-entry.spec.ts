import { hostOf, toCalendarEntry } from '../../src/resources/events/event-entry.js';
import type { EventJson } from '../../src/resources/events/event-json.js';

const EVENT = {
  id: 7,
  title: 'Edge',
  description: '',
  all_day: false,
  utc_start_date: null,
  utc_end_date: null,
  status: 'publish',
  date_utc: '2026-01-01 00:00:00',
  modified_utc: '2026-01-01 00:00:00',
  modified: '2026-01-01 00:00:00',
  url: '',
  website: '',
  cost_details: { values: [] },
  image: false,
  categories: [],
  tags: [],
  venue: [],
  organizer: [],
};
const CONTEXT = {
  costOf: () => undefined,
  uidOf: (id: number) => `${id}@example.org`,
  zone: 'UTC',
  positions: new Map(),
  cancelled: new Set<number>(),
};

it('gives events of two sites on one host different ids', () => {
  expect(['https://example.org/blog', 'http://localhost:3001', 'none'].map(hostOf)).toEqual([
    'example.org',
    'localhost:3001',
    'localhost',
  ]);
});

it.each([
  ['9999-12-31 22:00:00', 'America/New_York', '9999-12-31 22:00:00'],
  ['0001-01-01 01:00:00', 'Asia/Tokyo', '0001-01-01 01:00:00'],
  ['2027-03-01 10:00:00', 'America/New_York', '2027-03-01 15:00:00'],
])('converts an event at %s in %s to UTC with a four-digit year: %s', (date, timezone, utc) => {
  const event = { ...EVENT, start_date: date, end_date: date, timezone } as unknown as EventJson;
  expect(toCalendarEntry(event, CONTEXT)).toMatchObject({ start: date, utcStart: utc, utcEnd: utc });
});
