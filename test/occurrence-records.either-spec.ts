import { setTimeout as sleep } from 'node:timers/promises';
import {
  addOccurrence,
  at,
  BASE,
  idsOf,
  makeRecurringEvents,
  makeSeries,
  type RecurringEvents,
  readerOf,
} from './support/recurring-events.js';
import { describeEither } from './support/sites.js';
import { openWriteFixture, type WriteFixture } from './support/write-fixture.js';

const BASE_OPTION = 'tec_custom_tables_v1_provisional_post_base_provisional_id';

const YEAR = 'start_date=2095-01-01&end_date=2095-12-31&per_page=50';

describeEither('occurrences by their ids', (database) => {
  let fixture: WriteFixture;
  let recurring: RecurringEvents;
  let read: ReturnType<typeof readerOf>;

  beforeAll(async () => {
    fixture = await openWriteFixture(database);
    read = readerOf(fixture);
    recurring = await makeRecurringEvents(fixture);
  });
  afterAll(async () => fixture?.close());

  describe('by their ids', () => {
    it('answer with their own dates, the event with its first one', async () => {
      const [, second = 0] = idsOf(recurring.weekly);
      const one = await read.get(`/events/${second}`);
      expect(one).toMatchObject({ id: second, start_date: '2095-03-29 18:00:00', title: 'Choir' });
      expect(one['json_ld']).toMatchObject({
        url: `http://calendar.example.org/event/${recurring.weekly.slug}/2095-03-29/`,
        startDate: '2095-03-29T18:00:00+02:00',
      });
      const event = { id: recurring.weekly.id, start_date: '2095-03-22 18:00:00' };
      expect(await read.get(`/events/${recurring.weekly.id}`)).toMatchObject(event);
      expect(await read.get(`/events/by-slug/${recurring.weekly.slug}`)).toMatchObject({
        ...event,
        url: `http://calendar.example.org/event/${recurring.weekly.slug}/`,
      });
    });

    it('are 404 where there is none, also of events with one', async () => {
      const [row] = await fixture.ask(
        `SELECT occurrence_id AS id FROM wp_tec_occurrences WHERE post_id = ${recurring.single}`,
      );
      for (const id of [BASE, BASE + 9_999_999, BASE + Number(row?.['id'])]) {
        const { status: code, body } = await fixture.send('anonymous', 'GET', `/events/${id}`);
        expect([code, body['code']]).toEqual([404, 'rest-event-not-found']);
      }
    });

    it('follow the rights of the event', async () => {
      const [ofDraft = 0] = idsOf(recurring.draft);
      expect(await read.status('GET', ofDraft)).toBe(await read.status('GET', recurring.draft.id));
      expect(await read.status('GET', ofDraft, 'admin')).toBe(200);
      expect((await read.get(`/events/${ofDraft}`, 'admin'))['url']).toMatch(/&eventDate=2095-06-01$/);
      expect(await read.status('GET', idsOf(recurring.secret)[0] ?? 0)).toBe(
        await read.status('GET', recurring.secret.id),
      );
    });

    it('keep real posts with such ids readable', async () => {
      const real = BASE + 123_456;
      const { id } = await fixture.create({ title: 'Real' });
      await fixture.ask(`UPDATE wp_posts SET ID = ${real} WHERE ID = ${id}`);
      await fixture.ask(`UPDATE wp_postmeta SET post_id = ${real} WHERE post_id = ${id}`);
      await fixture.ask(`UPDATE wp_tec_occurrences SET post_id = ${real} WHERE post_id = ${id}`);
      expect(await read.get(`/events/${real}`)).toMatchObject({ id: real });
      expect(await read.ids(`include=${real}`)).toEqual([real]);
    });

    it('are listed beside a real post with the id of one, also from the cache', async () => {
      const series = await makeSeries(fixture, { title: 'Twin' }, [
        at('2096-06-01', 10),
        at('2096-06-02', 10),
      ]);
      const [first = 0, second = 0] = idsOf(series);
      const dates = { start_date: '2096-06-03 10:00:00', end_date: '2096-06-03 11:00:00' };
      const { id } = await fixture.create({ title: 'Real twin', ...dates });
      await fixture.ask(`UPDATE wp_posts SET ID = ${second} WHERE ID = ${id}`);
      for (const table of ['wp_postmeta', 'wp_tec_events', 'wp_tec_occurrences'])
        await fixture.ask(`UPDATE ${table} SET post_id = ${second} WHERE post_id = ${id}`);
      for (const tries of [1, 2, 3]) {
        const list = await read.get('/events?start_date=2096-01-01&end_date=2096-12-31');
        const events = list['events'] as { id: number; title: string; start_date: string }[];
        expect([tries, ...events.map((event) => [event.id, event.title, event.start_date])]).toEqual([
          tries,
          [first, 'Twin', '2096-06-01 10:00:00'],
          [second, 'Twin', '2096-06-02 10:00:00'],
          [second, 'Real twin', dates.start_date],
        ]);
      }
    });

    it('are written by who may write the event only', async () => {
      const [first = 0] = idsOf(recurring.weekly);
      for (const method of ['PUT', 'PATCH', 'POST', 'DELETE'])
        expect(await read.status(method, first, 'subscriber', { title: 'Other' })).toBe(403);
    });
  });

  describe('of a changed event', () => {
    it('stay: other dates are rejected, the same ones and other fields are written', async () => {
      const before = await fixture.ask(
        `SELECT * FROM wp_tec_occurrences WHERE post_id = ${recurring.weekly.id}`,
      );
      for (const fields of [
        { start_date: '2095-03-23 18:00:00', end_date: '2095-03-23 20:00:00' },
        { timezone: 'Asia/Tokyo' },
        { all_day: true },
      ])
        expect(await fixture.refusal('admin', 'PUT', `/events/${recurring.weekly.id}`, fields)).toBe(
          `400 rest_invalid_param ${Object.keys(fields).join(' ')}`,
        );
      const written = await fixture.update(recurring.weekly.id, {
        title: 'Choir II',
        start_date: '2095-03-22 18:00:00',
        timezone: 'Europe/Berlin',
      });
      expect(written).toMatchObject({ id: recurring.weekly.id, title: 'Choir II' });
      expect(
        await fixture.ask(`SELECT * FROM wp_tec_occurrences WHERE post_id = ${recurring.weekly.id}`),
      ).toEqual(before);
      expect((await read.list(`${YEAR}&featured=true`)).events.map(({ title }) => title)).toEqual(
        Array.from({ length: 4 }, () => 'Choir II'),
      );
    });

    it('go with it to the trash', async () => {
      const series = await makeSeries(fixture, { title: 'Gone' }, [
        at('2095-10-01', 10),
        at('2095-10-02', 10),
      ]);
      expect((await read.list(`${YEAR}&search=gone`)).total).toBe(2);
      await fixture.send('admin', 'DELETE', `/events/${series.id}`);
      expect((await read.list(`${YEAR}&search=gone`)).total).toBe(0);
      expect(await read.status('GET', idsOf(series)[0] ?? 0)).toBe(await read.status('GET', series.id));
    });

    it('show within a second what other programs add and remove', async () => {
      const series = await makeSeries(fixture, { title: 'Foreign' }, [at('2095-11-01', 10)]);
      const foreign = async (work: () => Promise<unknown>) => {
        await work();
        await sleep(1000);
        return read.ids(`${YEAR}&start_date=2095-11-01`);
      };
      expect(await foreign(async () => undefined)).toEqual([series.id]);
      const added: number[] = [];
      const several = await foreign(async () => {
        added.push(
          await addOccurrence(
            { ask: (text) => fixture.app.dataSource.query(text) },
            series.id,
            at('2095-11-02', 10),
          ),
        );
      });
      expect(several).toEqual([...idsOf(series), BASE + Number(added[0])]);
      const remove = `DELETE FROM wp_tec_occurrences WHERE occurrence_id = ${added[0]}`;
      expect(await foreign(() => fixture.app.dataSource.query(remove))).toEqual([series.id]);
      expect(await read.status('GET', idsOf(series)[0] ?? 0)).toBe(404);
    });
  });

  describe('with recurrence=true or in the clean form', () => {
    it('name the rule and the next ones; other events do not', async () => {
      const named = { rrule: [], rdates: [], exdates: [], lines: [], series_id: null };
      const ofWeekly = {
        recurrence: { ...named, event_id: recurring.weekly.id, occurrence_ids: idsOf(recurring.weekly) },
      };
      for (const query of ['recurrence=true', '_format=clean']) {
        expect(await read.get(`/events/${recurring.weekly.id}?${query}`)).toMatchObject(ofWeekly);
        const { events } = await read.list(`${YEAR}&tags=choir&${query}`);
        expect(events[0]).toMatchObject({ id: idsOf(recurring.weekly)[0], ...ofWeekly });
        expect(events.find(({ id }) => id === recurring.single)).not.toHaveProperty('recurrence');
      }
      expect(await read.get(`/events/${recurring.past.id}?recurrence=1`)).toMatchObject({
        recurrence: { ...named, occurrence_ids: [] },
      });
      expect(await read.get(`/events/${recurring.weekly.id}`)).not.toHaveProperty('recurrence');
    });

    it("read what the add-on's columns, table and meta say", async () => {
      await fixture.ask('ALTER TABLE wp_tec_events ADD COLUMN rset TEXT NULL');
      await fixture.ask(
        'CREATE TABLE wp_tec_series_relationships (relationship_id INTEGER PRIMARY KEY, series_post_id INTEGER, event_id INTEGER, event_post_id INTEGER)',
      );
      await fixture.ask(`INSERT INTO wp_tec_series_relationships VALUES (1, 777, 1, ${recurring.weekly.id})`);
      const rset = [
        'DTSTART;TZID=Europe/Berlin:20950322T180000',
        'RRULE:FREQ=WEEKLY;COUNT=3',
        'RDATE;TZID=Europe/Berlin:20950329T210000',
        'EXDATE:20950412T160000Z',
      ].join('\n');
      await fixture.ask(`UPDATE wp_tec_events SET rset = '${rset}' WHERE post_id = ${recurring.weekly.id}`);
      const rule = 'a:1:{s:5:"rules";a:1:{i:0;a:1:{s:4:"type";s:4:"Date";}}}';
      await fixture.ask(
        `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (${recurring.past.id}, '_EventRecurrence', '${rule}')`,
      );
      expect((await read.get(`/events/${recurring.weekly.id}?recurrence=true`))['recurrence']).toMatchObject({
        rrule: ['FREQ=WEEKLY;COUNT=3'],
        rdates: ['2095-03-29 21:00:00'],
        exdates: ['2095-04-12 18:00:00'],
        series_id: 777,
      });
      expect((await read.get(`/events/${recurring.past.id}?recurrence=true`))['recurrence']).toMatchObject({
        rrule: [],
        rdates: ['2001-06-08 10:00:00'],
      });
    });
  });

  it('move with the base, and have plain addresses on a site without pretty ones', async () => {
    await fixture.ask(
      `INSERT INTO wp_options (option_name, option_value) VALUES ('${BASE_OPTION}', '20000000')`,
    );
    const moved = recurring.weekly.rows.map((row) => 20_000_000 + row);
    expect(await read.ids(`${YEAR}&featured=true`)).toEqual(moved);
    expect(await read.status('GET', moved[0] ?? 0)).toBe(200);
    expect(await read.status('GET', idsOf(recurring.weekly)[0] ?? 0)).toBe(404);
    await fixture.ask(`UPDATE wp_options SET option_value = '0' WHERE option_name = '${BASE_OPTION}'`);
    await fixture.ask(`UPDATE wp_options SET option_value = '' WHERE option_name = 'permalink_structure'`);
    const { events } = await read.list(`${YEAR}&featured=true`);
    expect(events.slice(0, 3).map(({ url }) => url)).toEqual([
      `http://calendar.example.org/?tribe_events=${recurring.weekly.slug}&eventDate=2095-03-22`,
      `http://calendar.example.org/?tribe_events=${recurring.weekly.slug}&eventDate=2095-03-29`,
      `http://calendar.example.org/?tribe_events=${recurring.weekly.slug}&eventDate=2095-03-29&eventSequence=2`,
    ]);
  });
});
