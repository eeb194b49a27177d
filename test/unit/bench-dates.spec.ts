import { eventDates } from '../../bench/event-dates.mjs';

/** When an event of all of one day in that zone is, by the benchmark's data. */
const allDay = (day: string, timezone: string) =>
  eventDates(
    {
      below: () => 0,
      chance: (share: number) => share === 0.1,
      one: (items: { name: string }[]) => items.find(({ name }) => name === timezone) ?? items[0],
    },
    { from: Date.parse(day), days: 1 },
  );

describe('generated events of whole days', () => {
  it.each([
    ['2026-03-29', 'Europe/Berlin', '2026-03-28 23:00:00', '2026-03-29 21:59:59', 23],
    ['2026-10-25', 'Europe/Berlin', '2026-10-24 22:00:00', '2026-10-25 22:59:59', 25],
    ['2026-03-08', 'America/New_York', '2026-03-08 05:00:00', '2026-03-09 03:59:59', 23],
    ['2026-11-01', 'America/Los_Angeles', '2026-11-01 07:00:00', '2026-11-02 07:59:59', 25],
    ['2026-06-01', 'Asia/Tokyo', '2026-05-31 15:00:00', '2026-06-01 14:59:59', 24],
  ])('begin and end at midnight: %s in %s', (day, timezone, startUtc, endUtc, hours) => {
    expect(allDay(day, timezone)).toMatchObject({
      start: `${day} 00:00:00`,
      end: `${day} 23:59:59`,
      startUtc,
      endUtc,
      duration: hours * 3600 - 1,
      allDay: true,
      timezone,
    });
  });
});
