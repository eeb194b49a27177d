import { ScheduleRun } from '../src/scheduler/schedule-run.service.js';
import { type JournalFixture, openJournalFixture } from './support/journal-site.js';
import { describeDatabases } from './support/sites.js';
import { EVENT } from './support/write-fixture.js';

describeDatabases('the journal of own writes', (database) => {
  let fixture: JournalFixture;
  beforeAll(async () => {
    fixture = await openJournalFixture(database, { RECURRENCE: 'on', RECURRENCE_MONTHS: '6' });
  });
  afterEach(async () => {
    await fixture.check();
  });
  afterAll(() => fixture?.close());

  const send = (method: string, path: string, body?: unknown) => fixture.send('admin', method, path, body);

  const emptyTrash = async () => {
    fixture.app.clock.pass(31 * 86_400_000);
    await fixture.app.nest.get(ScheduleRun).once();
  };

  it('has an entry of each write of an event', async () => {
    const { id } = await fixture.create();
    expect(await fixture.news()).toEqual([`created tribe_events ${id} almanac`]);
    await fixture.update(id, { title: 'Another title' });
    await fixture.update(id, { start_date: '2091-05-02 10:00:00', end_date: '2091-05-02 11:00:00' });
    await fixture.update(id, {
      title: 'A third one',
      start_date: '2091-05-03 10:00:00',
      end_date: '2091-05-03 11:00:00',
    });
    await fixture.update(id, { timezone: 'Asia/Tokyo' });
    await send('DELETE', `/events/${id}`);
    await fixture.update(id, { status: 'draft' });
    expect(await fixture.news()).toEqual(
      ['updated', 'rescheduled', 'rescheduled', 'rescheduled', 'trashed', 'restored'].map(
        (change) => `${change} tribe_events ${id} almanac`,
      ),
    );
  });

  it('has what a record was, also of a deleted one', async () => {
    const { id } = await fixture.create({ title: 'To be deleted', status: 'draft', slug: 'to-be-deleted' });
    await fixture.update(id, { status: 'publish' });
    await send('DELETE', `/events/${id}`);
    const before = await fixture.journal.head();
    await emptyTrash();
    const entries = (await fixture.journal.after(before - 3, { limit: 100 })).filter((one) => one.id === id);
    expect(
      entries.map(({ change, status, statusBefore, slug }) => [change, statusBefore, status, slug]),
    ).toEqual([
      ['created', '', 'draft', 'to-be-deleted'],
      ['updated', 'draft', 'publish', 'to-be-deleted'],
      ['trashed', 'publish', 'trash', 'to-be-deleted__trashed'],
      ['deleted', 'trash', 'trash', 'to-be-deleted__trashed'],
    ]);
    expect(entries.at(-1)).toMatchObject({
      id,
      type: 'tribe_events',
      author: 1,
      modified: expect.stringMatching(/^2091-03-01 /),
    });
    await fixture.news();
  });

  it('has entries of the venue, organizer and terms that the write of an event makes', async () => {
    const { id, venue, organizer, tags } = await fixture.create({
      venue: { venue: 'Inline hall' },
      organizer: { organizer: 'Inline people' },
      tags: ['Inline tag'],
    });
    const news = await fixture.news();
    expect(news.sort()).toEqual(
      [
        `created tribe_venue ${Reflect.get(venue as object, 'id')} almanac`,
        `created tribe_organizer ${Reflect.get((organizer as object[])[0] ?? {}, 'id')} almanac`,
        `created tribe_events ${id} almanac`,
        `created post_tag ${Reflect.get((tags as object[])[0] ?? {}, 'id')} almanac`,
      ].sort(),
    );
  });

  it.each([
    ['venues', 'venue', 'tribe_venue'],
    ['organizers', 'organizer', 'tribe_organizer'],
  ])('has entries of %s, and of the events that show them', async (path, name, type) => {
    const { body } = await send('POST', `/${path}`, { [name]: `The ${name}` });
    const id = body['id'];
    const event = (await fixture.create({ [name]: id }))['id'];
    expect(await fixture.news()).toEqual([
      `created ${type} ${id} almanac`,
      `created tribe_events ${event} almanac`,
    ]);
    await send('PUT', `/${path}/${id}`, { [name]: `The other ${name}` });
    expect(await fixture.newsOf(2)).toEqual([
      `updated ${type} ${id} almanac`,
      `updated tribe_events ${event} linked`,
    ]);
    await send('DELETE', `/${path}/${id}`);
    // The event loses its link with it.
    expect((await fixture.news()).sort()).toEqual([
      `trashed ${type} ${id} almanac`,
      `updated tribe_events ${event} almanac`,
    ]);
    await emptyTrash();
    expect(await fixture.news()).toContain(`deleted ${type} ${id} almanac`);
  });

  it.each([
    ['categories', 'tribe_events_cat'],
    ['tags', 'post_tag'],
  ])('has entries of %s without their counts, and of the events that show them', async (path, taxonomy) => {
    const id = (await send('POST', `/${path}`, { name: `A term of ${path}` })).body['id'];
    const event = (await fixture.create({ [path]: [id] }))['id'];
    expect(await fixture.news()).toEqual([
      `created ${taxonomy} ${id} almanac`,
      `created tribe_events ${event} almanac`,
    ]);
    await send('PUT', `/${path}/${id}`, { name: `Another term of ${path}` });
    expect(await fixture.newsOf(2)).toEqual([
      `updated ${taxonomy} ${id} almanac`,
      `updated tribe_events ${event} linked`,
    ]);
    await send('DELETE', `/${path}/${id}`);
    expect((await fixture.news()).sort()).toEqual([
      `deleted ${taxonomy} ${id} almanac`,
      `updated tribe_events ${event} almanac`,
    ]);
  });

  it('has an entry of the children that a deleted category leaves', async () => {
    const parent = (await send('POST', '/categories', { name: 'A parent' })).body['id'];
    const child = (await send('POST', '/categories', { name: 'A child', parent })).body['id'];
    await fixture.news();
    await send('DELETE', `/categories/${parent}`);
    expect((await fixture.news()).sort()).toEqual([
      `deleted tribe_events_cat ${parent} almanac`,
      `updated tribe_events_cat ${child} almanac`,
    ]);
  });

  it('has no entry of a rejected write', async () => {
    expect(
      (
        await send('POST', '/events', {
          ...EVENT,
          venue: { venue: 'Never made' },
          end_date: '2091-04-01 10:00:00',
        })
      ).status,
    ).toBe(400);
    expect((await fixture.send('subscriber', 'POST', '/events', EVENT)).status).toBe(403);
    expect(await fixture.news()).toEqual([]);
  });

  it('has entries of what the scheduler publishes and deletes', async () => {
    const now = fixture.app.clock.now();
    const soon = new Date(now + 3_600_000).toISOString().slice(0, 19);
    const { id } = await fixture.create({ date: soon });
    const old = (await fixture.create())['id'];
    await send('DELETE', `/events/${old}`);
    expect(await fixture.news()).toHaveLength(3);
    await emptyTrash();
    expect((await fixture.news()).sort()).toEqual([
      `deleted tribe_events ${old} almanac`,
      `updated tribe_events ${id} almanac`,
    ]);
  });

  it('has entries of series by scope, and none of further dates', async () => {
    const series = {
      ...EVENT,
      timezone: 'UTC',
      start_date: '2091-03-02 10:00:00',
      end_date: '2091-03-02 11:00:00',
      recurrence: { rrule: ['FREQ=WEEKLY'] },
    };
    const created = await fixture.create(series);
    const id = created['id'];
    const [news] = await fixture.news();
    expect(news).toMatch(/^created tribe_events \d+ almanac$/);
    const post = Number(news?.split(' ')[2]);
    await fixture.php(
      `UPDATE wp_postmeta SET meta_value = '2091-01-01 00:00:00' WHERE post_id = ${post} AND meta_key = '_almanac_recurrence_due'`,
    );
    await fixture.php(`DELETE FROM wp_tec_occurrences WHERE post_id = ${post} AND start_date > '2091-07-01'`);
    expect(await fixture.newsOf(1)).toEqual([`rescheduled tribe_events ${post} foreign`]);
    await fixture.app.nest.get(ScheduleRun).once();
    const count = await fixture.ask(
      `SELECT COUNT(*) AS count FROM wp_tec_occurrences WHERE post_id = ${post} AND start_date > '2091-07-01'`,
    );
    expect(Number(count[0]?.['count'])).toBeGreaterThan(3);
    expect(await fixture.news()).toEqual([]);
    await send('PUT', `/events/${id}`, { title: 'All', scope: 'all' });
    expect(await fixture.news()).toEqual([`updated tribe_events ${post} almanac`]);
  });
});
