import { DATES, metaValues, seriesOn, TUESDAY } from './support/series-rows.js';
import { type DatabaseName, describeDatabases } from './support/sites.js';
import { openWriteFixture, type WriteFixture } from './support/write-fixture.js';

const WEEKLY = { rrule: ['FREQ=WEEKLY;BYDAY=TU;COUNT=4'] };
const at = (time: string, days = DATES) => days.map((day) => `${day} ${time}`);

const INVALID: [what: string, recurrence: unknown][] = [
  ['a number', 5],
  ['an unknown member', { rules: ['FREQ=DAILY'] }],
  ['a rule without FREQ', { rrule: ['BYDAY=TU'] }],
  ['an unknown FREQ', { rrule: ['FREQ=OFTEN'] }],
  ['a rule with a line break', { rrule: ['FREQ=DAILY\nRDATE:20911016T190000'] }],
  ['a rule with another property in it', { rrule: ['FREQ=DAILY:RDATE'] }],
  ['COUNT and UNTIL', { rrule: ['FREQ=DAILY;COUNT=2;UNTIL=20911101'] }],
  ['a date that is none', { rdates: ['soon'] }],
  ['a date in February', { rdates: ['20910230T100000'] }],
  ['a list of numbers', { rdates: [5] }],
  ['a rule without the first date', { rrule: ['FREQ=WEEKLY;BYDAY=WE'] }],
  ['exclusions only', { exdates: ['2091-10-16 19:00:00'] }],
  ['an excluded first date', { ...WEEKLY, exdates: ['2091-10-16 19:00:00'] }],
  ['a rule that is too frequent', { rrule: ['FREQ=SECONDLY'] }],
  ['a rule that never ends to be computed', { rrule: ['FREQ=DAILY;COUNT=1000000000'] }],
  ['a line of another property', 'DTSTART:20911016T190000\nRRULE:FREQ=DAILY'],
  ['a line that is none', ['FREQ=DAILY']],
  ['too much text', `RDATE:${'20911016T190000,'.repeat(5000)}`],
  ['too many dates', { rdates: Array.from({ length: 1001 }, () => '2091-10-16 19:00:00') }],
];

