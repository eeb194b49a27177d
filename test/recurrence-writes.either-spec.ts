import { describeEither } from './support/sites.js';
import { openWriteFixture, type WriteFixture } from './support/write-fixture.js';

/** Tuesdays on the wall clock of Berlin, across the end of summer time. */
const TUESDAYS = {
  title: 'Choir',
  timezone: 'Europe/Berlin',
  start_date: '2091-10-16 19:00:00',
  end_date: '2091-10-16 21:00:00',
};
const WEEKLY = { rrule: ['FREQ=WEEKLY;BYDAY=TU;COUNT=4'] };

describeEither('events that recur, as written', (database) => {
  let fixture: WriteFixture;
  beforeAll(async () => {
    fixture = await openWriteFixture(database, undefined, { RECURRENCE: 'on' });
  });
  afterAll(() => fixture?.close());

  const rowsOf = (id: unknown) =>
    fixture.ask(
      `SELECT occurrence_id AS id, start_date AS start, end_date AS end, start_date_utc AS utc, duration, hash
       FROM wp_tec_occurrences WHERE post_id = ${Number(id)} ORDER BY start_date_utc`,
    );
  const startsOf = async (id: unknown) => (await rowsOf(id)).map(({ start }) => String(start));
  const metaOf = async (id: unknown, key = '_almanac_recurrence') => {
    const rows = await fixture.ask(
      `SELECT meta_value AS value FROM wp_postmeta WHERE post_id = ${Number(id)} AND meta_key = '${key}'`,
    );
    return rows.map(({ value }) => value);
  };
  const make = (recurrence: unknown = WEEKLY, fields: object = {}) =>
    fixture.create({ ...TUESDAYS, ...fields, recurrence });

  it('stores a row per date and the rule', async () => {
    const { id } = await make();
    const rows = await rowsOf(id);
    expect(rows.map(({ start, end, utc, duration }) => [start, end, utc, duration])).toEqual([
      ['2091-10-16 19:00:00', '2091-10-16 21:00:00', '2091-10-16 17:00:00', 7200],
      ['2091-10-23 19:00:00', '2091-10-23 21:00:00', '2091-10-23 17:00:00', 7200],
      ['2091-10-30 19:00:00', '2091-10-30 21:00:00', '2091-10-30 18:00:00', 7200],
      ['2091-11-06 19:00:00', '2091-11-06 21:00:00', '2091-11-06 18:00:00', 7200],
    ]);
    expect(await metaOf(id)).toEqual([
      'DTSTART;TZID=Europe/Berlin:20911016T190000\nDURATION:PT2H\nRRULE:FREQ=WEEKLY;COUNT=4;BYDAY=TU',
    ]);
    expect(await metaOf(id, '_almanac_recurrence_due')).toEqual([]);
  });
});
