import { ScheduleRun } from '../src/scheduler/schedule-run.service.js';
import { BASE } from './support/recurring-events.js';
import { addAddOn, DATES, metaValues, seriesOn, siteRows, TUESDAY } from './support/series-rows.js';
import { type DatabaseName, describeDatabases } from './support/sites.js';
import { openWriteFixture, type WriteFixture } from './support/write-fixture.js';

const EVENT = {
  ...TUESDAY,
  description: 'Every week',
  categories: [2],
  tags: ['Singing'],
  venue: 9,
  organizer: [35, 36],
  image: '4',
};

/** What is restored after a write to the series in between. */
type Between = (series: { id: number; rows: { id: number }[] }, part: unknown) => Promise<unknown>;

describeDatabases('dates restored from the trash', (database: DatabaseName) => {
  let fixture: WriteFixture;
  beforeAll(async () => {
    const prepare = (ask: WriteFixture['ask']) => addAddOn(ask, database);
    fixture = await openWriteFixture(database, prepare, { RECURRENCE: 'on' });
  });
  afterAll(() => fixture?.close());

  const { ask, send, rowsOf, daysOf, linesOf, make, date } = seriesOn(() => fixture, EVENT);
  const restore = (id: unknown, fields: object = { status: 'publish' }) =>
    send('PATCH', `/events/${id}`, fields);
  const rows = () => siteRows(ask);
  const relations = () => ask('SELECT * FROM wp_tec_series_relationships ORDER BY relationship_id');
  const relate = (id: number) =>
    ask(
      `INSERT INTO wp_tec_series_relationships (series_post_id, event_id, event_post_id) SELECT 777, event_id, ${id} FROM wp_tec_events WHERE post_id = ${id}`,
    );

  const KINDS: [what: string, recurrence: object, fields: object][] = [
    ['a count', { rrule: ['FREQ=WEEKLY;COUNT=4'] }, {}],
    ['an end', { rrule: ['FREQ=WEEKLY;UNTIL=20911106T180000Z'], exdates: ['2091-10-09'] }, {}],
    ['no end', { rrule: ['FREQ=WEEKLY'] }, {}],
    ['dates one by one', { rdates: DATES.slice(1).map((day) => `${day} 20:00:00`) }, {}],
    ['whole days', { rrule: ['FREQ=WEEKLY;COUNT=4'], exdates: ['2091-11-20'] }, { all_day: true }],
    ['another two on a day', { rrule: ['FREQ=WEEKLY;COUNT=3'], rdates: ['2091-10-23 22:00:00/PT1H'] }, {}],
  ];

  it.each(KINDS)('have the rows of before, in a series with %s', async (_what, recurrence, fields) => {
    const { id, rows: dates } = await make({ ...fields, recurrence });
    await relate(id);
    const [before, related] = [await rows(), await relations()];
    for (const at of [0, 1, 3])
      for (const scope of at === 3 ? ['this'] : ['this', 'following', 'all']) {
        const path = date(dates[at]);
        const trashed = (await send('DELETE', `${path}?scope=${scope}`))['id'];
        expect(await rows()).not.toEqual(before);
        const back = await restore(trashed);
        const isWhole = scope === 'all' || (scope === 'following' && at === 0);
        expect(back).toMatchObject({ id: isWhole ? id : BASE + Number(dates[at]?.id), status: 'publish' });
        expect(await rows()).toEqual(before);
        expect(await relations()).toEqual(related);
        expect((await send('GET', path))['start_date']).toBe(dates[at]?.start);
      }
  });

  it('come back in any order', async () => {
    const { id, rows: dates } = await make();
    const before = await rows();
    const trash = async (at: number, scope = 'this') =>
      (await send('DELETE', `${date(dates[at])}?scope=${scope}`))['id'];
    for (const order of [
      [0, 1, 2],
      [2, 1, 0],
      [1, 2, 0],
    ]) {
      const trashed = [await trash(1), await trash(0), await trash(3, 'following')];
      expect(await daysOf(id)).toEqual([DATES[2]]);
      for (const at of order) await restore(trashed[at]);
      expect(await rows()).toEqual(before);
    }
  });

  it('are events of their own after a change, with dates and ids', async () => {
    const { id, rows: dates } = await make();
    const trash = async (at: number) => (await send('DELETE', date(dates[at])))['id'];
    const [first, second] = [await trash(1), await trash(2)];
    await send('PATCH', `/events/${first}`, { title: 'Changed in the trash', status: 'publish' });
    expect(await restore(second, { status: 'draft' })).toMatchObject({ id: second, status: 'draft' });
    expect(await daysOf(id)).toEqual([DATES[0], DATES[3]]);
    expect(await rowsOf(first)).toEqual([dates[1]]);
    expect(await rowsOf(second)).toEqual([dates[2]]);
    expect(await metaValues(ask, first, '_almanac_series')).toEqual([String(id)]);
    // They do not go back later either.
    await send('DELETE', `/events/${first}`);
    expect(await restore(first)).toMatchObject({ id: first, title: 'Changed in the trash' });
  });

  const CHANGES: [what: string, change: Between][] = [
    ['has moved', ({ id }) => send('PATCH', `/events/${id}`, { start_date: '2091-10-16 18:00:00' })],
    [
      'has another rule',
      ({ id }) => send('PATCH', `/events/${id}`, { recurrence: { rrule: ['FREQ=DAILY;COUNT=3'] } }),
    ],
    ['is a single event', ({ id }) => send('PATCH', `/events/${id}`, { recurrence: null })],
    ['is in the trash', ({ id }) => send('DELETE', `/events/${id}`)],
    ['is a draft', ({ id }) => send('PATCH', `/events/${id}`, { status: 'draft' })],
    [
      'was saved by PHP, which left one date',
      ({ id, rows: [first] }) =>
        ask(`DELETE FROM wp_tec_occurrences WHERE post_id = ${id} AND occurrence_id <> ${first?.id}`),
    ],
    [
      'was deleted for good by PHP',
      async ({ id }) => {
        for (const table of ['wp_tec_occurrences', 'wp_tec_events', 'wp_postmeta'])
          await ask(`DELETE FROM ${table} WHERE post_id = ${id}`);
        await ask(`DELETE FROM wp_posts WHERE ID = ${id}`);
      },
    ],
    [
      'has a rule that is no longer readable',
      ({ id }) =>
        ask(
          `UPDATE wp_postmeta SET meta_value = 'RRULE:FREQ=X' WHERE post_id = ${id} AND meta_key = '_almanac_recurrence'`,
        ),
    ],
    [
      'and the date was restored and trashed by PHP',
      (_, part) =>
        ask(
          `UPDATE wp_postmeta SET meta_value = '5' WHERE post_id = ${part} AND meta_key = '_wp_trash_meta_time'`,
        ),
    ],
  ];

  it.each(CHANGES)('are events of their own where the series %s', async (_what, change) => {
    for (const scope of ['this', 'following']) {
      const series = await make();
      const { id, rows: dates } = series;
      const part = (await send('DELETE', `${date(dates[2])}?scope=${scope}`))['id'];
      await change(series, part);
      const [lines, left] = [await linesOf(id), await rowsOf(id)];
      expect(await restore(part)).toMatchObject({ id: part, status: 'publish' });
      expect([await linesOf(id), await rowsOf(id)]).toEqual([lines, left]);
      expect((await rowsOf(part)).map((row) => row.id)).toEqual(
        (scope === 'this' ? dates.slice(2, 3) : dates.slice(2)).map((row) => row.id),
      );
    }
  });

  it('stay in the trash after an update without a status', async () => {
    const { id, rows: dates } = await make();
    const part = (await send('DELETE', date(dates[1])))['id'];
    const left = await rowsOf(id);
    for (const fields of [{}, { scope: 'all' }])
      await fixture.send('admin', 'PATCH', `/events/${part}`, fields);
    expect(await rowsOf(id)).toEqual(left);
    expect(await ask(`SELECT post_status AS status FROM wp_posts WHERE ID = ${part}`)).toEqual([
      { status: 'trash' },
    ]);
  });

  it('go back only for who may edit the series', async () => {
    const { id, rows: dates } = await make({}, 'author');
    const part = (await send('DELETE', date(dates[1]), undefined, 'author'))['id'];
    await send('PATCH', `/events/${id}`, { author: 1 });
    expect(await send('PATCH', `/events/${part}`, { status: 'publish' }, 'author')).toMatchObject({
      id: part,
    });
    expect(await daysOf(id)).toEqual([DATES[0], DATES[2], DATES[3]]);
  });

  it('keep the password of the series', async () => {
    const { id, rows: dates } = await make();
    await ask(`UPDATE wp_posts SET post_password = 'open' WHERE ID = ${id}`);
    const before = await rows();
    const part = (await send('DELETE', date(dates[1])))['id'];
    const [row] = await ask(`SELECT post_password AS password FROM wp_posts WHERE ID = ${part}`);
    expect(row?.['password']).toBe('open');
    await restore(part);
    expect(await rows()).toEqual(before);
  });

  it('leave no row behind when they are deleted for good instead, with the series', async () => {
    const counts = async () => {
      const tables = [
        'posts',
        'postmeta',
        'tec_events',
        'tec_occurrences',
        'tec_series_relationships',
        'term_relationships',
      ];
      const found = tables.map((name) => ask(`SELECT COUNT(*) AS count FROM wp_${name}`));
      return (await Promise.all(found)).map(([row]) => Number(row?.['count']));
    };
    const before = await counts();
    const { id, rows: dates } = await make();
    await relate(id);
    const ids = [(await send('DELETE', date(dates[1])))['id'], id];
    await send('DELETE', `/events/${id}`);
    await ask(
      `UPDATE wp_postmeta SET meta_value = '5' WHERE meta_key = '_wp_trash_meta_time' AND post_id IN (${ids.join()})`,
    );
    await fixture.app.nest.get(ScheduleRun).once();
    expect(await counts()).toEqual(before);
  });
});
