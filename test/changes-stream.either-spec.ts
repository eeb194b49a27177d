import { request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { ChangeStreams } from '../src/changes/change-streams.service.js';
import { RequestContexts } from '../src/http/request-contexts.service.js';
import { type Caller, credentials, request } from './support/calendar-client.js';
import { type ChangesSite, openChangesSite } from './support/changes-site.js';
import { EventStreamClient } from './support/event-stream-client.js';
import { GuestModule, guest } from './support/guest-login.js';
import { describeEither } from './support/sites.js';
import { EVENT } from './support/write-fixture.js';

const CHANGES = ['created', 'updated', 'rescheduled', 'restored', 'trashed', 'deleted'];

describeEither('the stream of changes', (database) => {
  let site: ChangesSite;
  let streams: ChangeStreams;
  const open: EventStreamClient[] = [];
  beforeAll(async () => {
    site = await openChangesSite(database, {
      env: { CHANGES_STREAMS: '20', TRUST_PROXY: 'true' },
      plugins: [GuestModule],
    });
    streams = site.app.nest.get(ChangeStreams, { strict: false });
    streams.times.heartbeat = 200;
  });
  afterEach(async () => {
    for (const one of open.splice(0)) one.close();
    // The server notices a closed connection a moment later.
    while (streams.count > 0) await sleep(10);
  });
  afterAll(() => site?.close());

  async function stream(caller: Caller, query = 'since=now', headers: Record<string, string> = {}) {
    const url = `${site.app.url}/cal/events/v1/changes?${query}`;
    const client = await EventStreamClient.open(url, { ...credentials(caller), ...headers });
    open.push(client);
    return client;
  }

  const create = async (fields: object = {}) => {
    const { body } = await site.send('admin', 'POST', '/events', { ...EVENT, ...fields });
    return Number(body['id']);
  };

  it('sends each change as an event, and a sign of life while there is none', async () => {
    const client = await stream('anonymous');
    expect(client.status).toBe(200);
    expect(client.response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=UTF-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    const id = await create({ title: 'Live' });
    await site.send('admin', 'DELETE', `/events/${id}`);
    await client.until(() => client.data('trashed').length > 0);
    const last = client.data(...CHANGES).at(-1);
    expect(last).toMatchObject({ type: 'events', id, change: 'trashed', deleted: true });
    const { comments } = client;
    await client.until(() => client.comments > comments + 1);
  });

  it('sends everything first without since', async () => {
    const client = await stream('anonymous', 'types=tags&per_page=5');
    const { body } = await site.send('anonymous', 'GET', '/tags?per_page=50&hide_empty=false');
    const ids = (body['tags'] as { id: number }[]).map(({ id }) => id).toSorted((a, b) => a - b);
    await client.until(() => client.data('created').length >= ids.length);
    expect(client.data('created').map(({ id }) => id)).toEqual(ids);
  });

  it('resumes after the last event that the client has seen', async () => {
    const first = await stream('anonymous', 'since=now&types=events');
    const early = await create({ title: 'Early' });
    await first.until(() => first.data('created').length > 0);
    const { lastId = '' } = first;
    first.close();
    const late = await create({ title: 'Late' });
    const second = await stream('anonymous', 'since=now&types=events', { 'Last-Event-ID': lastId });
    await second.until(() => second.data('created').length > 0);
    expect(second.data('created').map(({ id }) => id)).toEqual([late]);
    expect(first.data('created').map(({ id }) => id)).toEqual([early]);
    const rejected = await stream('anonymous', 'since=now', { 'Last-Event-ID': 'x' });
    expect([rejected.status, (await rejected.body())['code']]).toEqual([400, 'rest_invalid_param']);
  });

  it('tells each user what that user may see', async () => {
    const [anyone, admin] = [await stream('anonymous'), await stream('admin')];
    expect(admin.response.headers['cache-control']).toContain('no-store');
    const draft = await create({ title: 'A draft', status: 'draft' });
    const open = await create({ title: 'Not a draft' });
    for (const client of [anyone, admin])
      await client.until(() => client.data('created').some(({ id }) => id === open));
    expect(admin.data('created').map(({ id }) => id)).toContain(draft);
    expect(anyone.data('created').map(({ id }) => id)).not.toContain(draft);
  });

  it('shares no page with a client that sends the token of another one', async () => {
    const editor = guest('anna', 'editor');
    const { body } = await request(site.app.url, 'GET', '/changes?since=now', editor);
    const since = `since=${body['token']}`;
    await create({ title: 'Hidden from most', status: 'draft' });
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const taken = Array.from({ length: 20 }, () => streams['readers'].run(() => gate));
    const own = stream('anonymous', since, editor);
    const others = [
      stream('anonymous', since, guest('berta', 'editor')),
      stream('anonymous', since, { 'X-Forwarded-For': '192.0.2.9' }),
    ];
    while (streams.count < 3) await sleep(10);
    // All of them wait for their page.
    await sleep(100);
    release();
    await Promise.all(taken);
    expect((await own).status).toBe(200);
    for (const client of await Promise.all(others))
      expect([client.status, (await client.body())['code']]).toEqual([410, 'sync_token_expired']);
  });

  it('rejects tokens, unknown kinds and wrong passwords as other requests do', async () => {
    const codes: unknown[] = [];
    for (const [query, headers] of [
      ['since=x', {}],
      ['types=posts', {}],
      ['since=now', { Authorization: `Basic ${Buffer.from('admin:wrong').toString('base64')}` }],
    ] as const) {
      const client = await stream('anonymous', query, headers);
      codes.push([client.status, (await client.body())['code']]);
    }
    expect(codes).toEqual([
      [400, 'rest_invalid_param'],
      [400, 'rest_invalid_param'],
      [401, 'incorrect_password'],
    ]);
  });

  it('limits the streams of an address and of the process', async () => {
    const from = (address: string) => stream('anonymous', 'since=now', { 'X-Forwarded-For': address });
    await from('192.0.2.1');
    await from('192.0.2.1');
    const third = await from('192.0.2.1');
    expect([third.status, third.response.headers['retry-after'], await third.body()]).toMatchObject([
      429,
      '10',
      { code: 'changes_streams_per_address', data: { status: 429 } },
    ]);
    for (let at = 2; at < 20; at++) await from(`192.0.2.${at}`);
    const fourth = await from('192.0.2.20');
    expect([fourth.status, fourth.response.headers['retry-after'], await fourth.body()]).toMatchObject([
      503,
      '10',
      { code: 'changes_streams_full', data: { status: 503 } },
    ]);
  });

  it('ends when the password is revoked', async () => {
    streams.times.recheck = 300;
    const client = await stream('editor');
    const [row] = await site.ask(
      "SELECT umeta_id AS id, meta_value AS value FROM wp_usermeta WHERE user_id = 2 AND meta_key = '_application_passwords'",
    );
    await site.ask(`UPDATE wp_usermeta SET meta_value = 'a:0:{}' WHERE umeta_id = ${row?.['id']}`);
    await client.until(() => client.isEnded);
    expect((await stream('editor')).status).toBe(401);
    await site.app.dataSource.query(
      `UPDATE wp_usermeta SET meta_value = '${row?.['value']}' WHERE umeta_id = ${row?.['id']}`,
    );
    streams.times.recheck = 30_000;
  });

  it('drops a client that does not read', async () => {
    streams.times.drain = 300;
    const slow = await stream('anonymous', 'since=now&types=events');
    slow.pause();
    const text = 'x'.repeat(200_000);
    // More than the buffers of the system hold.
    for (let at = 0; at < 100 && streams.count > 0; at++) {
      await create({ title: 'Long', description: text });
      await sleep(20);
    }
    expect(streams.count).toBe(0);
    streams.times.drain = 15_000;
  });

  it('holds no connection of the database, and ends when the server stops', async () => {
    const client = await stream('anonymous');
    const before = Date.now();
    const { nest } = site.app;
    const closed = nest.close();
    await client.until(() => client.isEnded);
    expect(Date.now() - before).toBeLessThan(5000);
    await closed;
  });

  it('keeps no place for a client that disconnects before the stream begins', async () => {
    const contexts = site.app.nest.get(RequestContexts, { strict: false });
    const authenticate = contexts.authenticate.bind(contexts);
    jest.spyOn(contexts, 'authenticate').mockImplementation(async (...args) => {
      await new Promise((resolve) => setTimeout(resolve, 200));
      return authenticate(...args);
    });
    const opened = jest.spyOn(streams, 'open');
    const sent = httpRequest(`${site.app.url}/cal/events/v1/changes`, {
      headers: { Accept: 'text/event-stream' },
    });
    sent.on('error', () => undefined);
    sent.end();
    setTimeout(() => sent.destroy(), 50);
    for (let tries = 0; opened.mock.results.length === 0 && tries < 500; tries++)
      await new Promise((resolve) => setTimeout(resolve, 10));
    await opened.mock.results[0]?.value;
    jest.restoreAllMocks();
    expect(streams.count).toBe(0);
  });
});
