import { at, makeSeries } from './support/recurring-events.js';
import { addAddOn, seriesOn, siteRows } from './support/series-rows.js';
import { type DatabaseName, describeDatabases } from './support/sites.js';
import { openWriteFixture, type WriteFixture } from './support/write-fixture.js';

/** On 28 October 2091 clocks in Berlin show the hour from two o'clock twice. */
const KINDS: [what: string, recurrence: unknown, fields?: object][] = [
  ['a count', { rrule: ['FREQ=WEEKLY;COUNT=4'] }],
  ['several rules', { rrule: ['FREQ=WEEKLY;COUNT=4', 'FREQ=MONTHLY;BYMONTHDAY=16;COUNT=3'] }],
  ['an end in UTC', { rrule: ['FREQ=WEEKLY;UNTIL=20911106T180000Z'] }],
  ['a day as its end', { rrule: ['FREQ=WEEKLY;UNTIL=20911107'] }],
  ['dates in UTC', { rdates: ['2091-10-20 10:00:00Z', '2091-10-21T11:00:00Z'] }],
  ['a day as a date', { rrule: ['FREQ=WEEKLY;COUNT=2'], rdates: ['2091-10-18'] }],
  ['a day that is left out', { rrule: ['FREQ=WEEKLY;COUNT=4'], exdates: ['2091-10-23'] }],
  [
    'a day with two dates that is left out',
    {
      rrule: ['FREQ=WEEKLY;COUNT=4'],
      rdates: ['2091-10-23 22:00:00'],
      exdates: ['2091-10-23'],
    },
  ],
  ['a time in UTC that is left out', { rrule: ['FREQ=WEEKLY;COUNT=4'], exdates: ['20911023T170000Z'] }],
  [
    'periods',
    [
      'RRULE:FREQ=WEEKLY;COUNT=2',
      'RDATE;VALUE=PERIOD:20911020T140000Z/PT45M,20911021T140000Z/20911021T150000Z',
      'RDATE;VALUE=PERIOD;TZID=Asia/Tokyo:20911024T090000/P1D',
    ],
  ],
  [
    'dates of another zone',
    [
      'RRULE:FREQ=WEEKLY;COUNT=4',
      'RDATE;TZID=America/New_York:20911020T040000',
      'EXDATE;TZID=America/New_York:20911023T130000',
    ],
  ],
  ['an excluding rule', { rrule: ['FREQ=DAILY;COUNT=9'], exrule: ['FREQ=WEEKLY;BYDAY=SA,SU;COUNT=5'] }],
  ['an hour that comes twice', ['RDATE:20911028T003000Z,20911028T013000Z']],
  [
    'whole days',
    { rrule: ['FREQ=WEEKLY;COUNT=4'], rdates: ['2091-10-20'], exdates: ['2091-10-23'] },
    { all_day: true },
  ],
  [
    'whole days by times',
    { rrule: ['FREQ=WEEKLY;COUNT=4'], exdates: ['2091-10-23 19:00:00'] },
    { all_day: true },
  ],
];
const ZONES = ['Europe/Berlin', 'America/New_York', 'UTC', 'UTC+5.5'];

