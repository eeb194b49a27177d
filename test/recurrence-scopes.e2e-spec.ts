import { Hooks } from '../src/common/hooks/hooks.js';
import { BASE } from './support/recurring-events.js';
import { addAddOn, DATES, dateRows, metaValues, seriesOn, TUESDAY, WEEKLY } from './support/series-rows.js';
import { type DatabaseName, describeDatabases } from './support/sites.js';
import { openWriteFixture, type WriteFixture } from './support/write-fixture.js';

const EVENT = {
  ...TUESDAY,
  description: 'Every week',
  cost: '5',
  categories: [2],
  tags: ['Singing'],
  venue: 9,
  organizer: [35, 36],
  image: '4',
  recurrence: WEEKLY,
};

describeDatabases('writes to dates of an event', (database: DatabaseName) => {
  let fixture: WriteFixture;
  beforeAll(async () => {
    fixture = await openWriteFixture(database, undefined, { RECURRENCE: 'on' });
  });
  afterAll(() => fixture?.close());

  const { rowsOf, daysOf, make, date, send } = seriesOn(() => fixture, EVENT);
  const CONTENT = ['description', 'cost', 'categories', 'tags', 'venue', 'organizer', 'image', 'author'];
  const contentOf = (body: Record<string, unknown>) =>
    JSON.stringify(CONTENT.map((name) => body[name])).replace(/"(?:count|modified\w*)":[^,}]*/g, '');

  it('this date: an event of its own with the content of the whole and the id of its row', async () => {
    const { id, rows } = await make();
    const own = await send('PATCH', date(rows[1]), { title: 'Concert', start_date: '2091-10-23 18:00:00' });
    expect(own).toMatchObject({ title: 'Concert', start_date: '2091-10-23 18:00:00', slug: 'choir-2' });
    expect(own['end_date']).toBe('2091-10-23 21:00:00');
    expect(contentOf(await send('GET', `/events/${own['id']}`))).toBe(
      contentOf(await send('GET', `/events/${id}`)),
    );
    expect((await rowsOf(own['id'])).map((row) => row.id)).toEqual([rows[1]?.id]);
    expect(await rowsOf(id)).toEqual([rows[0], rows[2], rows[3]]);
    expect(await metaValues(fixture.ask, own['id'], '_almanac_series')).toEqual([String(id)]);
    expect(await metaValues(fixture.ask, own['id'], '_almanac_recurrence')).toEqual([]);
    expect((await metaValues(fixture.ask, id, '_almanac_recurrence'))[0]).toContain(
      'EXDATE;TZID=Europe/Berlin:20911023T190000',
    );
  });

  it('the first date: the event begins with the next one, and the count of dates stays', async () => {
    const { id, rows } = await make();
    const own = await send('PUT', date(rows[0]), { scope: 'this', title: 'Opening' });
    expect(await daysOf(own['id'])).toEqual(['2091-10-16']);
    expect(await send('GET', `/events/${id}`)).toMatchObject({ start_date: '2091-10-23 19:00:00' });
    expect(await rowsOf(id)).toEqual(rows.slice(1));
    await fixture.update(id, {
      recurrence: { rrule: ['FREQ=WEEKLY;COUNT=4'], exdates: ['2091-10-16 19:00:00'] },
    });
    expect(await rowsOf(id)).toEqual(rows.slice(1));
    await fixture.update(id, {
      end_date: '2091-10-23 22:00:00',
      recurrence: { rrule: ['FREQ=WEEKLY;COUNT=3'], exdates: ['2091-10-16 19:00:00'] },
    });
    expect((await rowsOf(id)).map((row) => row.end)).toEqual(['2091-10-23 22:00:00', '2091-10-30 22:00:00']);
    await fixture.update(id, { recurrence: { rrule: ['FREQ=WEEKLY;COUNT=3'] } });
    await fixture.update(id, { start_date: '2091-10-23 20:00:00', end_date: '2091-10-23 21:00:00' });
    expect(await daysOf(id)).toEqual(DATES.slice(1));
  });

  it('this and following: two events share the dates, with the ids of their rows', async () => {
    const { id, rows } = await make();
    const rest = await send('PATCH', date(rows[2]), {
      scope: 'following',
      start_date: '2091-10-30 20:00:00',
      end_date: '2091-10-30 21:00:00',
    });
    expect(await rowsOf(id)).toEqual(rows.slice(0, 2));
    expect((await rowsOf(rest['id'])).map((row) => [row.id, row.start])).toEqual([
      [rows[2]?.id, '2091-10-30 20:00:00'],
      [rows[3]?.id, '2091-11-06 20:00:00'],
    ]);
    expect(contentOf(await send('GET', `/events/${rest['id']}`))).toBe(
      contentOf(await send('GET', `/events/${id}`)),
    );
    expect((await metaValues(fixture.ask, rest['id'], '_almanac_recurrence'))[0]).toContain('COUNT=2');
  });

  it('takes the recurrence as it is rendered, of which the new event has what remains', async () => {
    const { id, rows } = await make();
    const rendered = async (path: string) => (await send('GET', `${path}?recurrence=true`))['recurrence'];
    const first = { scope: 'following', title: 'Rest', recurrence: await rendered(date(rows[1])) };
    const rest = await send('PATCH', date(rows[1]), first);
    expect(await rowsOf(id)).toEqual([rows[0]]);
    expect(await rowsOf(rest['id'])).toEqual(rows.slice(1));
    const own = await send('PATCH', date(rows[2]), {
      start_date: '2091-10-30 18:00:00',
      recurrence: await rendered(date(rows[2])),
    });
    expect(await daysOf(own['id'])).toEqual([DATES[2]]);
    expect(await rowsOf(rest['id'])).toEqual([rows[1], rows[3]]);
  });

  it('following the first date, and all: the event itself', async () => {
    const { id, rows } = await make();
    expect((await send('PATCH', date(rows[0]), { scope: 'following', title: 'A' }))['id']).toBe(id);
    const moved = await send('PATCH', date(rows[2]), {
      scope: 'all',
      start_date: '2091-10-30 20:00:00',
      end_date: '2091-10-30 21:00:00',
    });
    expect(moved).toMatchObject({ id, start_date: '2091-10-16 20:00:00', end_date: '2091-10-16 21:00:00' });
    expect((await rowsOf(id)).map((row) => row.id)).toEqual(rows.map((row) => row.id));
  });

  it('trash of all dates', async () => {
    const { id, rows } = await make();
    expect(await send('DELETE', `${date(rows[1])}?scope=all`)).toMatchObject({ id, status: 'trash' });
    expect(await rowsOf(id)).toEqual(rows);
    expect(await fixture.refusal('admin', 'DELETE', date(rows[1]))).toBe('410 event-is-in-trash');
  });

  it('lists, single events and their recurrence follow at once', async () => {
    const { id, rows } = await make({ title: 'Shown', venue: [], organizer: [] });
    const listed = async () =>
      ((await send('GET', '/events?search=shown&start_date=2091-01-01'))['events'] as { id: number }[]).map(
        (event) => event.id,
      );
    const ids = rows.map((row) => BASE + row.id);
    expect(await listed()).toEqual(ids);
    expect(await send('GET', `/events/${id}?recurrence=true`)).toMatchObject({
      recurrence: { rrule: ['FREQ=WEEKLY;COUNT=4'], rdates: [], exdates: [], occurrence_ids: ids },
    });
    const own = await send('PATCH', date(rows[1]), { title: 'Shown alone' });
    expect(await listed()).toEqual([ids[0], own['id'], ids[2], ids[3]]);
    const { recurrence } = await send('GET', `/events/${ids[2]}?recurrence=true`);
    expect(recurrence).toMatchObject({ exdates: ['2091-10-23 19:00:00'] });
    await fixture.update(id, { recurrence });
    expect(await listed()).toEqual([ids[0], own['id'], ids[2], ids[3]]);
    await fixture.update(id, { recurrence: null });
    expect(await listed()).toEqual([id, own['id']]);
  });

  it.each([
    ['PATCH', 'anonymous', {}, '401 rest_forbidden'],
    ['DELETE', 'anonymous', undefined, '401 rest_forbidden'],
    ['PATCH', 'contributor', {}, '403 rest_forbidden'],
    ['PATCH', 'admin', { scope: 'some' }, '400 rest_invalid_param scope'],
    ['PATCH', 'admin', { end_date: '2091-01-01' }, '400 rest_invalid_param end_date'],
    ['PATCH', 'admin', { recurrence: { rrule: ['FREQ=DAILY'] } }, '400 rest_invalid_param recurrence'],
    [
      'PATCH',
      'admin',
      { scope: 'following', recurrence: { rrule: ['FREQ=X'] } },
      '400 rest_invalid_param recurrence',
    ],
  ] as const)('rejects %s by %s with %j and writes nothing', async (method, caller, fields, answer) => {
    const { id, rows } = await make();
    expect(await fixture.refusal(caller, method, date(rows[1]), fields)).toBe(answer);
    expect(await rowsOf(id)).toEqual(rows);
  });

  it('rejects a scope of one date with the id of the event, and takes any with a single event', async () => {
    const { id } = await make();
    expect(await fixture.refusal('admin', 'PATCH', `/events/${id}`, { scope: 'this' })).toBe(
      '400 rest_invalid_param scope',
    );
    const single = (await fixture.create())['id'];
    expect(await send('PATCH', `/events/${single}`, { scope: 'this', title: 'B' })).toMatchObject({
      title: 'B',
    });
  });

  it('runs the hooks of both events, and shows the new one in lists at once', async () => {
    const { id, rows } = await make({ title: 'Hooked' });
    const calls: unknown[] = [];
    const hooks = fixture.app.nest.get(Hooks);
    hooks.addAction('rest_after_insert_tribe_events', (args: { id: number; isNew: boolean }) => {
      calls.push([args.id, args.isNew]);
    });
    const own = await send('PATCH', date(rows[1]), { title: 'Hooked alone' });
    expect(calls).toEqual([
      [id, false],
      [own['id'], true],
    ]);
    const list = await send('GET', '/events?search=Hooked+alone&start_date=2091-01-01');
    expect(list['events']).toMatchObject([{ id: own['id'] }]);
  });
});

