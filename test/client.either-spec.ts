import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  AlmanacError,
  applicationPassword,
  type ClientOptions,
  createAlmanacClient,
  dates,
  etagOf,
  plain,
  type Recurrence,
  venuesOf,
} from 'almanac-client';
import { startApp, type TestApp } from './support/app.js';
import { loadRecording } from './support/replay.js';
import { describeEither, makeSite, type Site } from './support/sites.js';
import { testFolder } from './support/test-folder.js';

const ROOT = join(__dirname, '..');
const { login = '', password = '' } = loadRecording('site-a/write').users['admin'] ?? {};

const rejection = async (call: Promise<unknown>): Promise<AlmanacError> => {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof AlmanacError)) throw new Error(`not rejected: ${String(error)}`);
  return error;
};

describeEither('almanac-client', (database) => {
  let site: Site;
  let app: TestApp;
  const clientOf = (options: Partial<ClientOptions> = {}) =>
    createAlmanacClient({ baseUrl: app.url, auth: applicationPassword(login, password), ...options });
  const count = async () => (await clientOf().venues.list()).total;

  beforeAll(async () => {
    site = await makeSite(database);
    app = await startApp({ databaseUrl: site.url, env: { RATE_LIMIT: 'off', RECURRENCE: 'on' } });
  });
  afterAll(async () => {
    await app?.close();
    await site?.drop();
  });

  it('contains the types of the OpenAPI document (if not: npm run build && npm run client:types)', async () => {
    const file = join(testFolder(), 'client-document.json');
    writeFileSync(file, await (await fetch(`${app.url}/openapi.json`)).text());
    const script = join(ROOT, 'scripts', 'client-types.mjs');
    const { stdout, stderr } = spawnSync(process.execPath, [script, file], { encoding: 'utf8' });
    const types = readFileSync(join(ROOT, 'packages', 'client', 'src', 'schema.ts'), 'utf8');
    expect(stderr).toBe('');
    expect(stdout === types).toBe(true);
  });

  it('creates, finds, updates, trashes and restores records', async () => {
    const { events, venues, categories, raw } = clientOf();
    const venue = await venues.create({ venue: 'Rope Loft & Yard', city: 'Bremen' });
    const category = await categories.create({ name: 'Open houses' });
    const event = await events.create({
      title: 'Knots &amp; bends',
      start_date: '2091-06-01 18:00:00',
      end_date: '2091-06-01 20:30:00',
      timezone: 'Europe/Berlin',
      venue: venue.id,
      categories: [category.id],
    });
    expect(plain(event.title)).toBe('Knots & bends');
    expect(venuesOf(event).map(({ city }) => city)).toEqual(['Bremen']);
    expect(dates(event)).toEqual({
      start: new Date('2091-06-01T16:00:00Z'),
      end: new Date('2091-06-01T18:30:00Z'),
    });
    expect(await events.bySlug(event.slug)).toEqual(await events.get(event.id));
    const toEdit = { context: 'edit', _raw: true } as const;
    expect((await events.get(event.id, { query: toEdit })).raw?.title).toBe('Knots &amp; bends');
    expect((await events.bySlug(event.slug, { query: toEdit })).raw?.title).toBe('Knots &amp; bends');
    const { items, total } = await events.list({ venue: [venue.id], categories: ['open-houses'] });
    expect([items.map(({ id }) => id), total]).toEqual([[event.id], 1]);

    const moved = await events.update(event.id, { end_date: '2091-06-01 21:00:00' });
    expect([moved.title, moved.start_date, moved.end_date]).toEqual([
      event.title,
      event.start_date,
      '2091-06-01 21:00:00',
    ]);
    expect((await events.trash(event.id)).status).toBe('trash');
    expect((await rejection(events.trash(event.id))).code).toBe('event-is-in-trash');
    expect(await events.update(event.id, { status: 'publish' })).toMatchObject({
      status: 'publish',
      slug: event.slug,
    });
    await categories.remove(category.id);
    expect((await events.get(event.id)).categories).toEqual([]);

    const { data, response } = await raw.GET('/events/{id}', {
      params: { path: { id: event.id }, query: { _fields: 'id' } },
    });
    expect([data, response.status]).toEqual([{ id: event.id }, 200]);
  });

  it('refuses an update of a record that has changed, and sends several writes at once', async () => {
    const { venues, batch } = clientOf();
    const venue = await venues.create({ venue: 'Safe hall' });
    const ifMatch = etagOf(venue);
    expect(ifMatch).toMatch(/^"[\w-]{27}"$/);
    const changed = await venues.update(venue.id, { city: 'Graz' }, { ifMatch });
    const refused = await rejection(venues.update(venue.id, { city: 'Linz' }, { ifMatch }));
    expect([refused.status, refused.code]).toEqual([412, 'rest_precondition_failed']);
    expect((await rejection(venues.trash(venue.id, { ifMatch }))).status).toBe(412);
    const path = `/venues/${venue.id}`;
    const writes = [
      { method: 'PATCH', path, body: { city: 'Wels' }, ifMatch: etagOf(changed) },
      { method: 'PATCH', path, body: { city: 'Enns' }, ifMatch: etagOf(changed) },
    ] as const;
    const { isRefused, responses } = await batch(writes);
    expect([isRefused, responses.map((one) => one?.status)]).toEqual([false, [200, 412]]);
    expect((await venues.get(venue.id)).city).toBe('Wels');
    const none = await batch([{ path: '/venues', body: { venue: 'None' } }, writes[1]], {
      allOrNothing: true,
    });
    expect([none.isRefused, none.responses[0], none.responses[1]?.status]).toEqual([true, null, 412]);
    expect((await rejection(batch([]))).code).toBe('rest_invalid_param');
    const keyless = await rejection(venues.create({ venue: 'Keyed' }, { idempotencyKey: 'a' }));
    expect(keyless.code).toBe('changes_disabled');
  });

  it('writes recurring events, and their dates as scope says', async () => {
    const { events } = clientOf();
    const { id } = await events.create({
      title: 'Choir',
      start_date: '2091-10-16 19:00:00',
      end_date: '2091-10-16 21:00:00',
      timezone: 'Europe/Berlin',
      recurrence: { rrule: ['FREQ=WEEKLY;COUNT=5'], exdates: ['2091-10-23'] },
    });
    const recurrenceOf = async (of = id): Promise<Recurrence | undefined> =>
      (await events.get(of, { query: { recurrence: true } })).recurrence;
    const recurrence = await recurrenceOf();
    expect(recurrence).toMatchObject({ rrule: ['FREQ=WEEKLY;COUNT=5'], event_id: id });
    expect(recurrence?.lines).toEqual([
      'DTSTART;TZID=Europe/Berlin:20911016T190000',
      'DURATION:PT2H',
      'RRULE:FREQ=WEEKLY;COUNT=5',
      'EXDATE;VALUE=DATE:20911023',
    ]);
    const [first = 0, second = 0, third = 0, fourth = 0] = recurrence?.occurrence_ids ?? [];
    const { items } = await events.list({ search: 'choir', start_date: '2091-10-01', recurrence: true });
    expect(items.map((item) => [item.id, item.recurrence?.event_id])).toEqual(
      [first, second, third, fourth].map((date) => [date, id]),
    );
    // What was read is taken back and changes nothing.
    await events.update(id, { recurrence: recurrence?.lines.filter((line) => !line.startsWith('D')) });
    expect(await recurrenceOf()).toEqual(recurrence);

    const own = await events.update(second, { title: 'Concert' });
    expect([own.title, own.start_date, await recurrenceOf(own.id)]).toEqual([
      'Concert',
      '2091-10-30 19:00:00',
      undefined,
    ]);
    expect((await events.trash(fourth, { scope: 'following' })).status).toBe('trash');
    expect((await recurrenceOf())?.occurrence_ids).toEqual([first, third]);
    await events.update(third, { title: 'Singers', scope: 'all' });
    expect((await events.get(id)).title).toBe('Singers');
    expect((await rejection(events.trash(id, { scope: 'this' }))).params).toHaveProperty('scope');
    expect((await recurrenceOf())?.occurrence_ids).toEqual([first, third]);
    await events.trash(third, { scope: 'all' });
    expect((await rejection(events.get(id))).code).toBe('event-no-longer-available');
  });

  it('reports invalid parameters by name, and the server writes nothing', async () => {
    const before = await count();
    const { events, venues } = clientOf();
    const dated = { title: 'x', start_date: 'soon', end_date: '2091-06-01 20:30:00' };
    const invalid = await rejection(events.create(dated));
    expect([invalid.status, invalid.code, Object.keys(invalid.params)]).toEqual([
      400,
      'rest_invalid_param',
      ['start_date'],
    ]);
    expect(invalid.params['start_date']).toMatch(/^start_date must be a date/);
    const missing = await rejection(venues.create({} as { venue: string }));
    expect([missing.code, missing.params]).toEqual(['rest_missing_callback_param', { venue: 'Missing.' }]);
    const absent = await rejection(events.get(99_999_999));
    expect([absent.status, absent.params]).toEqual([404, {}]);
    const unauthenticated = await rejection(clientOf({ auth: undefined }).venues.create({ venue: 'x' }));
    expect([unauthenticated.status, unauthenticated.code]).toEqual([401, 'rest_forbidden']);
    const wrong = await rejection(clientOf({ auth: applicationPassword(login, 'no') }).venues.list());
    expect([wrong.status, wrong.code]).toEqual([401, 'incorrect_password']);
    expect(await count()).toBe(before);
  });

  it('requests credentials before each request', async () => {
    let auth: ReturnType<typeof applicationPassword> | undefined;
    const { venues } = clientOf({ auth: async () => auth });
    expect((await rejection(venues.create({ venue: 'x' }))).status).toBe(401);
    auth = applicationPassword(login, password);
    await venues.trash((await venues.create({ venue: 'x' })).id);
  });

  describe('all()', () => {
    const ids: number[] = [];
    const query = { search: 'Berth', per_page: 3 };
    const idsOf = async (visit: (nth: number, id: number) => unknown = () => undefined) => {
      const visitedIds: number[] = [];
      for await (const { id } of clientOf().organizers.all(query)) {
        visitedIds.push(id);
        await visit(visitedIds.length, id);
      }
      return visitedIds;
    };

    beforeAll(async () => {
      const { organizers } = clientOf();
      for (let nth = 1; nth <= 10; nth++)
        ids.push((await organizers.create({ organizer: `Berth ${nth}` })).id);
    });

    it('yields every record of every page once, in list order', async () => {
      const { items } = await clientOf().organizers.list({ ...query, per_page: 50 });
      expect(await idsOf()).toEqual(items.map(({ id }) => id));
      expect(items).toHaveLength(ids.length);
      expect(await clientOf().organizers.list({ search: 'no such organizer' })).toMatchObject({ items: [] });
    });

    it('skips no record when others are trashed meanwhile, and ends with the last page', async () => {
      const { organizers } = clientOf();
      // Trashing a record of page 1 while its last record is visited moves the fourth record up.
      const [first = 0, second = 0, , fourth] = await idsOf();
      const visitedIds = await idsOf((nth) => nth === 3 && organizers.trash(first));
      expect([visitedIds.length, visitedIds[3], new Set(visitedIds).size]).toEqual([10, fourth, 10]);
      expect(await idsOf((nth) => nth === 1 && organizers.trash(second))).toHaveLength(9);
      // Trashing each visited record still visits all records.
      expect(await idsOf((_, id) => organizers.trash(id))).toHaveLength(8);
      expect(await idsOf()).toEqual([]);
    });

    it('follows cursors when cursor=* is set', async () => {
      const { organizers } = clientOf();
      for (let nth = 1; nth <= 5; nth++)
        ids.push((await organizers.create({ organizer: `Berth ${nth}` })).id);
      const { items, nextCursor } = await organizers.list({ ...query, cursor: '*' });
      expect([items.length, typeof nextCursor]).toEqual([3, 'string']);
      const visitedIds: number[] = [];
      for await (const { id } of organizers.all({ ...query, cursor: '*' })) {
        visitedIds.push(id);
        await organizers.trash(id);
      }
      expect([visitedIds.length, new Set(visitedIds).size]).toEqual([5, 5]);
      const withoutCursors = async () =>
        Response.json({ organizers: [], total: 9, total_pages: 3, rest_url: app.url });
      const rejected = await rejection(
        clientOf({ fetch: withoutCursors }).organizers.all({ cursor: '*' }).next(),
      );
      expect(rejected.code).toBe('no_cursor');
    });

    it('throws when the server reports no end of the list', async () => {
      let sent = 0;
      const respondingWith = (body: object) => {
        const fetch = async () => {
          if (++sent > 9) throw new Error('requests without end');
          return Response.json({ events: [{ id: 1 }], ...body });
        };
        return clientOf({ fetch }).events;
      };
      const walk = async (all: AsyncGenerator) => {
        for await (const _ of all);
      };
      for (const totals of [{}, { total: 1 }, { total: 1, total_pages: 'many' }])
        expect((await rejection(walk(respondingWith(totals).all()))).code).toBe('no_calendar');
      const looping = respondingWith({ total: 9, total_pages: 9, next_cursor: 'round' });
      expect((await rejection(walk(looping.all({ cursor: '*' })))).code).toBe('no_cursor');
    });

    it('stops when the caller stops iterating or aborts', async () => {
      const urls: string[] = [];
      const fetch = (request: Request) => {
        urls.push(request.url);
        return globalThis.fetch(request);
      };
      const controller = new AbortController();
      const all = clientOf({ fetch }).events.all(
        { start_date: '2000-01-01', per_page: 1 },
        { signal: controller.signal },
      );
      await all.next();
      expect(urls).toHaveLength(1);
      controller.abort(new Error('enough'));
      await expect(all.next()).rejects.toThrow('enough');
    });
  });

  describe('when the server is busy', () => {
    /** Responds with `status` for the first `times` requests, then forwards them. */
    const rejectTimes = (
      times: number,
      status = 503,
      headers: Record<string, string> = { 'Retry-After': '0' },
    ) => {
      let sent = 0;
      const fetch = async (request: Request) =>
        sent++ < times
          ? new Response('{"code":"busy","message":"Later."}', { status, headers })
          : globalThis.fetch(request);
      return { client: clientOf({ fetch }), sent: () => sent };
    };

    it('retries idempotent requests after 429 and 503', async () => {
      for (const status of [429, 503]) {
        const { client, sent } = rejectTimes(2, status);
        await client.tags.list();
        expect(sent()).toBe(3);
      }
      const { venues } = clientOf();
      const { id } = await venues.create({ venue: 'Quay' });
      const changed = rejectTimes(1);
      expect((await changed.client.venues.update(id, { venue: 'Quay 2' })).venue).toBe('Quay 2');
      const trashed = rejectTimes(1);
      await trashed.client.venues.trash(id);
      expect([changed.sent(), trashed.sent()]).toEqual([2, 2]);
    });

    it.each([
      ['all three attempts', 3, 3, 503, { 'Retry-After': '0' }],
      ['once without Retry-After', 1, 1, 503, {}],
      ['once with a Retry-After of hours', 1, 1, 429, { 'Retry-After': '7200' }],
      ['once with status 500', 1, 1, 500, { 'Retry-After': '0' }],
    ])(
      'throws when the server rejects %s',
      async (_, rejections, times, status, headers: Record<string, string>) => {
        const { client, sent } = rejectTimes(rejections, status, headers);
        expect(await rejection(client.tags.list())).toMatchObject({ code: 'busy', message: 'Later.' });
        expect(sent()).toBe(times);
      },
    );

    it('does not retry a create', async () => {
      const before = await count();
      const { client, sent } = rejectTimes(1);
      expect((await rejection(client.venues.create({ venue: 'Twice' }))).status).toBe(503);
      expect([sent(), await count()]).toEqual([1, before]);
    });

    it('stops waiting when the caller aborts', async () => {
      const { client, sent } = rejectTimes(1, 503, { 'Retry-After': '20' });
      const controller = new AbortController();
      const list = client.tags.list({}, { signal: controller.signal });
      setImmediate(() => controller.abort(new Error('gone')));
      await expect(list).rejects.toThrow('gone');
      expect(sent()).toBe(1);
    });
  });

  it("throws no_json or no_calendar for responses that are not the interface's", async () => {
    const fetch = async () => new Response('<html>Welcome</html>');
    const page = await rejection(clientOf({ fetch }).events.list());
    expect([page.status, page.code, page.message]).toEqual([200, 'no_json', 'Answered 200 without JSON.']);
    for (const body of ['null', '[]', '{}', '"x"', '{"events":null}', '{"events":[]}', '{"code":"x"}']) {
      const other = clientOf({ fetch: async () => new Response(body) }).events;
      const rejections = [await rejection(other.list()), await rejection(other.get(1))];
      rejections.push(await rejection(other.all().next()), await rejection(other.bySlug('..')));
      const code = /^[n"]/.test(body) ? 'no_json' : 'no_calendar';
      expect([body, ...rejections.map((one) => one.code)]).toEqual([body, code, code, code, code]);
    }
    const withoutMessage = async () => Response.json({ code: 'x' }, { status: 400 });
    expect((await rejection(clientOf({ fetch: withoutMessage }).events.list())).message).toBe('x');
    // Following a redirect would turn a write into a GET.
    const elsewhere = async ({ redirect, method }: Request) =>
      redirect === 'manual'
        ? new Response('Moved', { status: 301, headers: { Location: 'https://example.org/' } })
        : Response.json({ id: 1, method });
    const { venues } = clientOf({ fetch: elsewhere });
    expect((await rejection(venues.create({ venue: 'x' }))).status).toBe(301);
    expect((await venues.get(1)).id).toBe(1);
  });
});
