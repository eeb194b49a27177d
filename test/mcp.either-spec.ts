import { once } from 'node:events';
import { createServer, request as httpRequest, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import DressCodeModule from '../examples/dress-code/src/dress-code.module.js';
import { startApp, type TestApp } from './support/app.js';
import { basic } from './support/calendar-client.js';
import { freePort } from './support/free-port.js';
import {
  type McpClient,
  type McpProcess,
  overHttp,
  overStdio,
  rejectedStart,
  startMcpServer,
} from './support/mcp-server.js';
import { loadRecording } from './support/replay.js';
import { describeEither, makeSite, type Site } from './support/sites.js';

const { users } = loadRecording('site-a/write');
const login = (role: string) => users[role] ?? { login: '', password: '' };

const DAY = { start_date: '2091-06-01 18:00:00', end_date: '2091-06-01 20:30:00', timezone: 'Europe/Berlin' };
const READS = [
  'calendar_info',
  'find_events',
  'get_event',
  'find_venues',
  'get_venue',
  'find_organizers',
  'get_organizer',
  'find_categories',
  'find_tags',
];
const WRITES = ['event', 'venue', 'organizer'].flatMap((one) => [
  `create_${one}`,
  `update_${one}`,
  `trash_${one}`,
]);

type Item = Record<string, unknown> & { id: number };

describeEither('almanac-mcp', (database) => {
  let site: Site;
  let app: TestApp;
  const open: McpClient[] = [];
  const connect = async (role?: string, ...words: string[]) => {
    const { login: user, password } = login(role ?? '');
    const env: Record<string, string> = role ? { ALMANAC_USER: user, ALMANAC_PASSWORD: password } : {};
    const client = await overStdio(['--url', app.url, ...words], env);
    open.push(client);
    return client;
  };
  /** Rows of every table that holds records, so that a write that should not be is noticed. */
  const countRows = async () => {
    const [{ count } = { count: 0 }] = await app.dataSource.query('SELECT COUNT(*) AS count FROM wp_posts');
    return Number(count);
  };

  beforeAll(async () => {
    site = await makeSite(database);
    app = await startApp({
      databaseUrl: site.url,
      env: { RATE_LIMIT: 'off', RECURRENCE: 'on' },
      plugins: [DressCodeModule],
    });
  });
  afterAll(async () => {
    for (const client of open) await client.close();
    await app?.close();
    await site?.drop();
  });

  it('describes its tools by the OpenAPI document, with fields of plugins', async () => {
    const { client } = await connect();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual([...READS, ...WRITES].sort());
    const byName = new Map(tools.map((tool) => [tool.name, tool]));
    expect(byName.get('find_events')?.inputSchema.properties).toMatchObject({
      search: { type: 'string', description: 'Text in title, excerpt or description.' },
      dress_code: { type: 'string', description: expect.any(String) },
    });
    const create = byName.get('create_event');
    expect(create?.inputSchema).toMatchObject({
      required: ['title', 'start_date', 'end_date'],
      properties: { dress_code: { type: ['string', 'null'] }, venue: { type: 'array' } },
    });
    expect(create?.description).toMatch(/^Create one event\. Needs `edit_tribe_events`;/);
    expect(JSON.stringify(tools)).not.toContain('$ref');
    const hints = tools.map(({ name, annotations }) => [
      name,
      annotations?.readOnlyHint,
      annotations?.destructiveHint,
    ]);
    expect(hints.filter(([, reads]) => reads).map(([name]) => name)).toEqual(READS);
    expect(hints.filter(([, , destroys]) => destroys).map(([name]) => name)).toEqual(
      WRITES.filter((name) => !name.startsWith('create')),
    );
  });

  it('creates, finds, reads, changes, trashes and restores records', async () => {
    const { call } = await connect('editor');
    const { data: venueData } = await call('create_venue', { venue: 'Rope Loft & Yard', city: 'Bremen' });
    const venue = venueData['venue'] as Item;
    expect(venue).toMatchObject({ venue: 'Rope Loft & Yard', city: 'Bremen', status: 'publish' });
    const { data: organizerData } = await call('create_organizer', {
      organizer: 'Riggers',
      email: 'r@example.org',
    });
    const organizer = organizerData['organizer'] as Item;
    const { data: created } = await call('create_event', {
      ...DAY,
      title: 'Knots & bends',
      description: `<p>${'Reef knots. '.repeat(40)}</p>`,
      venue: [venue.id],
      organizer: [organizer.id],
      categories: ['Workshops'],
      tags: ['rope'],
      dress_code: 'Boots',
    });
    const event = created['event'] as Item;
    expect(event).toMatchObject({
      title: 'Knots & bends',
      start_date: '2091-06-01T18:00:00+02:00',
      end_date: '2091-06-01T20:30:00+02:00',
      timezone: 'Europe/Berlin',
      dress_code: 'Boots',
      venue: { id: venue.id, city: 'Bremen' },
      organizer: [{ id: organizer.id, organizer: 'Riggers' }],
      categories: [{ name: 'Workshops' }],
    });

    const [category] = event['categories'] as Item[];
    const filters = [
      { search: 'bends' },
      { venue: [venue.id] },
      { organizer: [organizer.id] },
      { categories: [category?.id], search: 'Knots' },
      { tags: ['rope'] },
      { dress_code: 'boots' },
    ];
    const dates = { start_date: '2091-06-01', end_date: '2091-06-02' };
    for (const filter of filters) {
      const { data } = await call('find_events', { ...dates, ...filter });
      expect([filter, data['total'], (data['events'] as Item[])[0]?.id]).toEqual([filter, 1, event.id]);
      expect(JSON.stringify(data).length).toBeLessThan(1500);
    }
    expect((await call('find_events', { ...dates, search: 'bends', dress_code: 'tie' })).data['total']).toBe(
      0,
    );

    const read = (await call('get_event', { id: event.id })).data['event'] as Item;
    expect(read['description']).toMatch(/^<p>(Reef knots\. ?){40}<\/p>/);
    const { data: moved } = await call('update_event', {
      id: event.id,
      title: 'Knots',
      end_date: '2091-06-01 21:00:00',
    });
    expect(moved['event']).toMatchObject({
      title: 'Knots',
      end_date: '2091-06-01T21:00:00+02:00',
      dress_code: 'Boots',
    });
    expect((await call('update_venue', { id: venue.id, city: 'Kiel' })).data['venue']).toMatchObject({
      city: 'Kiel',
    });
    expect((await call('get_venue', { id: venue.id })).data['venue']).toMatchObject({ city: 'Kiel' });
    expect((await call('find_venues', { search: 'Kiel' })).data).toMatchObject({
      venues: [{ id: venue.id }],
      total: 1,
    });
    await call('update_organizer', { id: organizer.id, phone: '5' });
    expect((await call('get_organizer', { id: organizer.id })).data['organizer']).toMatchObject({
      phone: '5',
    });
    expect((await call('find_organizers', { search: 'Riggers' })).data['total']).toBe(1);
    expect((await call('find_categories', { search: 'Workshops' })).data['categories']).toMatchObject([
      { name: 'Workshops', count: 1 },
    ]);
    expect((await call('find_tags', { search: 'rope' })).data['tags']).toMatchObject([{ name: 'rope' }]);

    for (const [one, { id }] of Object.entries({ event, venue, organizer })) {
      expect((await call(`trash_${one}`, { id })).data[one]).toMatchObject({ id, status: 'trash' });
      expect((await call(`update_${one}`, { id, status: 'publish' })).data[one]).toMatchObject({
        status: 'publish',
      });
    }
  });

  it('writes recurring events, and their dates as scope says', async () => {
    const { call } = await connect('editor');
    const recurrence = { rrule: ['FREQ=WEEKLY;COUNT=4'] };
    const { data } = await call('create_event', { ...DAY, title: 'Choir practice', recurrence });
    const { id } = data['event'] as Item;
    const found = await call('find_events', { search: 'Choir practice', start_date: '2091-06-01' });
    const dates = (found.data['events'] as Item[]).map((event) => event.id);
    expect(dates).toHaveLength(4);
    expect((await call('get_event', { id })).data['event']).toMatchObject({
      recurrence: { rrule: recurrence.rrule, occurrence_ids: dates },
    });
    await call('trash_event', { id: dates[2], scope: 'following' });
    const left = await call('find_events', { search: 'Choir practice', start_date: '2091-06-01' });
    expect(left.data['total']).toBe(2);
    const wrong = await call('trash_event', { id, scope: 'some' });
    expect([wrong.isError, wrong.data['code'], Object.keys(wrong.data['params'] ?? {})]).toEqual([
      true,
      'rest_invalid_param',
      ['scope'],
    ]);
  });

  it('pages through lists by next_page', async () => {
    const { call } = await connect();
    const first = await call('find_events', { start_date: '2000-01-01', per_page: 2 });
    expect(first.data).toMatchObject({ next_page: 2 });
    const second = await call('find_events', { start_date: '2000-01-01', per_page: 2, page: 2 });
    const ids = [first, second].flatMap(({ data }) => (data['events'] as Item[]).map(({ id }) => id));
    expect(new Set(ids).size).toBe(4);
    const all = await call('find_events', { start_date: '2000-01-01', per_page: 50 });
    expect(JSON.parse(all.text)).toEqual(all.data);
  });

  it('says what the calendar is and who is signed in', async () => {
    const anonymous = await (await connect()).call('calendar_info');
    expect(anonymous.data).toMatchObject({
      name: expect.any(String),
      signed_in_as: null,
      utc_time: expect.any(String),
    });
    const editor = await (await connect('editor')).call('calendar_info');
    expect(editor.data).toMatchObject({
      roles: ['editor'],
      may: { create_events: true, trash_events: true },
    });
    const subscriber = await (await connect('subscriber')).call('calendar_info');
    expect(subscriber.data).toMatchObject({ roles: ['subscriber'], may: { create_events: false } });
  });

  it("passes on the calendar's errors with status, code and parameters, and nothing is written", async () => {
    const [anonymous, subscriber, editor] = [
      await connect(),
      await connect('subscriber'),
      await connect('editor'),
    ];
    const wrong = await overStdio(['--url', app.url, '--user', 'admin'], { ALMANAC_PASSWORD: 'no' });
    open.push(wrong);
    const before = await countRows();
    const event = { ...DAY, title: 'Never' };
    const cases: [McpClient, string, object, number, string, string[]][] = [
      [anonymous, 'create_event', event, 401, 'rest_forbidden', []],
      [wrong, 'find_events', {}, 401, 'incorrect_password', []],
      [wrong, 'calendar_info', {}, 401, 'incorrect_password', []],
      [subscriber, 'create_event', event, 403, 'rest_forbidden', []],
      [subscriber, 'create_venue', { venue: 'x' }, 403, 'rest_forbidden', []],
      [editor, 'create_event', { ...event, end_date: 'late' }, 400, 'rest_invalid_param', ['end_date']],
      [
        editor,
        'create_event',
        { title: 'x' },
        400,
        'rest_missing_callback_param',
        ['start_date', 'end_date'],
      ],
      [editor, 'create_organizer', {}, 400, 'rest_missing_callback_param', ['organizer']],
      [
        editor,
        'create_event',
        { ...event, dress_code: 'x'.repeat(200) },
        400,
        'rest_invalid_param',
        ['dress_code'],
      ],
      [editor, 'find_events', { per_page: 'many' }, 400, 'rest_invalid_param', ['per_page']],
      [anonymous, 'get_event', { id: 99_999_999 }, 404, 'rest-event-not-found', []],
    ];
    for (const [{ call }, tool, args, status, code, params] of cases) {
      const { isError, data, text } = await call(tool, args);
      expect([tool, isError, data['status'], data['code'], Object.keys(data['params'] ?? {})]).toEqual([
        tool,
        true,
        status,
        code,
        params,
      ]);
      expect(text).toMatch(new RegExp(`^${code} \\(${status}\\): .`));
    }
    expect(await countRows()).toBe(before);
  });

  it('rejects hostile arguments, and nothing is written', async () => {
    const { call, client } = await connect('admin');
    const before = await countRows();
    const cases: [string, object, string][] = [
      ['get_event', { id: '../venues/1' }, 'rest_invalid_param'],
      ['trash_event', { id: -1 }, 'rest_invalid_param'],
      ['trash_event', { id: 1.5 }, 'rest_invalid_param'],
      ['trash_event', {}, 'rest_invalid_param'],
      ['trash_event', { id: { $gt: 0 } }, 'rest_invalid_param'],
      // The SDK drops the name.
      ['update_event', JSON.parse('{"id":99999999,"__proto__":{"title":"x"}}'), 'rest-event-not-found'],
      ['update_event', { id: 1, constructor: 'x' }, 'unknown_argument'],
      ['create_event', { ...DAY, titel: 'x' }, 'unknown_argument'],
      ['create_event', { ...DAY, title: 'x', password: 'x' }, 'unknown_argument'],
      ['find_events', { _envelope: true }, 'unknown_argument'],
      ['find_events', { search: { a: [{}] } }, 'invalid_arguments'],
      [
        'create_event',
        { ...DAY, title: 'x', start_date: '2091-06-01T18:00:00Z', timezone: '' },
        'date_with_offset',
      ],
      [
        'create_event',
        { ...DAY, title: 'x', start_date: '2091-06-01T18:00:00Z', timezone: 'Mars' },
        'date_with_offset',
      ],
    ];
    for (const [tool, args, code] of cases) {
      const { isError, data } = await call(tool, args);
      expect([tool, args, isError, data['code']]).toEqual([tool, args, true, code]);
    }
    await expect(client.callTool({ name: 'drop_tables' })).rejects.toThrow(/Unknown tool: drop_tables/);
    expect(await countRows()).toBe(before);
  });

  it('writes dates with an offset as local times of the named zone', async () => {
    const { call } = await connect('editor');
    const dates = {
      start_date: '2091-06-01T18:00:00Z',
      end_date: '2091-06-01T16:00:00-04:00',
      timezone: 'Asia/Tokyo',
    };
    const { data } = await call('create_event', { ...dates, title: 'Far away' });
    expect(data['event']).toMatchObject({
      start_date: '2091-06-02T03:00:00+09:00',
      end_date: '2091-06-02T05:00:00+09:00',
    });
    await call('trash_event', { id: (data['event'] as Item).id });
  });

  it('offers no tool that writes with --read-only', async () => {
    const { client, call } = await connect('admin', '--read-only');
    const before = await countRows();
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(READS);
    for (const name of WRITES)
      await expect(call(name, { id: 1, ...DAY, title: 'x' })).rejects.toThrow(/Unknown tool/);
    expect((await call('find_events', { start_date: '2000-01-01' })).isError).toBe(false);
    expect(await countRows()).toBe(before);
  });

  it('reports a calendar that is not there, or that names another server', async () => {
    const other = await listening((_, response) =>
      response.end(JSON.stringify({ openapi: '3.1.0', servers: [{ url: `${app.url}/cal/events/v1` }] })),
    );
    for (const [url, code, error] of [
      [
        `http://127.0.0.1:${await freePort()}`,
        'unreachable',
        /^unreachable \(502\): The calendar was not reached \(ECONNREFUSED\)\./,
      ],
      [other.url, 'no_calendar', /^no_calendar \(502\)/],
    ] as const) {
      const client = await overStdio(['--url', url]);
      open.push(client);
      const { data, text } = await client.call('find_events');
      expect(data['code']).toBe(code);
      expect(text).toMatch(error);
      await expect(client.client.listTools()).rejects.toThrow(code);
    }
    await other.close();
  });

  it('does not read a description without an end', async () => {
    const closed: Promise<unknown>[] = [];
    const endless = await listening((_, response) => {
      const send = () => {
        while (!response.destroyed && response.write(' '.repeat(1_000_000)));
      };
      closed.push(once(response, 'close'));
      response.on('drain', send);
      send();
    });
    const client = await overStdio(['--url', endless.url]);
    open.push(client);
    expect((await client.call('find_events')).data['code']).toBe('no_calendar');
    // Two addresses were tried.
    expect(closed).toHaveLength(2);
    await Promise.all(closed);
    await endless.close();
  });

  it.each([
    [['--url', 'ftp://example.org'], {}, /http or https/],
    [['--url', 'https://a:b@example.org'], {}, /without a login/],
    [[], {}, /required option '--url/],
    [['--url', 'https://example.org', '--user', 'ida'], {}, /ALMANAC_PASSWORD/],
    [['--url', 'https://example.org', '--http'], { ALMANAC_TOKEN: 'x' }, /every caller sends a login/],
    [['--url', 'https://example.org', '--http', '--host', '0.0.0.0'], {}, /--allow-host/],
    [['--url', 'https://example.org', '--http', '99999'], {}, /port number/],
  ])('does not start with %j', async (words, env, message) => {
    const { code, text } = await rejectedStart(words, env);
    expect(code).toBe(1);
    expect(text).toMatch(message);
  });

  describe('over HTTP', () => {
    let server: McpProcess;
    const call = (role?: string) => {
      const { login: user, password } = login(role ?? '');
      return overHttp(server.url, role ? basic(user, password) : {});
    };
    beforeAll(async () => {
      server = await startMcpServer(['--url', app.url, '--allow-origin', 'https://chat.example.org']);
    });
    afterAll(() => server?.stop());

    it('speaks for the caller of each request, and keeps no login', async () => {
      const [editor, anonymous, subscriber] = [await call('editor'), await call(), await call('subscriber')];
      const clients = [editor, anonymous, subscriber, await call('admin')];
      const askAll = () =>
        Promise.all(clients.map(async (one) => (await one.call('calendar_info')).data['roles']));
      for (let round = 0; round < 3; round++)
        expect(await askAll()).toEqual([['editor'], undefined, ['subscriber'], ['administrator']]);
      const before = await countRows();
      const event = { ...DAY, title: 'Over HTTP' };
      const { data } = await editor.call('create_event', event);
      expect(data['event']).toMatchObject({ title: 'Over HTTP' });
      expect((await anonymous.call('create_event', event)).data).toMatchObject({ status: 401 });
      expect((await subscriber.call('create_event', event)).data).toMatchObject({ status: 403 });
      expect(await countRows()).toBe(before + 1);
      const { id } = data['event'] as Item;
      expect((await anonymous.call('trash_event', { id })).data).toMatchObject({ status: 401 });
      expect((await editor.call('trash_event', { id })).isError).toBe(false);
      for (const one of clients) await one.close();
    });

    /** Sends one message as given; `fetch` sets `Host` and `Origin` itself. */
    const send = (options: {
      url?: string;
      method?: string;
      path?: string;
      headers?: Record<string, string>;
      body?: string;
    }) =>
      new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: string }>(
        (resolve, reject) => {
          const { method = 'POST', path = '/mcp', headers = {}, body = LIST } = options;
          const { hostname, port } = new URL(options.url ?? server.url);
          const sent = httpRequest(
            { hostname, port, method, path, headers: { ...JSON_HEADERS, ...headers } },
            (response) => {
              const chunks: Buffer[] = [];
              response.on('data', (chunk) => chunks.push(chunk));
              response.on('end', () =>
                resolve({
                  status: response.statusCode ?? 0,
                  headers: response.headers,
                  body: Buffer.concat(chunks).toString(),
                }),
              );
            },
          );
          sent.on('error', reject);
          sent.end(body);
        },
      );

    it('rejects foreign hosts and origins, other paths and methods, batches and large bodies', async () => {
      const cases: [Parameters<typeof send>[0], number][] = [
        [{}, 200],
        [{ headers: { Host: 'localhost:1' } }, 200],
        [{ headers: { Host: 'rebound.example.org' } }, 403],
        [{ headers: { Host: 'localhost.example.org' } }, 403],
        [{ headers: { Host: 'bad host' } }, 403],
        [{ headers: { Origin: 'https://evil.example.org' } }, 403],
        [{ headers: { Origin: 'null' } }, 403],
        [{ headers: { Origin: 'https://chat.example.org' } }, 200],
        [{ path: '/' }, 404],
        [{ path: '/mcp/../mcp' }, 404],
        [{ method: 'GET' }, 405],
        [{ method: 'DELETE' }, 405],
        [{ body: `[${LIST},${LIST}]` }, 400],
        [{ body: '{' }, 400],
        [{ body: '{}' }, 400],
        [{ body: 'null' }, 400],
        [{ body: `"${'x'.repeat(1_100_000)}"` }, 413],
        [{ headers: { 'Content-Type': 'text/plain' } }, 415],
      ];
      for (const [options, status] of cases) {
        const answer = await send(options);
        expect([
          options.headers ?? options.path ?? options.method ?? options.body?.slice(0, 9),
          answer.status,
        ]).toEqual([options.headers ?? options.path ?? options.method ?? options.body?.slice(0, 9), status]);
        expect(JSON.parse(answer.body)).toMatchObject(status === 200 ? { result: {} } : { error: {} });
      }
      const origin = { Origin: 'https://chat.example.org' };
      const preflight = await send({ method: 'OPTIONS', headers: origin, body: '' });
      expect([preflight.status, preflight.headers['access-control-allow-origin']]).toEqual([
        204,
        origin.Origin,
      ]);
      expect((await send({})).headers).not.toHaveProperty('access-control-allow-origin');
    });

    it('answers 503 while 64 requests wait for the calendar, and serves again afterwards', async () => {
      const waiting: ServerResponse[] = [];
      const stalling = await listening((_, response) => waiting.push(response));
      const { url, stop } = await startMcpServer(['--url', stalling.url]);
      const sent = Array.from({ length: 64 }, () => send({ url }));
      while ((await send({ url, body: '{' })).status !== 503);
      const busy = await send({ url });
      expect([busy.status, busy.headers['retry-after']]).toEqual([503, '1']);
      // All wait for one description.
      expect(waiting).toHaveLength(1);
      for (const response of waiting) response.writeHead(500).end();
      while (waiting.length < 2) await new Promise(setImmediate);
      waiting[1]?.writeHead(500).end();
      expect(new Set((await Promise.all(sent)).map(({ status }) => status))).toEqual(new Set([200]));
      expect((await send({ url, body: '{' })).status).toBe(400);
      await stop();
      await stalling.close();
    });
  });
});

const LIST = '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}';
const JSON_HEADERS = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };

/** A server on a free port. */
async function listening(listener: RequestListener): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