describeDatabases('events that recur, as written', (database: DatabaseName) => {
  let fixture: WriteFixture;
  beforeAll(async () => {
    fixture = await openWriteFixture(database, undefined, { RECURRENCE: 'on' });
  });
  afterAll(() => fixture?.close());

  const { rowsOf, startsOf, linesOf, ...series } = seriesOn(() => fixture);
  const make = async (recurrence: unknown = WEEKLY, fields: object = {}) =>
    (await series.make({ ...fields, recurrence })).id;

  it('stores a row per date, and the rule, across the end of summer time', async () => {
    const id = await make();
    expect(await rowsOf(id)).toMatchObject([
      {
        start: '2091-10-16 19:00:00',
        end: '2091-10-16 21:00:00',
        utc: '2091-10-16 17:00:00',
        duration: 7200,
      },
      {
        start: '2091-10-23 19:00:00',
        end: '2091-10-23 21:00:00',
        utc: '2091-10-23 17:00:00',
        duration: 7200,
      },
      {
        start: '2091-10-30 19:00:00',
        end: '2091-10-30 21:00:00',
        utc: '2091-10-30 18:00:00',
        duration: 7200,
      },
      {
        start: '2091-11-06 19:00:00',
        end: '2091-11-06 21:00:00',
        utc: '2091-11-06 18:00:00',
        duration: 7200,
      },
    ]);
    expect(await linesOf(id)).toEqual([
      'DTSTART;TZID=Europe/Berlin:20911016T190000',
      'DURATION:PT2H',
      'RRULE:FREQ=WEEKLY;COUNT=4;BYDAY=TU',
    ]);
    expect(await metaValues(fixture.ask, id, '_almanac_recurrence_due')).toEqual([]);
    const [first] = await fixture.ask(
      `SELECT hash FROM wp_tec_occurrences WHERE post_id = ${id} ORDER BY start_date`,
    );
    const single = Number((await fixture.create(TUESDAY))['id']);
    const [own] = await fixture.ask(`SELECT hash FROM wp_tec_occurrences WHERE post_id = ${single}`);
    expect(String(first?.['hash'])).toHaveLength(40);
    expect(first?.['hash']).not.toBe(own?.['hash']);
  });

  it.each([
    [
      'lines as a text',
      'RRULE:FREQ=WEEKLY;COUNT=3\r\nEXDATE;TZID=Europe/Berlin:2091102\r\n 3T190000',
      'time',
    ],
    ['lines as a list', ['RRULE:FREQ=WEEKLY;COUNT=3', 'EXDATE:20911023T170000Z'], 'time'],
    ['names before rules', { rrule: 'RRULE:FREQ=WEEKLY;COUNT=3', exdates: ['2091-10-23'] }, 'time'],
    ['dates alone', { rdates: ['2091-10-30 19:00'], series_id: 5, occurrence_ids: [] }, 'time'],
    ['UNTIL in UTC', { rrule: ['FREQ=WEEKLY;INTERVAL=2;UNTIL=20911030T180000Z'] }, 'time'],
    ['whole days', { rrule: ['FREQ=WEEKLY;COUNT=3'], exdates: ['2091-10-23'] }, 'day'],
  ])('reads %s', async (_what, recurrence, kind) => {
    const id = await make(recurrence, kind === 'day' ? { all_day: true } : {});
    const time = kind === 'day' ? '00:00:00' : '19:00:00';
    expect(await startsOf(id)).toEqual(at(time, ['2091-10-16', '2091-10-30']));
    if (kind === 'day') expect((await rowsOf(id)).at(-1)?.end).toBe('2091-10-30 23:59:59');
  });

  it('moves a time in the gap of summer time, and keeps it on other days', async () => {
    const id = await make(
      { rrule: ['FREQ=DAILY;COUNT=3'] },
      { start_date: '2091-03-24 02:30:00', end_date: '2091-03-24 03:30:00' },
    );
    expect((await rowsOf(id)).map(({ start, end }) => [start, end])).toEqual([
      ['2091-03-24 02:30:00', '2091-03-24 03:30:00'],
      ['2091-03-25 03:30:00', '2091-03-25 04:30:00'],
      ['2091-03-26 02:30:00', '2091-03-26 03:30:00'],
    ]);
    const first = { start_date: '2091-03-25 02:30:00', end_date: '2091-03-25 03:30:00' };
    const dates = [
      ['2091-03-25 03:30:00', '2091-03-25 04:30:00'],
      ['2091-03-26 02:30:00', '2091-03-26 03:30:00'],
    ];
    for (const other of [
      await make({ rrule: ['FREQ=DAILY;COUNT=2'] }, first),
      (await fixture.update(id, { ...first, recurrence: { rrule: ['FREQ=DAILY;COUNT=2'] } }))['id'],
    ]) {
      expect((await rowsOf(other)).map(({ start, end }) => [start, end])).toEqual(dates);
      expect(await metaValues(fixture.ask, other, '_EventEndDate')).toEqual(['2091-03-25 04:30:00']);
    }
  });

  it('stores at most two thousand dates', async () => {
    const id = await make({ rrule: ['FREQ=HOURLY'] }, { end_date: '2091-10-16 19:30:00' });
    expect(await rowsOf(id)).toHaveLength(2000);
    expect(await metaValues(fixture.ask, id, '_almanac_recurrence_due')).toHaveLength(1);
  });

  it.each(INVALID)('rejects %s and writes nothing', async (_what, recurrence) => {
    expect(await fixture.refusal('admin', 'POST', '/events', { ...TUESDAY, recurrence })).toBe(
      '400 rest_invalid_param recurrence',
    );
  });

  it('rejects it from who may not write', async () => {
    expect(await fixture.refusal('anonymous', 'POST', '/events', { ...TUESDAY, recurrence: WEEKLY })).toBe(
      '401 rest_forbidden',
    );
  });

  describe('an update', () => {
    it('leaves rule and rows if it sends neither rule nor dates, or the same dates', async () => {
      const id = await make();
      const rows = await rowsOf(id);
      await fixture.update(id, { title: 'Other' });
      await fixture.update(id, { start_date: TUESDAY.start_date, end_date: TUESDAY.end_date });
      expect(await rowsOf(id)).toEqual(rows);
    });

    it('keeps the ids of unchanged dates when the rule changes', async () => {
      const id = await make();
      const rows = await rowsOf(id);
      await fixture.update(id, {
        recurrence: { rrule: ['FREQ=WEEKLY;COUNT=3'], rdates: ['2091-12-24 19:00:00'] },
      });
      const changed = await rowsOf(id);
      expect(changed.slice(0, 3)).toEqual(rows.slice(0, 3));
      expect(changed.map(({ start }) => start)).toEqual([
        ...at('19:00:00').slice(0, 3),
        '2091-12-24 19:00:00',
      ]);
    });

    it('moves all dates to another time of day, with their ids', async () => {
      const id = await make({ ...WEEKLY, exdates: ['2091-10-30 19:00:00'] });
      const ids = (await rowsOf(id)).map((row) => row.id);
      await fixture.update(id, { start_date: '2091-10-16 20:00:00', end_date: '2091-10-16 21:00:00' });
      const moved = await rowsOf(id);
      expect(moved.map(({ start }) => start)).toEqual(
        at('20:00:00', ['2091-10-16', '2091-10-23', '2091-11-06']),
      );
      expect(moved.map((row) => row.id)).toEqual(ids);
      expect(moved.map(({ duration }) => duration)).toEqual([3600, 3600, 3600]);
      expect(await linesOf(id)).toContain('EXDATE;TZID=Europe/Berlin:20911030T200000');
    });

    it('moves them to another weekday, and their end with them', async () => {
      const id = await make({ rrule: ['FREQ=WEEKLY;BYDAY=TU;UNTIL=20911106T180000Z'] });
      await fixture.update(id, { start_date: '2091-10-17 19:00:00', end_date: '2091-10-17 21:00:00' });
      expect(await startsOf(id)).toEqual(
        at('19:00:00', ['2091-10-17', '2091-10-24', '2091-10-31', '2091-11-07']),
      );
    });

    it('moves them to another zone and to whole days', async () => {
      const id = await make();
      await fixture.update(id, { timezone: 'America/New_York' });
      const rows = await rowsOf(id);
      expect(rows.map(({ start }) => start)).toEqual(at('19:00:00'));
      expect(rows.map(({ utc }) => utc.slice(11))).toEqual(['23:00:00', '23:00:00', '23:00:00', '00:00:00']);
      await fixture.update(id, { all_day: true });
      expect(await startsOf(id)).toEqual(at('00:00:00'));
      expect((await linesOf(id))[0]).toBe('DTSTART;VALUE=DATE:20911016');
    });

    it.each([[null], [''], [[]], [{}]])(
      'with %j makes it a single event with its first date',
      async (recurrence) => {
        const id = await make();
        const [first] = await rowsOf(id);
        await fixture.update(id, { recurrence });
        expect(await rowsOf(id)).toEqual([first]);
        expect(await linesOf(id)).toEqual([]);
      },
    );

    it('makes a single event recur, whose row stays', async () => {
      const id = Number((await fixture.create(TUESDAY))['id']);
      const [first] = await rowsOf(id);
      await fixture.update(id, { recurrence: WEEKLY });
      expect((await rowsOf(id))[0]).toEqual(first);
      expect(await startsOf(id)).toEqual(at('19:00:00'));
    });

    it('rejects a start that the rule does not have, and changes nothing', async () => {
      const id = await make({ rrule: ['FREQ=MONTHLY;BYDAY=TU;BYSETPOS=3'] });
      const rows = await rowsOf(id);
      const dates = {
        start_date: '2091-10-11 19:00:00',
        end_date: '2091-10-11 21:00:00',
        recurrence: WEEKLY,
      };
      expect(await fixture.refusal('admin', 'PATCH', `/events/${id}`, dates)).toBe(
        '400 rest_invalid_param recurrence',
      );
      expect(await rowsOf(id)).toEqual(rows);
    });
  });
});
