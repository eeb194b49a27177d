import { createHash } from 'node:crypto';
import { describeEither } from './support/sites.js';
import { openWriteFixture, type WriteFixture } from './support/write-fixture.js';

describeEither('updates of dates stored by other programs', (database) => {
  let fixture: WriteFixture;

  beforeAll(async () => {
    fixture = await openWriteFixture(database);
  });
  afterAll(() => fixture?.close());

  const createStored = async (dates: Readonly<Record<string, string | undefined>>) => {
    const { id } = await fixture.create();
    for (const [key, value] of Object.entries(dates))
      await fixture.ask(
        value === undefined
          ? `DELETE FROM wp_postmeta WHERE post_id = ${id} AND meta_key = '${key}'`
          : `UPDATE wp_postmeta SET meta_value = '${value}' WHERE post_id = ${id} AND meta_key = '${key}'`,
      );
    return id;
  };

  it.each([
    ['dates are missing', { _EventStartDate: undefined, _EventEndDate: undefined }, 'start_date'],
    ['the start is no date', { _EventStartDate: 'soon' }, 'start_date'],
    ['the start is zero', { _EventStartDate: '0000-00-00 00:00:00' }, 'start_date'],
    ['the end is no date', { _EventEndDate: 'later' }, 'end_date'],
  ])('W2: reject all_day and timezone with 400 and write nothing when %s', async (_name, dates, param) => {
    const id = await createStored(dates);
    const before = await fixture.rows(id);
    for (const sent of [{ all_day: true }, { timezone: 'UTC' }, { all_day: true, timezone: 'UTC' }])
      expect(await fixture.refusal('admin', 'PATCH', `/events/${id}`, sent)).toBe(
        `400 rest_invalid_param ${param}`,
      );
    expect(await fixture.rows(id)).toEqual(before);
    const both = { start_date: '2091-05-02 10:00', end_date: '2091-05-02 11:00' };
    expect(await fixture.update(id, both)).toMatchObject({ start_date: '2091-05-02 10:00:00' });
  });

  it('W2: read dates without seconds and write them with seconds', async () => {
    const id = await createStored({ _EventStartDate: '2091-05-01 10:00', _EventEndDate: '2091-05-02' });
    expect(await fixture.update(id, { timezone: 'UTC' })).toMatchObject({
      start_date: '2091-05-01 10:00:00',
      utc_start_date: '2091-05-01 10:00:00',
      end_date: '2091-05-02 00:00:00',
    });
  });

  it('stay of an event with several occurrences, whose dates cannot be changed', async () => {
    const { id } = await fixture.create();
    const [{ event } = { event: 0 }] = await fixture.ask(
      `SELECT event_id AS event FROM wp_tec_events WHERE post_id = ${id}`,
    );
    const times = (day: string) => [
      `2091-05-${day} 10:00:00`,
      `2091-05-${day} 12:30:00`,
      `2091-05-${day} 14:00:00`,
      `2091-05-${day} 16:30:00`,
    ];
    for (const day of ['08', '15']) {
      const hash = createHash('sha1')
        .update([id, ...times(day), 9000].join(':'))
        .digest('hex');
      await fixture.ask(
        `INSERT INTO wp_tec_occurrences
           (event_id, post_id, start_date, end_date, start_date_utc, end_date_utc, duration, hash)
         VALUES (${event}, ${id}, '${times(day).join("', '")}', 9000, '${hash}')`,
      );
    }
    const occurrences = () =>
      fixture.ask(
        `SELECT occurrence_id AS id, start_date AS start FROM wp_tec_occurrences WHERE post_id = ${id} ORDER BY 1`,
      );
    const before = await occurrences();
    const moved = { start_date: times('08')[0], end_date: times('08')[1] };
    expect(await fixture.refusal('admin', 'PUT', `/events/${id}`, moved)).toBe(
      '400 rest_invalid_param start_date end_date',
    );
    expect(await occurrences()).toEqual(before);
  });
});
