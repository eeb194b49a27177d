import { Hooks } from '../src/common/hooks/hooks.js';
import { Transactions } from '../src/database/transactions.js';
import { Idempotency } from '../src/http/safe-writes/idempotency.service.js';
import { VenuesService } from '../src/resources/venues/venues.service.js';
import { startApp } from './support/app.js';
import { type Caller, credentials, type Reply, request } from './support/calendar-client.js';
import { GuestModule, guest } from './support/guest-login.js';
import { makeJournalTables } from './support/journal-site.js';
import { describeEither } from './support/sites.js';
import { EVENT, openWriteFixture, type WriteFixture } from './support/write-fixture.js';

describeEither('Idempotency-Key', (database) => {
  let fixture: WriteFixture;
  let keys = 0;

  beforeAll(async () => {
    fixture = await openWriteFixture(database, undefined, { CHANGES: 'on' });
    await makeJournalTables(fixture.databaseUrl);
  });
  afterAll(() => fixture?.close());

  const nextKey = () => `key-${++keys}`;
  const send = (
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: unknown,
    caller: Caller = 'admin',
    url = fixture.app.url,
  ) => request(url, method, path, { ...credentials(caller), ...headers }, body);
  const outcome = ({ status, body }: Reply) =>
    [status, body['code']].filter((one) => one !== undefined).join(' ');
  const rejection = async (...args: Parameters<typeof send>) =>
    outcome(await fixture.unchanged(() => send(...args)));
  const count = async (title: string) =>
    Number(
      (
        await fixture.ask(
          `SELECT COUNT(*) AS number FROM wp_posts WHERE post_title = '${title}' AND post_type <> 'revision'`,
        )
      )[0]?.['number'],
    );
  const rowCount = async () =>
    Number((await fixture.ask('SELECT COUNT(*) AS number FROM wp_almanac_idempotency'))[0]?.['number']);

  it('answers the same request with the same response, and writes once', async () => {
    for (const [method, path, body] of [
      [
        'POST',
        '/events',
        { ...EVENT, title: 'Keyed event', venue: { venue: 'Keyed hall' }, tags: ['keyed'] },
      ],
      ['POST', '/venues', { venue: 'Keyed venue' }],
      ['POST', '/organizers', { organizer: 'Keyed organizer' }],
      ['POST', '/categories', { name: 'Keyed category' }],
      ['POST', '/tags', { name: 'Keyed tag' }],
      ['POST', `/events/${await fixture.target()}`, { title: 'Keyed update' }],
      ['PATCH', `/events/${await fixture.target()}`, { title: 'Keyed patch' }],
      ['POST', `/events/${await fixture.target()}?_fields=id,title&_envelope`, { title: 'Keyed envelope' }],
    ] as const) {
      const headers = { 'Idempotency-Key': `"${nextKey()}"` };
      const first = await send(method, path, headers, body);
      expect([path, first.status < 300, first.headers.get('Idempotency-Replayed')]).toEqual([
        path,
        true,
        null,
      ]);
      for (const key of [headers['Idempotency-Key'], headers['Idempotency-Key'].slice(1, -1)]) {
        const again = await fixture.unchanged(() => send(method, path, { 'Idempotency-Key': key }, body));
        expect([path, again.status, again.body]).toEqual([path, first.status, first.body]);
        for (const name of ['ETag', 'Location', 'Allow', 'Link', 'Content-Type', 'Cache-Control'])
          expect([path, name, again.headers.get(name)]).toEqual([path, name, first.headers.get(name)]);
        expect(again.headers.get('Idempotency-Replayed')).toBe('true');
      }
    }
  });

  it('a key belongs to its user and its route', async () => {
    const headers = { 'Idempotency-Key': nextKey() };
    const one = await send('POST', '/venues', headers, { venue: 'Shared' });
    const other = await send('POST', '/venues', headers, { venue: 'Other' }, 'editor');
    const third = await send('POST', '/organizers', headers, { organizer: 'Third' });
    expect([one, other, third].map(outcome)).toEqual(['201', '201', '201']);
  });

  it('a key of one virtual user is not that of another one, though both have the id 0', async () => {
    const env = { CHANGES: 'on' };
    const second = await startApp({ databaseUrl: fixture.databaseUrl, env, plugins: [GuestModule] });
    try {
      const key = { 'Idempotency-Key': nextKey() };
      const body = { venue: 'Of a guest' };
      // The same beginning of 255 characters.
      const [anna, berta] = ['a', 'b'].map((end) => guest('x'.repeat(255) + end, 'editor'));
      const post = (headers = {}) =>
        send('POST', '/venues', { ...key, ...headers }, body, 'anonymous', second.url);
      const [one, other, again] = [await post(anna), await post(berta), await post(anna)];
      const replayed = ({ status, headers }: Reply) => [status, headers.get('Idempotency-Replayed')];
      expect([one, other, again].map(replayed)).toEqual([
        [201, null],
        [201, null],
        [201, 'true'],
      ]);
    } finally {
      await second.close();
    }
  });

  it('refuses another body or query with 422', async () => {
    const headers = { 'Idempotency-Key': nextKey() };
    await send('POST', '/venues', headers, { venue: 'First' });
    expect(await rejection('POST', '/venues', headers, { venue: 'Second' })).toBe(
      '422 idempotency_key_reused',
    );
    expect(await rejection('POST', '/venues?city=Graz', headers, { venue: 'First' })).toBe(
      '422 idempotency_key_reused',
    );
  });

  it('runs a request anew that wrote nothing', async () => {
    const headers = { 'Idempotency-Key': nextKey() };
    expect(await rejection('POST', '/events', headers, { title: 'No dates' })).toBe(
      '400 rest_missing_callback_param',
    );
    expect(outcome(await send('POST', '/events', headers, { ...EVENT, title: 'With dates' }))).toBe('201');
  });

  it('refuses malformed keys, and callers without a login', async () => {
    for (const key of [
      '',
      '""',
      '"a',
      'a b',
      '"a", "b"',
      'a,b',
      'é',
      '"a\\b"',
      'a'.repeat(256),
      `"${'a'.repeat(256)}"`,
    ])
      expect([
        key,
        await rejection('POST', '/venues', { 'Idempotency-Key': key }, { venue: 'Malformed' }),
      ]).toEqual([key, '400 idempotency_key_invalid']);
    expect(
      await rejection('POST', '/venues', { 'Idempotency-Key': 'a' }, { venue: 'Nobody' }, 'anonymous'),
    ).toBe('401 rest_forbidden');
    for (const key of ['a'.repeat(255), '"a \\"b\\" c"'])
      expect(
        outcome(await send('POST', '/venues', { 'Idempotency-Key': key }, { venue: `Key ${key}` })),
      ).toBe('201');
  });

  it('has no effect on methods that may be repeated anyway', async () => {
    const headers = { 'Idempotency-Key': nextKey() };
    const { id } = await fixture.create();
    const before = await rowCount();
    expect(outcome(await send('PUT', `/events/${id}`, headers, { title: 'Put' }))).toBe('200');
    expect(outcome(await send('GET', `/events/${id}`, headers))).toBe('200');
    expect(outcome(await send('DELETE', `/events/${id}`, headers))).toBe('200');
    expect(await rowCount()).toBe(before);
  });

  it('of parallel requests with one key one writes, the others get 409 or its response', async () => {
    const second = await startApp({ databaseUrl: fixture.databaseUrl, env: { CHANGES: 'on' } });
    try {
      for (const title of ['Parallel a', 'Parallel b', 'Parallel c']) {
        const headers = { 'Idempotency-Key': nextKey() };
        const body = { ...EVENT, title };
        // SQLite serves one process.
        const urls = database === 'SQLite' ? [fixture.app.url] : [fixture.app.url, second.url];
        const replies = await Promise.all(
          [...urls, ...urls, ...urls].map((url) => send('POST', '/events', headers, body, 'admin', url)),
        );
        const outcomes = new Set(replies.map(outcome));
        expect([...outcomes].filter((one) => !['201', '409 idempotency_key_in_use'].includes(one))).toEqual(
          [],
        );
        const ids = replies.flatMap(({ status, body: { id } }) => (status === 201 ? [id] : []));
        expect([new Set(ids).size, await count(title)]).toEqual([1, 1]);
        expect((await send('POST', '/events', headers, body)).body['id']).toBe(ids[0]);
      }
    } finally {
      await second.close();
    }
  });

  it('makes the response again where it was not stored, also of a conditional update', async () => {
    const { id } = await fixture.create();
    const { headers: read } = await send('GET', `/events/${id}`);
    for (const [path, headers, body, title] of [
      ['/events', {}, { ...EVENT, title: 'Lost response' }, 'Lost response'],
      [`/events/${id}`, { 'If-Match': read.get('ETag') ?? '' }, { title: 'Lost update' }, 'Lost update'],
    ] as const) {
      const keyed = { ...headers, 'Idempotency-Key': nextKey() };
      const first = await send('POST', path, keyed, body);
      await fixture.ask('UPDATE wp_almanac_idempotency SET response = NULL');
      const again = await send('POST', path, keyed, body);
      expect([outcome(again), again.body]).toEqual([outcome(first), first.body]);
      expect(await count(title)).toBe(1);
    }
  });

  it('runs each transaction of a handler once, without those of hooks', async () => {
    const hooks = fixture.app.nest.get(Hooks);
    const venues = fixture.app.nest.get(VenuesService);
    const remove = { isOn: true };
    hooks.addAction('rest_after_insert_tribe_organizer', async (args) => {
      const { context } = args as { context: Parameters<VenuesService['create']>[1] };
      if (remove.isOn) await venues.create({ venue: 'Of a hook' } as never, context);
    });
    const headers = { 'Idempotency-Key': nextKey() };
    const body = { organizer: 'With a hook' };
    await send('POST', '/organizers', headers, body);
    await fixture.ask('UPDATE wp_almanac_idempotency SET response = NULL');
    await send('POST', '/organizers', headers, body);
    remove.isOn = false;
    expect([await count('With a hook'), await count('Of a hook')]).toEqual([1, 1]);
  });

  it('checks the conditions of an update again whose first attempt wrote something else only', async () => {
    const hooks = fixture.app.nest.get(Hooks);
    const venues = fixture.app.nest.get(VenuesService);
    const { id } = await fixture.create({ title: 'Before' });
    const { headers: read } = await send('GET', `/events/${id}`);
    let changes = true;
    const filter = async (fields: object, args: unknown) => {
      const { before, context } = args as {
        before?: object;
        context: Parameters<VenuesService['create']>[1];
      };
      if (!changes || !before) return fields;
      await venues.create({ venue: 'Of a filter' } as never, context);
      await fixture.ask(`UPDATE wp_posts SET post_title = 'Meanwhile' WHERE ID = ${id}`);
      return fields;
    };
    hooks.addFilter('rest_pre_insert_tribe_events', filter as never);
    const headers = { 'If-Match': read.get('ETag') ?? '', 'Idempotency-Key': nextKey() };
    const update = () => send('POST', `/events/${id}`, headers, { title: 'Lost' });
    expect(outcome(await update())).toBe('412 rest_precondition_failed');
    expect(outcome(await update())).toBe('412 rest_precondition_failed');
    changes = false;
    expect([await count('Lost'), await count('Of a filter')]).toEqual([0, 1]);
  });

  it('forgets keys after 24 hours, and the schedule deletes their rows', async () => {
    const headers = { 'Idempotency-Key': nextKey() };
    const body = { ...EVENT, title: 'Daily' };
    await send('POST', '/events', headers, body);
    fixture.app.clock.pass(86_400_000 - 60_000);
    await send('POST', '/events', headers, body);
    expect(await count('Daily')).toBe(1);
    fixture.app.clock.pass(120_000);
    expect(outcome(await send('POST', '/events', headers, body))).toBe('201');
    expect(await count('Daily')).toBe(2);
    await fixture.app.nest.get(Idempotency).trim();
    expect(await rowCount()).toBe(1);
  });

  it('stores nothing with a write that is rolled back', async () => {
    const before = await rowCount();
    const transactions = fixture.app.nest.get(Transactions);
    transactions.beforeCommit(async () => {
      if (fails) throw new Error('a hook failed');
    });
    let fails = true;
    const headers = { 'Idempotency-Key': nextKey() };
    expect(await rejection('POST', '/venues', headers, { venue: 'Rolled back' })).toMatch(/^500/);
    expect(await rowCount()).toBe(before);
    fails = false;
    expect(outcome(await send('POST', '/venues', headers, { venue: 'Rolled back' }))).toBe('201');
  });

  it('is refused where its table is missing', async () => {
    const plain = await openWriteFixture(database);
    const wanted = await startApp({ databaseUrl: plain.databaseUrl, env: { CHANGES: 'on' } });
    try {
      for (const url of [plain.app.url, wanted.url])
        expect(
          await plain.unchanged(async () =>
            outcome(await send('POST', '/venues', { 'Idempotency-Key': 'a' }, { venue: 'No' }, 'admin', url)),
          ),
        ).toBe('400 changes_disabled');
    } finally {
      await wanted.close();
      await plain.close();
    }
  });
});
