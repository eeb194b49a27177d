import { type Caller } from './support/calendar-client.js';
import { DATES, metaValues, seriesOn, TUESDAY, WEEKLY } from './support/series-rows.js';
import { type DatabaseName, describeDatabases } from './support/sites.js';
import { openWriteFixture, type WriteFixture } from './support/write-fixture.js';

const LONG = 'x'.repeat(70_000);
const deep = (depth: number): unknown => (depth === 0 ? 'FREQ=DAILY' : [deep(depth - 1)]);

/** Bodies for `recurrence` that are rejected. */
const BODIES: [what: string, recurrence: unknown][] = [
  ['true', true],
  ['a member of Object', { toString: ['FREQ=DAILY'] }],
  ['a prototype', JSON.parse('{"__proto__": {"rrule": ["FREQ=DAILY"]}}')],
  ['a constructor', { constructor: 'FREQ=DAILY' }],
  ['lists in lists', { rrule: deep(50) }],
  ['lists in a list of lines', deep(50)],
  ['objects in a list', { rdates: [{ date: '2091-10-20' }] }],
  ['a long rule', { rrule: [LONG] }],
  ['a long line', LONG],
  ['a hundred thousand rules', { rrule: Array.from({ length: 20_000 }, () => 'FREQ=DAILY') }],
  ['more rules than are computed', { rrule: Array.from({ length: 21 }, () => 'FREQ=DAILY;COUNT=2') }],
  ['a period that is none', { rdates: ['2091-10-20/soon'] }],
  ['a period of two periods', { rdates: ['2091-10-20 10:00:00/PT1H/PT2H'] }],
  ['a period before its start', { rdates: ['2091-10-20 10:00:00/2091-10-20 09:00:00'] }],
  ['a negative period', { rdates: ['2091-10-20 10:00:00/-PT1H'] }],
  ['an endless period', { rdates: ['2091-10-20 10:00:00/P99999999999999D'] }],
  ['a period of nothing', { rdates: ['2091-10-20 10:00:00/P'] }],
  ['a duration alone', { rdates: ['PT1H'] }],
  ['a slash', { rdates: ['/'] }],
  ['a period that is left out', { exdates: ['2091-10-23 19:00:00/PT1H'] }],
  ['a line break in a period', { rdates: ['2091-10-20 10:00:00/PT1H\nRRULE:FREQ=DAILY'] }],
  ['a line break in a date', { exdates: ['2091-10-23\r\nRRULE:FREQ=DAILY'] }],
  ['the year 0', { rdates: ['0000-01-01'] }],
  ['the year 99999', { rdates: ['99999-01-01'] }],
  ['a date before the event', { rdates: ['1970-01-01 00:00:00'] }],
  ['a zone that is a path', ['RDATE;TZID=../../etc/passwd:20911020T100000']],
  ['a long zone', [`RDATE;TZID=${'Z'.repeat(50_000)}:20911020T100000`]],
  ['an end before the start', { rrule: ['FREQ=DAILY;UNTIL=20910101'] }],
  ['a rule of a NUL', { rrule: ['FREQ=DAILY\u0000'] }],
  ['a rule in other digits', { rrule: ['FREQ=DAILY;COUNT=٣'] }],
  ['a rule that never matches', { rrule: ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30'] }],
  ['a rule by seconds', { rrule: ['FREQ=SECONDLY;INTERVAL=299'] }],
  ['an excluding rule for all dates', { rrule: ['FREQ=DAILY'], exrule: ['FREQ=DAILY'] }],
  ['a calendar file', 'BEGIN:VEVENT\nRRULE:FREQ=DAILY\nEND:VEVENT'],
  ['a change of one date', ['RRULE:FREQ=DAILY', 'RECURRENCE-ID:20911017T190000']],
];
/** Values of `scope` that are rejected. */
const SCOPES: unknown[] = ['', 'THIS', 'this ', 'some', 1, true, ['this'], { this: 1 }, 'x'.repeat(10_000)];

describeDatabases('hostile writes of recurring events', (database: DatabaseName) => {
  let fixture: WriteFixture;
  beforeAll(async () => {
    fixture = await openWriteFixture(database, undefined, { RECURRENCE: 'on' });
  });
  afterAll(() => fixture?.close());

  const { ask, send, rowsOf, daysOf, linesOf, make, date } = seriesOn(() => fixture);
  const status = async (method: string, path: string, fields?: object, caller: Caller = 'admin') => {
    const { status, body } = await fixture.send(caller, method, path, fields);
    return status < 300 ? String(status) : `${status} ${String(body['code'])}`;
  };
  const answers = new Map<unknown, string>();
  const rejects = async (what: unknown, method: string, path: string, fields?: object) => {
    answers.set(what, await fixture.refusal('admin', method, path, fields));
  };
  const expectAll = (expected: string) => {
    const others = [...answers].filter(([, answer]) => answer !== expected);
    answers.clear();
    expect(others).toEqual([]);
  };

  it('rejects each recurrence of a create, an update and a split, and writes nothing', async () => {
    const { id, rows } = await make();
    await fixture.unchanged(async () => {
      for (const [what, recurrence] of BODIES) {
        await rejects(`POST ${what}`, 'POST', '/events', { ...TUESDAY, recurrence });
        await rejects(`PATCH ${what}`, 'PATCH', `/events/${id}`, { recurrence });
        await rejects(`split ${what}`, 'PATCH', date(rows[1]), { scope: 'following', recurrence });
      }
    });
    expectAll('400 rest_invalid_param recurrence');
    expect(await rowsOf(id)).toEqual(rows);
  });

  it('rejects each scope with both kinds of ids, and writes nothing', async () => {
    const { id, rows } = await make();
    for (const scope of SCOPES)
      for (const path of [`/events/${id}`, date(rows[1])]) {
        await rejects([path, scope], 'PATCH', path, { title: 'A', scope });
        await rejects([path, scope, 'delete'], 'DELETE', path, { scope });
      }
    expectAll('400 rest_invalid_param scope');
    for (const scope of ['this', 'following']) {
      await rejects(scope, 'PATCH', `/events/${id}`, { title: 'A', scope });
      await rejects([scope, 'delete'], 'DELETE', `/events/${id}?scope=${scope}`);
    }
    expectAll('400 rest_invalid_param scope');
    expect(await rowsOf(id)).toEqual(rows);
  });

  it('rejects who may not edit the events of others with every scope, and writes nothing', async () => {
    const { rows } = await make();
    const found: [string, string][] = [];
    for (const caller of ['anonymous', 'subscriber', 'contributor', 'author'] as const)
      for (const scope of ['this', 'following', 'all'])
        for (const at of [0, 2]) {
          const path = date(rows[at]);
          found.push([caller, await fixture.refusal(caller, 'PATCH', path, { scope, title: 'A' })]);
          found.push([caller, await fixture.refusal(caller, 'DELETE', `${path}?scope=${scope}`)]);
        }
    for (const [caller, answer] of found)
      expect([caller, answer]).toEqual([
        caller,
        caller === 'anonymous' ? '401 rest_forbidden' : '403 rest_forbidden',
      ]);
    const own = await make({}, 'author');
    for (const scope of ['following', 'this'])
      expect(await status('PATCH', date(own.rows[scope === 'this' ? 0 : 2]), { scope }, 'author')).toBe(
        '200',
      );
  });

  it('rejects an author of another name for one date, and writes nothing', async () => {
    const { rows } = await make({}, 'author');
    expect(await fixture.refusal('author', 'PATCH', date(rows[1]), { author: 1 })).toBe(
      '403 rest_cannot_edit_others',
    );
  });

  it('loses no update of concurrent clients', async () => {
    const { id, rows } = await make({ recurrence: { rrule: ['FREQ=WEEKLY;COUNT=8'] } });
    const writes = [
      ...[1, 2, 3].map((at) => send('PATCH', date(rows[at]), { title: `Own ${at}` })),
      ...[4, 5].map((at) => send('DELETE', date(rows[at]))),
      send('PATCH', `/events/${id}`, { description: 'Written meanwhile' }),
    ];
    const written = await Promise.all(writes);
    expect(await rowsOf(id)).toEqual([rows[0], rows[6], rows[7]]);
    for (const at of [1, 2, 3]) expect(await rowsOf(written[at - 1]?.['id'])).toEqual([rows[at]]);
    expect((await send('GET', `/events/${id}`))['description']).toContain('Written meanwhile');
    const { exdates } = (await send('GET', `/events/${id}?recurrence=true`))['recurrence'] as {
      exdates: string[];
    };
    expect(exdates.toSorted()).toEqual(rows.slice(1, 6).map(({ start }) => start));
  });

  it('writes one date once where two clients write it at the same time', async () => {
    const { id, rows } = await make();
    const before = await ask("SELECT COUNT(*) AS count FROM wp_posts WHERE post_type = 'tribe_events'");
    const both = await Promise.all([
      status('PATCH', date(rows[1]), { title: 'First' }),
      status('PATCH', date(rows[1]), { title: 'Second' }),
      status('DELETE', date(rows[1])),
    ]);
    expect(both.filter((answer) => answer === '200')).toHaveLength(1);
    for (const answer of both) expect(answer).toMatch(/^200$|^404 rest-event-not-found$|^503 rest_busy$/);
    const after = await ask("SELECT COUNT(*) AS count FROM wp_posts WHERE post_type = 'tribe_events'");
    expect(Number(after[0]?.['count'])).toBe(Number(before[0]?.['count']) + 1);
    expect(await daysOf(id)).toEqual([DATES[0], DATES[2], DATES[3]]);
  });

  it('splits and moves at once: each date is in one event', async () => {
    const { id, rows } = await make({ recurrence: { rrule: ['FREQ=WEEKLY;COUNT=8'] } });
    const answers = await Promise.all([
      status('PATCH', date(rows[4]), { scope: 'following', title: 'Later' }),
      status('PATCH', `/events/${id}`, {
        start_date: '2091-10-16 20:00:00',
        end_date: '2091-10-16 22:00:00',
      }),
      status('PATCH', date(rows[6]), { scope: 'following', title: 'Last' }),
    ]);
    expect(new Set(answers).has('200')).toBe(true);
    const found = await ask(
      `SELECT occurrence_id AS id FROM wp_tec_occurrences WHERE occurrence_id IN (${rows.map((row) => row.id).join()}) ORDER BY occurrence_id`,
    );
    expect(found.map((row) => Number(row['id']))).toEqual(rows.map((row) => row.id));
    const parts = await ask(
      `SELECT post_id AS id, COUNT(*) AS dates FROM wp_tec_occurrences WHERE occurrence_id IN (${rows.map((row) => row.id).join()}) GROUP BY post_id`,
    );
    for (const part of parts) expect(await rowsOf(part['id'])).toHaveLength(Number(part['dates']));
  });

  it('trusts a save by PHP between two requests', async () => {
    const { id, rows } = await make();
    await ask(`DELETE FROM wp_tec_occurrences WHERE post_id = ${id} AND occurrence_id <> ${rows[0]?.id}`);
    for (const row of rows)
      for (const [method, fields] of [
        ['PATCH', { title: 'A' }],
        ['DELETE', undefined],
      ] as const)
        expect(await fixture.refusal('admin', method, date(row), fields)).toBe('404 rest-event-not-found');
    await fixture.update(id, { title: 'Written after PHP' });
    expect(await rowsOf(id)).toEqual([rows[0]]);
    // Other dates are those of the single event that it is now.
    await fixture.update(id, { start_date: '2091-10-16 18:00:00', end_date: '2091-10-16 19:00:00' });
    expect(await daysOf(id)).toEqual([DATES[0]]);
    expect(await linesOf(id)).toEqual([]);
    await fixture.update(id, { recurrence: WEEKLY });
    expect(await daysOf(id)).toEqual(DATES);
  });

  it('divides an event with a long title, a password, as a draft, and once more', async () => {
    const title = `${'Ж'.repeat(400)} & <b>"choir"</b>`;
    const { id, rows } = await make({
      title,
      status: 'draft',
      recurrence: { rrule: ['FREQ=WEEKLY;COUNT=8'] },
    });
    await ask(`UPDATE wp_posts SET post_password = 'open' WHERE ID = ${id}`);
    const own = await send('PATCH', date(rows[1]), { excerpt: 'Own' });
    const later = await send('PATCH', date(rows[3]), { scope: 'following', excerpt: 'Later' });
    const last = await send('PATCH', date(rows[6]), { scope: 'following', excerpt: 'Last' });
    const parts = [id, own['id'], later['id'], last['id']];
    const posts = await ask(
      `SELECT post_title AS title, post_status AS status, post_password AS password, post_name AS slug FROM wp_posts WHERE ID IN (${parts.join()})`,
    );
    expect(new Set(posts.map((post) => JSON.stringify(post))).size).toBe(1);
    expect(posts[0]).toMatchObject({ status: 'draft', password: 'open', slug: '' });
    expect(await Promise.all(parts.map(rowsOf))).toEqual([
      [rows[0], rows[2]],
      [rows[1]],
      rows.slice(3, 6),
      rows.slice(6),
    ]);
    for (const part of parts.slice(1))
      expect(await metaValues(ask, part, '_almanac_series')).toEqual([String(id)]);
    // Published, they have slugs of their own, and hide what the password protects.
    const slugs = [];
    for (const part of parts) slugs.push(await send('PATCH', `/events/${part}`, { status: 'publish' }));
    expect(new Set(slugs.map(({ slug }) => slug)).size).toBe(4);
    for (const part of parts)
      expect(await status('GET', `/events/${part}`, undefined, 'anonymous')).toBe(
        '403 event-password-protected',
      );
  });

  it('trashes the only date that is left as the event', async () => {
    const { id, rows } = await make({ recurrence: { rrule: ['FREQ=WEEKLY;COUNT=2'] } });
    const first = (await send('DELETE', date(rows[0])))['id'];
    expect(await rowsOf(id)).toEqual([rows[1]]);
    // The event with one date has the id of its post.
    expect(await fixture.refusal('admin', 'DELETE', date(rows[1]))).toBe('404 rest-event-not-found');
    expect(await send('DELETE', `/events/${id}`)).toMatchObject({ id, status: 'trash' });
    for (const trashed of [id, first]) await send('PATCH', `/events/${trashed}`, { status: 'publish' });
    expect(await rowsOf(id)).toEqual(rows);
  });
});
