import type { TestApp } from './app.js';
import { clientOf } from './calendar-client.js';
import type { ReadDate } from './calendar-readers.js';

/** The dates that are compared; of a series without an end two years are stored. */
export const [FROM, UNTIL, DAYS] = ['2027-01-01', '2028-11-30', 700] as const;
export const WINDOW = `start_date=${FROM}&end_date=${UNTIL}`;

/** Recurring events; `series` tells whether a calendar file has them as one. */
export const EVENTS: readonly { fields: Record<string, unknown>; series?: boolean }[] = [
  {
    fields: {
      title: 'Weekly over both changes of clocks',
      recurrence: {
        rrule: ['FREQ=WEEKLY;BYDAY=TU,TH;UNTIL=20271130'],
        exdates: ['2027-05-04', '2027-05-06 19:00:00'],
        rdates: ['2027-05-05 20:00:00', '2027-12-24'],
      },
    },
  },
  {
    fields: {
      title: 'Until an instant',
      timezone: 'America/New_York',
      recurrence: { rrule: ['FREQ=WEEKLY;INTERVAL=2;UNTIL=20270413T230000Z'] },
    },
  },
  {
    fields: {
      title: 'Counted, on the last working day',
      timezone: 'Australia/Lord_Howe',
      start_date: '2027-03-31 19:00:00',
      end_date: '2027-03-31 20:00:00',
      recurrence: { rrule: ['FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=15'] },
    },
  },
  {
    fields: {
      title: 'Whole days',
      all_day: true,
      start_date: '2027-02-27',
      end_date: '2027-02-28',
      recurrence: { rrule: ['FREQ=MONTHLY;UNTIL=20280127'], exdates: ['2027-06-27'], rdates: ['2027-06-30'] },
    },
  },
  {
    fields: { title: 'Without an end', recurrence: { rrule: ['FREQ=WEEKLY'], exdates: ['2027-10-26'] } },
  },
  {
    fields: {
      title: 'Without an end, in Jerusalem',
      timezone: 'Asia/Jerusalem',
      recurrence: { rrule: ['FREQ=MONTHLY;BYDAY=1TU'] },
    },
  },
  { fields: { title: 'In UTC', timezone: 'UTC', recurrence: { rrule: ['FREQ=DAILY;COUNT=9'] } } },
  {
    fields: { title: 'By an offset', timezone: 'UTC+5.75', recurrence: { rrule: ['FREQ=DAILY;COUNT=9'] } },
  },
  {
    fields: { title: 'Single dates', recurrence: { rdates: ['2027-04-10 19:00:00', '2027-11-12 19:00:00'] } },
  },
  {
    fields: {
      title: 'One longer date',
      recurrence: ['RRULE:FREQ=WEEKLY;COUNT=3', 'RDATE;VALUE=PERIOD:20270405T170000Z/PT5H'],
    },
  },
  { fields: { title: 'Changed', recurrence: { rrule: ['FREQ=WEEKLY;COUNT=30'] } } },
  { fields: { title: 'Split', recurrence: { rrule: ['FREQ=WEEKLY;COUNT=30'] } } },
  { fields: { title: 'First date removed', recurrence: { rrule: ['FREQ=WEEKLY;COUNT=5'] } } },
  {
    fields: { title: 'Two rules', recurrence: { rrule: ['FREQ=WEEKLY;COUNT=3', 'FREQ=MONTHLY;COUNT=5'] } },
    series: false,
  },
  {
    fields: {
      title: 'A rule of exclusions',
      recurrence: {
        rrule: ['FREQ=WEEKLY;BYDAY=TU,TH;COUNT=9'],
        exrule: ['FREQ=WEEKLY;BYDAY=TH;INTERVAL=2'],
      },
    },
    series: false,
  },
  {
    fields: {
      title: 'A zone without a name',
      timezone: '+05:45',
      recurrence: { rrule: ['FREQ=WEEKLY;COUNT=5'] },
    },
    series: false,
  },
];

/** Reads a path of a server; throws unless it answers with 200. */
export async function readText(app: Pick<TestApp, 'url'>, path: string): Promise<string> {
  const answer = await fetch(`${app.url}/cal/events/v1${path}`);
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
  return answer.text();
}

/** The dates that a list shows, as the readers of files have them. */
export async function listedDates(app: Pick<TestApp, 'url'>, query: string): Promise<ReadDate[]> {
  const found: ReadDate[] = [];
  for (let page = 1, pages = 1; page <= pages; page++) {
    const body = JSON.parse(await readText(app, `/events?${query}&per_page=50&page=${page}`)) as {
      total_pages: number;
      events: Record<string, string>[];
    };
    pages = body.total_pages;
    for (const event of body.events) {
      const { start_date = '', end_date = '', utc_start_date, utc_end_date, title } = event;
      const dayAfter = () =>
        new Date(Date.parse(end_date.slice(0, 10)) + 86_400_000).toISOString().slice(0, 10);
      found.push(
        event['all_day']
          ? `${start_date.slice(0, 10)} – ${dayAfter()} ${title}`
          : `${utc_start_date?.slice(0, 16)} – ${utc_end_date?.slice(0, 16)} ${title}`,
      );
    }
  }
  return found.toSorted();
}

/**
 * Writes the events, the only published ones then, and changes dates of some: moved, renamed, removed, hidden, unpublished,
 * split. Returns their ids.
 */
export async function writeRecurringEvents(app: TestApp): Promise<number[]> {
  const dateIds = async (title: string) =>
    (
      JSON.parse(
        await readText(app, `/events?${WINDOW}&per_page=50&search=${encodeURIComponent(title)}`),
      ) as { events: { id: number }[] }
    ).events.map(({ id }) => id);
  const ids: number[] = [];
  await app.dataSource.query(`UPDATE wp_posts SET post_status = 'draft' WHERE post_type = 'tribe_events'`);
  const send = clientOf(app.url);
  const write = async (method: string, path: string, fields?: object) => {
    const { status, body } = await send('admin', method, path, fields);
    expect([path, status, status < 300 ? '' : body]).toEqual([path, expect.any(Number), '']);
    return Number(body['id']);
  };
  for (const { fields } of EVENTS) {
    const dates = { start_date: '2027-03-02 19:00:00', end_date: '2027-03-02 21:00:00' };
    ids.push(
      await write('POST', '/events', { status: 'publish', timezone: 'Europe/Berlin', ...dates, ...fields }),
    );
  }
  const changed = await dateIds('Changed');
  await write('PATCH', `/events/${changed[2]}`, {
    title: 'Moved',
    start_date: '2027-03-17 20:00:00',
    end_date: '2027-03-17 23:30:00',
  });
  await write('PATCH', `/events/${changed[4]}`, { title: 'Renamed' });
  await write('DELETE', `/events/${changed[5]}`);
  const hidden = await write('PATCH', `/events/${changed[6]}`, { title: 'Withdrawn' });
  await write('PATCH', `/events/${hidden}`, { hide_from_listings: true });
  await write('PATCH', `/events/${changed[7]}`, { title: 'A draft', status: 'draft' });
  const split = await dateIds('Split');
  await write('PATCH', `/events/${split[8]}`, {
    scope: 'following',
    title: 'Later',
    start_date: '2027-04-28 20:00:00',
    end_date: '2027-04-28 22:00:00',
  });
  const [first] = await dateIds('First date removed');
  await write('DELETE', `/events/${first}`);
  return ids;
}
