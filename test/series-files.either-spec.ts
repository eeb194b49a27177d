import { addOccurrence, BASE } from './support/recurring-events.js';
import { dateRows } from './support/series-rows.js';
import { describeEither } from './support/sites.js';
import { openWriteFixture, type WriteFixture } from './support/write-fixture.js';

const EVENT = {
  title: 'Choir',
  timezone: 'Europe/Berlin',
  start_date: '2091-10-16 19:00:00',
  end_date: '2091-10-16 21:00:00',
  recurrence: { rrule: ['FREQ=WEEKLY;COUNT=4'] },
};
const AUTUMN = 'start_date=2091-10-01&end_date=2091-12-31';

describeEither('recurring events in calendar files', (database) => {
  let fixture: WriteFixture;
  beforeAll(async () => {
    fixture = await openWriteFixture(
      database,
      async (ask) => {
        await ask('ALTER TABLE wp_tec_events ADD COLUMN rset TEXT NULL');
      },
      { RECURRENCE: 'on' },
    );
  });
  afterAll(() => fixture?.close());

  const make = async (fields: object = {}) => {
    const id = Number((await fixture.create({ ...EVENT, ...fields }))['id']);
    const dates = (await dateRows(fixture.ask, id)).map((row) => BASE + row.id);
    return { id, dates };
  };
  const send = async (method: string, id: unknown, fields?: object) => {
    const { status, body } = await fixture.send('admin', method, `/events/${Number(id)}`, fields);
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
    return Number(body['id']);
  };
  const file = async (path: string): Promise<string> => {
    const answer = await fetch(`${fixture.app.url}/cal/events/v1${path}`);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
    return answer.text();
  };
  /** The events of a file by the lines that say when they are. */
  const eventsOf = (text: string): string[][] =>
    text
      .split('BEGIN:VEVENT\r\n')
      .slice(1)
      .map(
        (one) => one.replaceAll('\r\n ', '').match(/^(?:UID|DT(?:START|END)|R[A-Z-]*|EXDATE)[;:].*/gm) ?? [],
      )
      .map((lines) =>
        lines.map((line) => line.replace('@calendar.example.org', '').replace(';TZID=Europe/Berlin', '')),
      );
  const read = async (path: string) => eventsOf(await file(path));
  const sequences = (text: string) =>
    [...text.matchAll(/^SEQUENCE:(\d+)/gm)].map(([, number]) => Number(number));

  const series = (id: number, ...further: string[]) => [
    `UID:${id}`,
    'DTSTART:20911016T190000',
    'DTEND:20911016T210000',
    'RRULE:FREQ=WEEKLY;COUNT=4',
    ...further,
  ];

  it('are one VEVENT by the id of the event, and one date by the id of that date', async () => {
    const { id, dates } = await make({
      recurrence: { rrule: ['FREQ=WEEKLY;COUNT=4'], exdates: ['2091-10-23'] },
    });
    expect(await read(`/events/${id}.ics`)).toEqual([series(id, 'EXDATE:20911023T190000')]);
    const slug = (await (await fetch(`${fixture.app.url}/cal/events/v1/events/${id}`)).json()).slug;
    expect(await read(`/events/by-slug/${slug}.ics`)).toEqual(await read(`/events/${id}.ics`));
    expect(await read(`/events/${dates[1]}.ics`)).toEqual([
      [`UID:${id}`, 'DTSTART:20911030T190000', 'RECURRENCE-ID:20911030T190000', 'DTEND:20911030T210000'],
    ]);
  });

  it('are whole where a list has some of their dates, once', async () => {
    const { id, dates } = await make({ tags: ['Windows'] });
    expect(await read('/events.ics?start_date=2091-10-22&end_date=2091-10-31&tags=windows')).toEqual([
      series(id),
    ]);
    expect(await read(`/events.ics?include=${id}`)).toEqual([series(id)]);
    const alone = await read(`/events.ics?include=${dates[1]},${dates[3]}`);
    expect(alone.map((lines) => lines[2])).toEqual([
      'RECURRENCE-ID:20911023T190000',
      'RECURRENCE-ID:20911106T190000',
    ]);
    expect(await read(`/events.ics?include=${id},${dates[1]}`)).toEqual([series(id)]);
    const feed = JSON.parse(await file(`/events.feed.json?${AUTUMN}&tags=windows`));
    expect(feed.items).toHaveLength(4);
  });

  it('take one place of a file each', async () => {
    for (const day of ['01', '02', '03'])
      await make({
        tags: ['Places'],
        start_date: `2091-11-${day} 10:00:00`,
        end_date: `2091-11-${day} 11:00:00`,
        recurrence: { rrule: ['FREQ=DAILY;COUNT=9'] },
      });
    const all = await fetch(`${fixture.app.url}/cal/events/v1/events.ics?${AUTUMN}&tags=places&per_page=3`);
    expect(all.headers.get('link')).not.toContain('rel="next"');
    expect(eventsOf(await all.text())).toHaveLength(3);
    const some = await fetch(`${fixture.app.url}/cal/events/v1/events.ics?${AUTUMN}&tags=places&per_page=2`);
    expect(eventsOf(await some.text())).toHaveLength(2);
    expect(some.headers.get('link')).toMatch(/&page=\d+>; rel="next"/);
  });

  it('have a changed date as RECURRENCE-ID of their UID, alone too', async () => {
    const { id, dates } = await make({ tags: ['Changes'] });
    const moved = { start_date: '2091-10-24 20:00:00', end_date: '2091-10-24 21:00:00', tags: ['Moved'] };
    const part = await send('PATCH', dates[1], moved);
    const change = [
      `UID:${id}`,
      'RECURRENCE-ID:20911023T190000',
      'DTSTART:20911024T200000',
      'DTEND:20911024T210000',
    ];
    for (const path of [
      `/events/${id}.ics`,
      `/events.ics?${AUTUMN}&tags=changes,moved`,
      `/events.ics?include=${part},${id}`,
    ])
      expect([path, await read(path)]).toEqual([path, [series(id), change]]);
    for (const path of [`/events/${part}.ics`, `/events.ics?${AUTUMN}&tags=moved`])
      expect([path, await read(path)]).toEqual([path, [change]]);
  });

  it('are not named by a changed date whose readers may not see them', async () => {
    const { id, dates } = await make();
    const part = await send('PATCH', dates[1], { title: 'Rehearsal' });
    await send('PATCH', id, { status: 'private' });
    const own = [`UID:${part}`, 'DTSTART:20911023T190000', 'DTEND:20911023T210000'];
    expect(await read(`/events/${part}.ics`)).toEqual([own]);
    expect(await read(`/events.ics?include=${part}`)).toEqual([own]);
    await send('DELETE', id);
  });

  it.each<[string, (part: number) => Promise<unknown>]>([
    ['in the trash', (part) => send('DELETE', part)],
    ['a draft', (part) => send('PATCH', part, { status: 'draft' })],
    ['hidden from lists', (part) => send('PATCH', part, { hide_from_listings: true })],
    [
      'hidden from lists, with a password',
      async (part) => {
        await send('PATCH', part, { hide_from_listings: true });
        await fixture.ask(`UPDATE wp_posts SET post_password = 'x' WHERE ID = ${part}`);
      },
    ],
  ])('leave out a changed date that is %s', async (_, withdraw) => {
    const { id, dates } = await make({ tags: ['Withdrawals'] });
    const part = await send('PATCH', dates[1], { title: 'Secret rehearsal' });
    expect(await read(`/events/${id}.ics`)).toHaveLength(2);
    await withdraw(part);
    for (const path of [`/events/${id}.ics`, `/events.ics?include=${id}`]) {
      expect([path, await read(path)]).toEqual([path, [series(id, 'EXDATE:20911023T190000')]]);
      expect(await file(path)).not.toContain('Secret');
    }
    await send('DELETE', id);
  });

  it('are two where a series is split, and a changed date belongs to its part', async () => {
    const { id, dates } = await make({ recurrence: { rrule: ['FREQ=WEEKLY;COUNT=6'] }, tags: ['Splits'] });
    const later = await send('PATCH', dates[3], { scope: 'following', title: 'Later' });
    const [, second] = (await dateRows(fixture.ask, later)).map((row) => BASE + row.id);
    await send('PATCH', second, { title: 'Changed' });
    const files = await read(`/events.ics?${AUTUMN}&tags=splits`);
    expect(files.map((lines) => lines.slice(0, 2))).toEqual([
      [`UID:${id}`, 'DTSTART:20911016T190000'],
      [`UID:${later}`, 'DTSTART:20911106T190000'],
      [`UID:${later}`, 'RECURRENCE-ID:20911113T190000'],
    ]);
    expect(files[0]).toContain('RRULE:FREQ=WEEKLY;UNTIL=20911106T175959Z');
    expect(files[1]).toContain('RRULE:FREQ=WEEKLY;COUNT=3');
  });

  it('have a SEQUENCE that grows with each change of theirs and of their dates', async () => {
    const { id, dates } = await make();
    let part = 0;
    const found: number[] = [];
    for (const change of [
      () => send('PATCH', id, { title: 'New' }),
      async () => {
        part = await send('PATCH', dates[1], { title: 'Changed' });
      },
      () => send('PATCH', part, { title: 'Changed again' }),
      () => send('DELETE', part),
      () => send('PATCH', id, { title: 'Newer' }),
    ]) {
      const text = await file(`/events/${id}.ics`);
      found.push(Number(sequences(text)[0]));
      fixture.app.clock.pass(2000);
      await change();
    }
    expect(found).toEqual([...new Set(found)].sort((a, b) => a - b));
    const [last = 0] = sequences(await file(`/events/${id}.ics`));
    for (const [imported, written] of [
      [5, last],
      [2_100_000_000, 2_100_000_000],
      [9_999_999_999, 2 ** 31 - 1],
    ]) {
      await fixture.ask(`DELETE FROM wp_postmeta WHERE meta_key = '_almanac_import_sequence'`);
      await fixture.ask(
        `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (${id}, '_almanac_import_sequence', '${imported}')`,
      );
      expect([imported, sequences(await file(`/events/${id}.ics`))[0]]).toEqual([imported, written]);
    }
  });

  it('keep the UID of the file that they were imported from, with their changed dates', async () => {
    const { id, dates } = await make();
    await send('PATCH', dates[1], { title: 'Changed' });
    await fixture.ask(
      `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (${id}, '_almanac_import_uid', 'choir@elsewhere.example.org')`,
    );
    expect((await read(`/events/${id}.ics`)).map(([uid]) => uid)).toEqual([
      'UID:choir@elsewhere.example.org',
      'UID:choir@elsewhere.example.org',
    ]);
  });

  describe('that other programs have written', () => {
    const datesIn = async (path: string) =>
      (await read(path)).map(
        (lines) => lines.find((line) => /^(?:RRULE|RECURRENCE-ID)/.test(line)) ?? 'single',
      );

    it('have the rule of tec_events.rset where Almanac has none', async () => {
      const { id } = await make();
      await fixture.ask(`DELETE FROM wp_postmeta WHERE post_id = ${id} AND meta_key LIKE '_almanac%'`);
      expect(await read(`/events/${id}.ics`)).toEqual([series(id)]);
    });

    it('are their dates one by one without a rule', async () => {
      const { id } = await make({ tags: ['Unruled'] });
      await fixture.ask(`DELETE FROM wp_postmeta WHERE post_id = ${id} AND meta_key LIKE '_almanac%'`);
      await fixture.ask(`UPDATE wp_tec_events SET rset = NULL WHERE post_id = ${id}`);
      const days = ['16', '23', '30'].map((day) => `RECURRENCE-ID:209110${day}T190000`);
      expect(await datesIn(`/events/${id}.ics`)).toEqual([...days, 'RECURRENCE-ID:20911106T190000']);
      expect(await datesIn('/events.ics?start_date=2091-10-22&end_date=2091-10-31&tags=unruled')).toEqual(
        days.slice(1),
      );
    });

    it.each<[string, (id: number) => Promise<unknown>, number]>([
      [
        'moved',
        (id) =>
          fixture.ask(
            `UPDATE wp_tec_occurrences SET start_date = '2091-10-23 18:00:00', start_date_utc = '2091-10-23 16:00:00' WHERE post_id = ${id} AND start_date = '2091-10-23 19:00:00'`,
          ),
        4,
      ],
      [
        'removed',
        (id) =>
          fixture.ask(
            `DELETE FROM wp_tec_occurrences WHERE post_id = ${id} AND start_date = '2091-10-23 19:00:00'`,
          ),
        3,
      ],
      ['added', (id) => addOccurrence(fixture, id, ['2091-10-24 19:00:00', '2091-10-24 21:00:00']), 5],
      [
        'made longer',
        (id) =>
          fixture.ask(
            `UPDATE wp_tec_occurrences SET end_date = '2091-10-23 22:00:00', end_date_utc = '2091-10-23 20:00:00' WHERE post_id = ${id} AND start_date = '2091-10-23 19:00:00'`,
          ),
        4,
      ],
    ])('are their dates one by one where a date was %s', async (_, change, count) => {
      const { id } = await make();
      await change(id);
      const dates = await datesIn(`/events/${id}.ics`);
      expect([dates.length, dates.every((line) => line.startsWith('RECURRENCE-ID'))]).toEqual([count, true]);
    });

    it('are single where PHP has left one date', async () => {
      for (const rule of ['FREQ=WEEKLY;COUNT=4', 'FREQ=WEEKLY']) {
        const { id } = await make({ recurrence: { rrule: [rule] } });
        await fixture.ask(
          `DELETE FROM wp_tec_occurrences WHERE post_id = ${id} AND start_date > '2091-10-16 19:00:00'`,
        );
        expect([rule, await datesIn(`/events/${id}.ics`)]).toEqual([rule, ['single']]);
      }
    });

    it('have their rule where only the first of its dates is near enough to be stored', async () => {
      const { id } = await make({ recurrence: { rrule: ['FREQ=YEARLY;INTERVAL=9'] } });
      expect(await dateRows(fixture.ask, id)).toHaveLength(1);
      expect(await datesIn(`/events/${id}.ics`)).toEqual(['RRULE:FREQ=YEARLY;INTERVAL=9']);
    });
  });
});