describeDatabases('a recurrence as it is rendered', (database: DatabaseName) => {
  let fixture: WriteFixture;
  beforeAll(async () => {
    const prepare = (ask: WriteFixture['ask']) => addAddOn(ask, database);
    fixture = await openWriteFixture(database, prepare, { RECURRENCE: 'on' });
  });
  afterAll(() => fixture?.close());

  const { ask, send, rowsOf, make, date } = seriesOn(() => fixture);
  const renderedOf = async (id: unknown) =>
    (await send('GET', `/events/${id}?recurrence=true`))['recurrence'] as Record<string, unknown>;
  const rows = () => siteRows(ask);
  const timesOf = async (id: unknown) => (await rowsOf(id)).map(({ start, end, utc }) => [start, end, utc]);

  it.each(ZONES)(
    'changes nothing when it is sent back, and makes an equal event, in %s',
    async (timezone) => {
      const failed: unknown[] = [];
      for (const [what, recurrence, fields] of KINDS) {
        const { id } = await make({ ...fields, timezone, recurrence });
        const rendered = await renderedOf(id);
        const before = JSON.stringify(await rows());
        await send('PATCH', `/events/${id}`, { recurrence: rendered });
        if (JSON.stringify(await rows()) !== before) failed.push([what, 'update', rendered]);
        const copy = await make({ ...fields, timezone, recurrence: rendered });
        const [own, others] = [await timesOf(id), await timesOf(copy.id)];
        if (JSON.stringify(own) !== JSON.stringify(others)) failed.push([what, rendered, own, others]);
      }
      expect(failed).toEqual([]);
    },
  );

  it('changes nothing after dates were taken out, nor with the whole event', async () => {
    const { id, rows: dates } = await make();
    await send('DELETE', date(dates[0]));
    await send('PATCH', date(dates[2]), { title: 'Own' });
    const before = await rows();
    await send('PATCH', `/events/${id}`, { recurrence: await renderedOf(id) });
    expect(await rows()).toEqual(before);
    const { title, start_date, end_date, timezone, recurrence } = await send(
      'GET',
      `/events/${id}?recurrence=true`,
    );
    await send('PUT', `/events/${id}`, { title, start_date, end_date, timezone, recurrence });
    expect(await rows()).toEqual(before);
  });

  it('changes nothing where other programs have stored the dates', async () => {
    const unknown = await makeSeries(fixture, { title: 'Unknown rule' }, [
      at('2095-06-01', 10),
      at('2095-06-02', 10, 5),
    ]);
    const ofDates = await makeSeries(fixture, { title: 'List of dates' }, [
      at('2095-06-01', 10),
      at('2095-06-02', 10, 5),
      at('2095-06-05', 12),
    ]);
    await ask(
      `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (${ofDates.id}, '_EventRecurrence', 'a:1:{s:5:"rules";a:1:{i:0;a:1:{s:4:"type";s:4:"Date";}}}')`,
    );
    const ofAddOn = await makeSeries(fixture, { title: 'Rule of the add-on' }, [
      at('2095-06-01', 10),
      at('2095-06-08', 10),
    ]);
    const rset =
      'DTSTART;TZID=Europe/Berlin:20950601T100000\\nRRULE:FREQ=WEEKLY;COUNT=3\\nEXDATE:20950615T080000Z';
    await ask(
      `UPDATE wp_tec_events SET rset = '${rset.replaceAll('\\n', '\n')}' WHERE post_id = ${ofAddOn.id}`,
    );
    expect([
      await renderedOf(unknown.id),
      await renderedOf(ofDates.id),
      await renderedOf(ofAddOn.id),
    ]).toMatchObject([
      { rrule: [], rdates: [] },
      { rrule: [], rdates: ['2095-06-02 10:00:00', '2095-06-05 12:00:00'] },
      { rrule: ['FREQ=WEEKLY;COUNT=3'], exdates: ['2095-06-15 10:00:00'] },
    ]);
    const before = await rows();
    for (const { id } of [unknown, ofDates, ofAddOn])
      await send('PATCH', `/events/${id}`, { recurrence: await renderedOf(id) });
    expect(await rows()).toEqual(before);
    await send('PATCH', `/events/${unknown.id}`, { recurrence: null });
    expect(await rowsOf(unknown.id)).toHaveLength(1);
  });

  it('is written where the same dates move, and rejected without a rule', async () => {
    const { id, rows: dates } = await make();
    const rendered = await renderedOf(id);
    await send('PATCH', `/events/${id}`, {
      recurrence: rendered,
      start_date: '2091-10-17 19:00:00',
      end_date: '2091-10-17 21:00:00',
    });
    expect((await rowsOf(id)).map(({ start }) => start.slice(0, 10))).toEqual([
      '2091-10-17',
      '2091-10-24',
      '2091-10-31',
      '2091-11-07',
    ]);
    expect(await rowsOf(id)).toHaveLength(dates.length);
    expect(
      await fixture.refusal('admin', 'PATCH', `/events/${id}`, { recurrence: { ...rendered, rrule: [] } }),
    ).toBe('400 rest_invalid_param recurrence');
  });
});

describeDatabases('a recurrence as it is rendered, where PHP writes the events', (database: DatabaseName) => {
  let fixture: WriteFixture;
  beforeAll(async () => {
    fixture = await openWriteFixture(database, undefined, { RECURRENCE: 'off' });
  });
  afterAll(() => fixture?.close());

  it('is accepted unchanged, and rejected otherwise', async () => {
    const { id } = await makeSeries(fixture, { title: 'Unknown rule' }, [
      at('2095-06-01', 10),
      at('2095-06-02', 10),
    ]);
    const { send, ask } = seriesOn(() => fixture);
    const lines = 'DTSTART;TZID=Europe/Berlin:20950601T100000\nDURATION:PT7200S\nRRULE:FREQ=DAILY;COUNT=2';
    await ask(
      `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (${id}, '_almanac_recurrence', '${lines}')`,
    );
    const { recurrence } = await send('GET', `/events/${id}?recurrence=true`);
    const before = await siteRows(ask);
    await send('PATCH', `/events/${id}`, { recurrence });
    expect(await siteRows(ask)).toEqual(before);
    for (const fields of [
      { recurrence: { ...(recurrence as object), exdates: ['2095-06-02'] } },
      { recurrence, start_date: '2095-06-01 09:00:00' },
    ])
      expect(await fixture.refusal('admin', 'PATCH', `/events/${id}`, fields)).toBe(
        '400 rest_invalid_param recurrence',
      );
  });
});
