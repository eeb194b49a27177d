import ICAL from 'ical.js';
import { TableVersions } from '../src/database/table-versions.service.js';
import {
  BASE,
  idsOf,
  makeRecurringEvents,
  type RecurringEvents,
  readerOf,
} from './support/recurring-events.js';
import { retry } from './support/retry.js';
import { describeEither } from './support/sites.js';
import { openWriteFixture, type WriteFixture } from './support/write-fixture.js';

const YEAR = 'start_date=2095-01-01&end_date=2095-12-31&per_page=50';

type Json = Record<string, unknown>;

describeEither('occurrences in lists, files and pages', (database) => {
  let fixture: WriteFixture;
  let recurring: RecurringEvents;
  let read: ReturnType<typeof readerOf>;

  beforeAll(async () => {
    fixture = await openWriteFixture(database);
    read = readerOf(fixture);
    recurring = await makeRecurringEvents(fixture);
  });
  afterAll(async () => fixture?.close());

  describe('in lists', () => {
    it('are an entry each, with id, addresses and dates of its own', async () => {
      const { events, total } = await read.list(`${YEAR}&tags=choir`);
      const [first, second, third, fourth] = idsOf(recurring.weekly);
      expect(events.map(({ id, start_date, utc_start_date }) => [id, start_date, utc_start_date])).toEqual([
        [first, '2095-03-22 18:00:00', '2095-03-22 17:00:00'],
        [second, '2095-03-29 18:00:00', '2095-03-29 16:00:00'],
        [recurring.single, '2095-03-29 19:00:00', '2095-03-29 17:00:00'],
        [third, '2095-03-29 21:00:00', '2095-03-29 19:00:00'],
        [fourth, '2095-04-05 18:00:00', '2095-04-05 16:00:00'],
      ]);
      expect(total).toBe(5);
      const [entry = {}, , , sameDay = {}] = events;
      expect(entry).toMatchObject({
        url: `http://calendar.example.org/event/${recurring.weekly.slug}/2095-03-22/`,
        end_date: '2095-03-22 20:00:00',
        start_date_details: { day: '22', hour: '18' },
        slug: recurring.weekly.slug,
        title: 'Choir',
      });
      expect(entry['rest_url']).toMatch(new RegExp(`/events/${first}$`));
      expect(sameDay['url']).toMatch(/\/2095-03-29\/2\/$/);
      expect(entry['global_id']).toBe(sameDay['global_id']);
    });

    it('are one entry for an event with one, whose record is unchanged', async () => {
      const found =
        (await read.list(`${YEAR}&tags=choir`)).events.find(({ id }) => id === recurring.single) ?? {};
      const { json_ld: _, ...own } = await read.get(`/events/${recurring.single}`);
      expect(found).toEqual(own);
    });

    it('have whole days', async () => {
      const { events } = await read.list(`${YEAR}&search=market`);
      expect(events.map(({ id, end_date, all_day }) => [id, end_date, all_day])).toEqual([
        [idsOf(recurring.wholeDays)[0], '2095-05-01 23:59:59', true],
        [idsOf(recurring.wholeDays)[1], '2095-05-09 23:59:59', true],
      ]);
    });

    it('are filtered one by one by dates, and counted', async () => {
      expect(await read.ids(`start_date=2095-03-25&end_date=2095-03-31&featured=true`)).toEqual(
        idsOf(recurring.weekly, 1, 2),
      );
      const body = await read.get(
        '/events?start_date=2095-03-22&end_date=2095-04-30&featured=true&per_page=3&page=2',
      );
      expect([body['total'], body['total_pages'], (body['events'] as Json[]).map(({ id }) => id)]).toEqual([
        4,
        2,
        idsOf(recurring.weekly, 3),
      ]);
    });

    it.each(['start_date', 'end_date', 'date', 'modified', 'title', 'id'])(
      'are sorted by %s in both directions, and paged by cursor',
      async (orderby) => {
        for (const order of ['asc', 'desc']) {
          const query = `${YEAR}&orderby=${orderby}&order=${order}`;
          const all = await read.ids(query);
          expect(new Set(all).size).toBe(all.length);
          const paged: number[] = [];
          for (let cursor: unknown = '*'; typeof cursor === 'string'; ) {
            const page = await read.list(`${query.replace('per_page=50', 'per_page=2')}&cursor=${cursor}`);
            expect(page.total).toBe(all.length);
            paged.push(...page.ids);
            cursor = page.body['next_cursor'];
          }
          expect(paged).toEqual(all);
          expect(all).toEqual(await read.ids(`${query}&status=publish`, 'admin'));
        }
      },
    );

    it('of drafts, hidden, trashed and protected events follow these', async () => {
      const all = await read.ids(YEAR);
      for (const series of [recurring.draft, recurring.hidden])
        expect(all.filter((id) => idsOf(series).includes(id))).toEqual([]);
      expect(all).toEqual(expect.arrayContaining(idsOf(recurring.secret)));
      const locked = (await read.list(`${YEAR}&start_date=2095-07-01&end_date=2095-07-02`)).events[0] ?? {};
      expect([locked['title'], locked['description'], locked['start_date']]).toEqual([
        'Secret',
        '',
        '2095-07-01 10:00:00',
      ]);
      expect(await read.ids(`${YEAR}&status=draft`, 'admin')).toEqual(idsOf(recurring.draft));
      expect(await read.ids(`${YEAR}&with_hidden=true`, 'admin')).toEqual(
        expect.arrayContaining(idsOf(recurring.hidden)),
      );
      expect((await read.list(`${YEAR}&search=trashed`)).total).toBe(0);
    });

    it('are included by the id of the event, the next one or else the last, and by their own', async () => {
      expect(await read.ids(`include=${recurring.weekly.id}`)).toEqual(idsOf(recurring.weekly, 0));
      expect(await read.ids(`include=${recurring.past.id}`)).toEqual(idsOf(recurring.past, 1));
      const several = await read.list(
        `include=${recurring.weekly.id},${recurring.single},${idsOf(recurring.weekly, 2)[0]},${idsOf(recurring.past, 0)[0]}`,
      );
      expect(several.ids.toSorted()).toEqual(
        [recurring.single, ...idsOf(recurring.weekly, 0, 2), ...idsOf(recurring.past, 0)].toSorted(),
      );
      expect(several.total).toBe(4);
      expect((await read.list(`include=${BASE + 9_999_999}`)).total).toBe(0);
    });

    it('are read without a growing number of statements', async () => {
      await retry(async () => {
        fixture.app.nest.get(TableVersions).invalidate();
        fixture.app.statements();
        await read.list(`${YEAR}&per_page=2`);
        const few = fixture.app.statements().sql.length;
        fixture.app.nest.get(TableVersions).invalidate();
        fixture.app.statements();
        await read.list(`${YEAR}&per_page=9`);
        expect(fixture.app.statements().sql.length).toBe(few);
      });
    });
  });

  it('are events of files and feeds, with one UID and a RECURRENCE-ID each', async () => {
    const text = async (path: string) => (await fetch(`${fixture.app.url}/cal/events/v1${path}`)).text();
    const calendar = new ICAL.Component(
      ICAL.parse(await text(`/events.ics?${YEAR}&tags=choir`)) as unknown[],
    );
    const events = calendar
      .getAllSubcomponents('vevent')
      .map((one) => [
        one.getFirstPropertyValue('uid'),
        String(one.getFirstPropertyValue('dtstart')),
        one.hasProperty('recurrence-id') && String(one.getFirstPropertyValue('recurrence-id')),
      ]);
    const uid = `${recurring.weekly.id}@calendar.example.org`;
    expect(events.map(([one, , recurrenceId]) => [one, recurrenceId])).toEqual([
      [uid, '2095-03-22T18:00:00'],
      [uid, '2095-03-29T18:00:00'],
      [`${recurring.single}@calendar.example.org`, false],
      [uid, '2095-03-29T21:00:00'],
      [uid, '2095-04-05T18:00:00'],
    ]);
    const feed = JSON.parse(await text(`/events.feed.json?${YEAR}&tags=choir`)) as { items: Json[] };
    expect(new Set(feed.items.map(({ id }) => id)).size).toBe(5);
    expect(await text(`/events/${idsOf(recurring.weekly)[2]}.ics`)).toContain(
      'RECURRENCE-ID;TZID=Europe/Berlin:20950329T210000',
    );
  });

  it('have pages of their own, also below their dated addresses', async () => {
    const page = async (path: string) => fetch(fixture.app.url + path, { redirect: 'manual' });
    const address = async (path: string) => {
      const text = await (await page(path)).text();
      return /<link rel="canonical" href="http:\/\/calendar\.example\.org([^"]*)"/.exec(text)?.[1];
    };
    const third = idsOf(recurring.weekly)[2];
    const own = `/event/${recurring.weekly.slug}/`;
    for (const path of [own, `${own}2095-03-29/`, `${own}2095-03-29/2/`])
      expect(await address(path)).toBe(path);
    expect(await address(`${own}all/`)).toBe(own);
    for (const other of ['2095-03-30', '2095-02-30', '2095-03-29/3', '2095-03-29/0'])
      expect((await page(`/event/${recurring.weekly.slug}/${other}/`)).status).toBe(404);
    const plain = `/?tribe_events=${recurring.weekly.slug}`;
    expect(await address(plain)).toBe(own);
    expect(await address(`${plain}&eventDate=2095-03-29`)).toBe(`${own}2095-03-29/`);
    expect(await address(`/index.php${plain.slice(1)}&eventDate=2095-03-29&eventSequence=2`)).toBe(
      `${own}2095-03-29/2/`,
    );
    expect(await address(`/?lang=en&tribe_events=${recurring.weekly.slug.toUpperCase()}`)).toBe(own);
    for (const other of [
      `${plain}&eventDate=2095-03-30`,
      `${plain}&eventDate=soon`,
      `${plain}&eventDate=2095-03-29&eventSequence=3`,
      '/?tribe_events=unknown',
      '/?tribe_events=',
      '/?tribe_events[]=a',
      `/?rest_route=/&tribe_events=${recurring.weekly.slug}`,
    ])
      expect([other, (await page(other)).status, await address(other)]).toEqual([other, 200, undefined]);
    expect(await (await page(`/calendar?event=${third}`)).text()).toContain('Choir');
    expect((await page('/calendar?view=list&date=2095-03-01')).status).toBe(200);
  });
});