describeDatabases('recurring events in the tables of the premium add-on', (database: DatabaseName) => {
  let fixture: WriteFixture;
  beforeAll(async () => {
    const prepare = (ask: WriteFixture['ask']) => addAddOn(ask, database);
    fixture = await openWriteFixture(database, prepare, { RECURRENCE: 'on' });
  });
  afterAll(() => fixture?.close());

  const extras = (id: unknown) =>
    fixture.ask(
      `SELECT has_recurrence, sequence, is_rdate FROM wp_tec_occurrences WHERE post_id = ${Number(id)} ORDER BY start_date_utc`,
    );
  const rset = async (id: unknown) =>
    (await fixture.ask(`SELECT rset FROM wp_tec_events WHERE post_id = ${Number(id)}`))[0]?.['rset'];

  it('fills its columns, and empties them when the event recurs no more', async () => {
    const recurrence = { rrule: ['FREQ=WEEKLY;COUNT=2'], rdates: ['2091-10-16 22:00:00'] };
    const id = (await fixture.create({ ...EVENT, recurrence }))['id'];
    expect((await extras(id)).map((row) => Object.values(row).map(Number))).toEqual([
      [1, 1, 0],
      [1, 2, 1],
      [1, 1, 0],
    ]);
    expect(await rset(id)).toBe((await metaValues(fixture.ask, id, '_almanac_recurrence'))[0]);
    const [first] = await dateRows(fixture.ask, id);
    await fixture.send('admin', 'DELETE', `/events/${BASE + Number(first?.id)}`);
    expect((await extras(id)).map((row) => Object.values(row).map(Number))).toEqual([
      [1, 1, 1],
      [1, 1, 0],
    ]);
    await fixture.update(id, { recurrence: null });
    expect((await extras(id)).map((row) => Number(row['has_recurrence']))).toEqual([0]);
    expect(await rset(id)).toBeNull();
  });

  it('are asked once per write for its columns, and what it adds meanwhile is noticed', async () => {
    const { make, date, send } = seriesOn(() => fixture, EVENT);
    const { id, rows } = await make();
    const columnQueries = async (...write: Parameters<typeof send>) => {
      fixture.app.statements();
      await send(...write);
      return fixture.app.statements().sql.filter((text) => /COLUMN_NAME|pragma_table_info/.test(text)).length;
    };
    // The log leaves out statements on information_schema.
    const once = database === 'SQLite' ? 1 : 0;
    expect(await columnQueries('PATCH', date(rows[1]), { title: 'Own' })).toBe(once);
    expect(await columnQueries('DELETE', `${date(rows[2])}?scope=following`)).toBe(once);
    await fixture.ask('ALTER TABLE wp_tec_events DROP COLUMN rset');
    await fixture.update(id, { recurrence: { rrule: ['FREQ=WEEKLY;COUNT=2'] } });
    await fixture.ask('ALTER TABLE wp_tec_events ADD COLUMN rset TEXT NULL');
    await fixture.update(id, { recurrence: { rrule: ['FREQ=WEEKLY;COUNT=3'] } });
    expect(await rset(id)).toContain('COUNT=3');
  });

  it('takes over its rule and its series', async () => {
    const id = Number(
      (await fixture.create({ ...EVENT, recurrence: { rrule: ['FREQ=WEEKLY;COUNT=3'] } }))['id'],
    );
    await fixture.ask(`DELETE FROM wp_postmeta WHERE post_id = ${id} AND meta_key = '_almanac_recurrence'`);
    await fixture.ask(
      `INSERT INTO wp_tec_series_relationships (series_post_id, event_id, event_post_id) SELECT 777, event_id, ${id} FROM wp_tec_events WHERE post_id = ${id}`,
    );
    const rows = await dateRows(fixture.ask, id);
    const { body } = await fixture.send('admin', 'PATCH', `/events/${BASE + Number(rows[1]?.id)}`, {
      title: 'Own',
    });
    const series = await fixture.ask(
      `SELECT s.series_post_id AS series, e.post_id AS post FROM wp_tec_series_relationships s JOIN wp_tec_events e USING (event_id) ORDER BY relationship_id`,
    );
    expect(series.map((row) => Object.values(row).map(Number))).toEqual([
      [777, id],
      [777, Number(body['id'])],
    ]);
    expect(await dateRows(fixture.ask, id)).toEqual([rows[0], rows[2]]);
    expect(await metaValues(fixture.ask, id, '_almanac_recurrence')).toHaveLength(1);
  });

  it('an event whose rule is not known keeps its other dates', async () => {
    const id = Number(
      (await fixture.create({ ...EVENT, recurrence: { rrule: ['FREQ=WEEKLY;COUNT=3'] } }))['id'],
    );
    await fixture.update(id, { title: 'Known by its dates' });
    await fixture.ask(`DELETE FROM wp_postmeta WHERE post_id = ${id} AND meta_key = '_almanac_recurrence'`);
    await fixture.ask(`UPDATE wp_tec_events SET rset = NULL WHERE post_id = ${id}`);
    const rows = await dateRows(fixture.ask, id);
    const { status } = await fixture.send('admin', 'DELETE', `/events/${BASE + Number(rows[2]?.id)}`);
    expect(status).toBe(200);
    expect(await dateRows(fixture.ask, id)).toEqual([rows[0], rows[1]]);
  });
});
