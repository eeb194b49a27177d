import { describeEither } from './support/sites.js';
import { EVENT, openValidWriteFixture, type WriteFixture } from './support/write-fixture.js';

type Fields = Record<string, unknown>;

/** `start – end` in local time and in UTC, each from the month to the second of 2091, and the duration in seconds. */
interface Dates {
  local: string;
  utc: string;
  duration: number;
}

const PARIS = { timezone: 'Europe/Paris' };
const NEW_YORK = { timezone: 'America/New_York' };
const UTC = { timezone: 'UTC' };
const from = (start_date: string, end_date: string) => ({ start_date, end_date });
const dates = (local: string, utc: string, duration: number): Dates => ({ local, utc, duration });

/** Stored event, input and expected dates; New York is UTC−5, and UTC−4 from 11 March to 4 November. */
const ALONE: [name: string, stored: Fields, sent: Fields, expected: Dates][] = [
  [
    'timezone alone',
    PARIS,
    { timezone: 'Asia/Tokyo' },
    dates('05-01 10:00:00 – 05-01 12:30:00', '05-01 01:00:00 – 05-01 03:30:00', 9000),
  ],
  [
    "an empty timezone as the site's",
    PARIS,
    { timezone: '' },
    dates('05-01 10:00:00 – 05-01 12:30:00', '05-01 14:00:00 – 05-01 16:30:00', 9000),
  ],
  [
    'start_date alone',
    PARIS,
    { start_date: '2091-04-30 23:00' },
    dates('04-30 23:00:00 – 05-01 12:30:00', '04-30 21:00:00 – 05-01 10:30:00', 48_600),
  ],
  [
    'end_date alone',
    PARIS,
    { end_date: '2091-05-03 10:00' },
    dates('05-01 10:00:00 – 05-03 10:00:00', '05-01 08:00:00 – 05-03 08:00:00', 172_800),
  ],
  [
    'a relative end_date alone in the stored timezone',
    { ...UTC, ...from('2091-03-01 08:00', '2091-03-01 09:00') },
    { end_date: 'tomorrow 9am' },
    dates('03-01 08:00:00 – 03-02 09:00:00', '03-01 08:00:00 – 03-02 09:00:00', 90_000),
  ],
  [
    'all_day alone',
    PARIS,
    { all_day: true },
    dates('05-01 00:00:00 – 05-01 23:59:59', '04-30 22:00:00 – 05-01 21:59:59', 86_399),
  ],
  [
    'all_day false',
    { ...PARIS, all_day: true },
    { all_day: false },
    dates('05-01 00:00:00 – 05-01 23:59:59', '04-30 22:00:00 – 05-01 21:59:59', 86_399),
  ],
  [
    'all_day and timezone',
    PARIS,
    { all_day: true, timezone: 'Asia/Tokyo' },
    dates('05-01 00:00:00 – 05-01 23:59:59', '04-30 15:00:00 – 05-01 14:59:59', 86_399),
  ],
  [
    'start_date to an all-day event',
    { ...PARIS, all_day: true },
    { start_date: '2091-04-29 15:00' },
    dates('04-29 00:00:00 – 05-01 23:59:59', '04-28 22:00:00 – 05-01 21:59:59', 259_199),
  ],
  [
    'end_date to an all-day event',
    { ...PARIS, all_day: true },
    { end_date: '2091-05-02' },
    dates('05-01 00:00:00 – 05-02 23:59:59', '04-30 22:00:00 – 05-02 21:59:59', 172_799),
  ],
  [
    'timezone to an all-day event on a day of 23 hours',
    { ...NEW_YORK, ...from('2091-03-11', '2091-03-11'), all_day: true },
    UTC,
    dates('03-11 00:00:00 – 03-11 23:59:59', '03-11 00:00:00 – 03-11 23:59:59', 86_399),
  ],
  [
    'timezone that makes the day 23 hours long',
    { ...UTC, ...from('2091-03-11', '2091-03-11'), all_day: true },
    NEW_YORK,
    dates('03-11 00:00:00 – 03-11 23:59:59', '03-11 05:00:00 – 03-12 03:59:59', 82_799),
  ],
  [
    'timezone over the end of summer time',
    { ...UTC, ...from('2091-11-04 00:30', '2091-11-04 02:30') },
    NEW_YORK,
    dates('11-04 00:30:00 – 11-04 02:30:00', '11-04 04:30:00 – 11-04 07:30:00', 10_800),
  ],
  [
    'timezone into a repeated hour, as its first occurrence',
    { ...UTC, ...from('2091-11-04 01:30', '2091-11-04 01:45') },
    NEW_YORK,
    dates('11-04 01:30:00 – 11-04 01:45:00', '11-04 05:30:00 – 11-04 05:45:00', 900),
  ],
  [
    'start_date in a skipped hour, moved forward',
    { ...NEW_YORK, ...from('2091-03-11 01:00', '2091-03-11 04:00') },
    { start_date: '2091-03-11 02:30' },
    dates('03-11 03:30:00 – 03-11 04:00:00', '03-11 07:30:00 – 03-11 08:00:00', 1800),
  ],
];

describeEither('decisions on event dates', (database) => {
  let fixture: WriteFixture;
  beforeAll(async () => {
    fixture = await openValidWriteFixture(database);
  });
  afterAll(() => fixture?.close());

  /** Dates of a response, which must match all stored rows. */
  const consistentDates = async (response: Fields): Promise<Dates> => {
    const range = (start: unknown, end: unknown) => `${start} – ${end}`.replaceAll('2091-', '');
    const rows = await fixture.rows(response['id']);
    const fromResponse = dates(
      range(response['start_date'], response['end_date']),
      range(response['utc_start_date'], response['utc_end_date']),
      Number(rows['event.duration']),
    );
    for (const table of ['event', 'occurrence'])
      expect({
        local: range(rows[`${table}.start_date`], rows[`${table}.end_date`]),
        utc: range(rows[`${table}.start_date_utc`], rows[`${table}.end_date_utc`]),
        duration: Number(rows[`${table}.duration`]),
      }).toEqual(fromResponse);
    return fromResponse;
  };

  it.each(ALONE)('W2: an update applies %s', async (_, stored, sent, expected) => {
    const { id } = await fixture.create(stored);
    const occurrence = (await fixture.rows(id))['occurrence.occurrence_id'];
    expect(await consistentDates(await fixture.update(id, sent))).toEqual(expected);
    expect((await fixture.rows(id))['occurrence.occurrence_id']).toBe(occurrence);
  });

  it('W2: all_day stores meta 1, and an empty value once it is unset', async () => {
    const { id } = await fixture.create();
    expect(await fixture.rows(id)).not.toHaveProperty(['meta._EventAllDay']);
    expect(await fixture.update(id, { all_day: true })).toMatchObject({ all_day: true });
    expect((await fixture.rows(id))['meta._EventAllDay']).toEqual(['1']);
    expect(await fixture.update(id, { all_day: false })).toMatchObject({ all_day: false });
    expect((await fixture.rows(id))['meta._EventAllDay']).toEqual(['']);
  });

  it('W2: repeated updates with all_day keep the days of an all-day event', async () => {
    const { id } = await fixture.create({ all_day: true });
    const day = dates('05-01 00:00:00 – 05-01 23:59:59', '05-01 04:00:00 – 05-02 03:59:59', 86_399);
    for (const sent of [{ all_day: true }, NEW_YORK, { title: 'x' }, { all_day: true, ...NEW_YORK }])
      expect(await consistentDates(await fixture.update(id, sent))).toEqual(day);
  });

  const BEFORE: [name: string, stored: Fields, sent: Fields][] = [
    ['both dates', {}, from('2091-05-02 12:00', '2091-05-02 11:59')],
    ['start_date after the stored end', {}, { start_date: '2091-05-01 12:30:01' }],
    ['end_date before the stored start', {}, { end_date: '2091-05-01 09:59:59' }],
    ['start_date and timezone', {}, { start_date: '2091-05-02', ...PARIS }],
    ['end_date and all_day', {}, { end_date: '2091-04-30', all_day: true }],
    ['start_date of an all-day event', { all_day: true }, { start_date: '2091-05-02' }],
    ['end_date of an all-day event', { all_day: true }, { end_date: '2091-04-30 23:00' }],
    [
      'timezone, where a skipped hour reverses the order',
      { ...UTC, ...from('2091-03-11 02:30', '2091-03-11 03:15') },
      NEW_YORK,
    ],
  ];
  it.each(BEFORE)(
    'W3: an update with %s is rejected with 400 end_date and writes nothing when the end precedes the start',
    async (_, stored, sent) => {
      const { id } = await fixture.create(stored);
      const rows = await fixture.rows(id);
      expect(await fixture.refusal('admin', 'PATCH', `/events/${id}`, { title: 'Never', ...sent })).toBe(
        '400 rest_invalid_param end_date',
      );
      expect(await fixture.rows(id)).toEqual(rows);
    },
  );

  it('W3: a create returns 400 when the end precedes the start, and 201 when they are equal', async () => {
    for (const fields of [
      from('2091-05-01 10:00', '2091-05-01 09:00'),
      { ...from('2091-05-02', '2091-05-01'), all_day: true },
    ])
      expect(
        await fixture.refusal('admin', 'POST', '/events', { ...EVENT, ...fields, venue: { venue: 'Never' } }),
      ).toBe('400 rest_invalid_param end_date');
    const event = await fixture.create(from('2091-05-01 10:00', '2091-05-01 10:00'));
    expect((await consistentDates(event)).duration).toBe(0);
  });

  it.each([
    ['Europe/Paris', '08:00'],
    ['europe/PARIS', '08:00'],
    ['UTC', '10:00'],
    ['UTC+5.5', '04:30'],
    ['UTC+5:30', '04:30'],
    ['UTC+2', '07:00'],
    ['UTC+0', '10:00'],
    ['+02:00', '08:00'],
    ['-12:00', '22:00'],
    ['+14:00', '20:00'],
    ['EST', '15:00'],
  ])('W13: timezone %s is valid: 10:00 there is %s in UTC', async (timezone, utc) => {
    const event = await fixture.create({ timezone });
    expect(String(event['utc_start_date']).slice(11, 16)).toBe(utc);
    const moved = await fixture.update((await fixture.create(PARIS))['id'], { timezone });
    expect(moved['utc_start_date']).toBe(event['utc_start_date']);
    expect((await consistentDates(moved)).duration).toBe(9000);
  });

  it.each([
    ['europe/BERLIN', 'Europe/Berlin', 'CEST'],
    ['america/port-au-prince', 'America/Port-au-Prince', 'EDT'],
    ['ASIA/CALCUTTA', 'Asia/Calcutta', 'IST'],
    ['america/argentina/buenos_aires', 'America/Argentina/Buenos_Aires', 'CMT'],
    ['utc', 'UTC', 'UTC'],
    ['est', 'EST', 'EST'],
    ['UTC-03:30', 'UTC-03:30', 'UTC-03:30'],
    ['+02:00', '+02:00', 'GMT+0200'],
  ])('W13: timezone %s is stored as %s in every table', async (sent, timezone, timezone_abbr) => {
    const moved = await fixture.update((await fixture.create())['id'], { timezone: sent });
    for (const event of [await fixture.create({ timezone: sent }), moved]) {
      expect(event).toMatchObject({ timezone, timezone_abbr });
      expect(await fixture.rows(event['id'])).toMatchObject({
        'meta._EventTimezone': [timezone],
        'event.timezone': timezone,
      });
    }
  });

  it('W13: an update keeps a stored timezone that exceeds its column', async () => {
    const { id } = await fixture.create();
    const long = 'America/Argentina/ComodRivadavia';
    await fixture.ask(
      `UPDATE wp_postmeta SET meta_value = '${long}' WHERE post_id = ${id} AND meta_key = '_EventTimezone'`,
    );
    expect(await fixture.update(id, { start_date: '2091-05-01 09:00:00' })).toMatchObject({
      timezone: long,
      utc_start_date: '2091-05-01 12:00:00',
    });
    expect((await fixture.rows(id))['event.timezone']).toBe(long.slice(0, 30));
  });

  it.each([
    'America/Argentina/ComodRivadavia',
    `UTC+5.${'0'.repeat(30)}`,
    'utc+2',
    'UTC+99',
    'UTC+15',
    'UTC-13',
    'UTCx',
    'UTC+',
    '+15:00',
    '-13:00',
    'Mars/Olympus',
    'nowhere',
    5,
    ['UTC'],
  ])('W13: timezone %j is rejected with 400', async (timezone) => {
    const { id } = await fixture.create();
    const rejected = '400 rest_invalid_param timezone';
    expect(await fixture.refusal('admin', 'POST', '/events', { ...EVENT, timezone })).toBe(rejected);
    expect(await fixture.refusal('admin', 'PUT', `/events/${id}`, { timezone })).toBe(rejected);
  });

  it.each(['2091-05-01T10:00:00Z', '2091-05-01T10:00:00+02:00', '2091-05-01 10:00:00 -0700'])(
    "W17: %s is stored as 10:00 in the event's time zone",
    async (start_date) => {
      const event = await fixture.create({ ...PARIS, start_date });
      expect(event).toMatchObject({
        start_date: '2091-05-01 10:00:00',
        utc_start_date: '2091-05-01 08:00:00',
      });
      const moved = await fixture.update(event['id'], { timezone: 'Asia/Tokyo', start_date });
      expect(moved).toMatchObject({
        start_date: '2091-05-01 10:00:00',
        utc_start_date: '2091-05-01 01:00:00',
      });
      const dated = await fixture.update(event['id'], { date: start_date.replace('2091', '2081') });
      expect(dated).toMatchObject({ date: '2081-05-01 10:00:00', date_utc: '2081-05-01 14:00:00' });
    },
  );
});
