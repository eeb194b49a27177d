import { request as httpRequest, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { ClientDisconnected, runFor } from '../src/common/context/abort.js';
import { Database } from '../src/database/database.js';
import { Transactions } from '../src/database/transactions.js';
import { SettingsService } from '../src/wordpress/options/settings.service.js';
import { credentials } from './support/calendar-client.js';
import { census } from './support/event-rows.js';
import { type RawRequest, rawRequest } from './support/raw-request.js';
import { describeEither } from './support/sites.js';
import { EVENT, openWriteFixture, type WriteFixture } from './support/write-fixture.js';

const BASE = '/cal/events/v1';
const MB = 1024 * 1024;
const JSON_TYPE = { 'Content-Type': 'application/json' };

describeEither('limits', (database) => {
  let fixture: WriteFixture;
  beforeAll(async () => {
    fixture = await openWriteFixture(database, undefined, { BODY_LIMIT: '1mb' });
  });
  afterAll(() => fixture?.close());

  const rejection = async (request: RawRequest): Promise<string> => {
    const before = await census(fixture.ask);
    const reply = await rawRequest(fixture.app.url, {
      method: 'POST',
      ...request,
      path: BASE + request.path,
    });
    expect(await census(fixture.ask)).toEqual(before);
    const error = JSON.parse(reply.text);
    return [reply.status, error.code, ...Object.keys(error.data.params ?? {})].join(' ');
  };
  const admin = { ...credentials('admin'), ...JSON_TYPE };

  describe('request bodies', () => {
    it('a body whose Content-Length exceeds BODY_LIMIT gets 413 before it is sent', async () => {
      const socket = await openConnection(fixture.app.url);
      socket.write(head('POST', '/events', { ...admin, 'Content-Length': String(MB + 1) }));
      expect(await firstLine(socket)).toBe('HTTP/1.1 413 Payload Too Large');
      socket.destroy();
    });

    it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'GET'])(
      'a %s body over BODY_LIMIT gets 413',
      async (method) => {
        const path = method === 'POST' ? '/events' : '/events/53';
        expect(await rejection({ method, path, headers: admin, body: 'x'.repeat(MB + 1) })).toBe(
          '413 rest_content_too_large',
        );
      },
    );

    it('a chunked body gets 413 as soon as it exceeds BODY_LIMIT', async () => {
      const reply = await sendChunks(fixture.app.url, '/venues', admin, Buffer.alloc(64 * 1024, 'x'), 40);
      expect(reply).toBe(413);
    });

    it.each(['/events', '/nothing'])(
      'a client that goes on sending receives the response before the connection closes: %s',
      async (path) => {
        for (const sender of [{}, admin]) {
          const socket = await openConnection(fixture.app.url);
          const line = firstLine(socket);
          const closed = new Promise((resolve) => socket.once('close', resolve));
          const length = { 'Content-Length': String(8 * MB), Connection: 'close' };
          socket.write(head('POST', path, { ...sender, ...length }));
          socket.write(Buffer.alloc(8 * MB, 'x'));
          expect(await line).toMatch(path === '/events' ? /^HTTP\/1.1 413 / : /^HTTP\/1.1 404 /);
          await closed;
        }
      },
    );

    it('a body below BODY_LIMIT is accepted', async () => {
      const body = JSON.stringify({ ...EVENT, unknown: 'x'.repeat(MB - 200) });
      const reply = await rawRequest(fixture.app.url, {
        method: 'POST',
        path: `${BASE}/events`,
        headers: admin,
        body,
      });
      expect(reply.status).toBe(201);
    });

    it('an unknown route returns 404 before the body size is checked', async () => {
      const largeRequest = { headers: admin, body: 'x'.repeat(8 * MB) };
      expect(await rejection({ path: '/nothing', ...largeRequest })).toBe('404 rest_no_route');
      expect(await rejection({ method: 'PUT', path: '/events', ...largeRequest })).toBe('404 rest_no_route');
    });

    it('wrong credentials return 401 before the body size is checked', async () => {
      const headers = { Authorization: `Basic ${btoa('admin:wrong')}`, ...JSON_TYPE };
      expect(await rejection({ path: '/events', headers, body: 'x'.repeat(2 * MB) })).toMatch(/^401 /);
    });

    it('callers without write capabilities may send small bodies only', async () => {
      const body = JSON.stringify({ ...EVENT, description: 'x'.repeat(200_000) });
      const jsonHeaders = (caller: 'anonymous' | 'subscriber') => ({ ...credentials(caller), ...JSON_TYPE });
      for (const path of ['/events', '/events/53', '/venues', '/tags', '/categories/3'])
        expect(await rejection({ path, headers: jsonHeaders('anonymous'), body })).toBe('401 rest_forbidden');
      for (const path of ['/events', '/events/53', '/venues', '/tags'])
        expect(await rejection({ path, headers: jsonHeaders('subscriber'), body })).toBe(
          '403 rest_forbidden',
        );
      // The limit holds for chunked bodies too.
      const chunk = Buffer.alloc(64 * 1024, 'x');
      for (const [caller, status] of [
        ['anonymous', 401],
        ['subscriber', 403],
      ] as const)
        expect([caller, await sendChunks(fixture.app.url, '/venues', jsonHeaders(caller), chunk, 8)]).toEqual(
          [caller, status],
        );
      // A small body is validated before permissions, as recorded.
      expect(await rejection({ path: '/events', headers: jsonHeaders('anonymous'), body: '{}' })).toBe(
        '400 rest_missing_callback_param 0 1 2',
      );
    });

    it('pending bodies hold a bounded amount of memory, and further ones get 503', async () => {
      const sockets = await Promise.all(Array.from({ length: 70 }, () => openConnection(fixture.app.url)));
      const length = { ...admin, 'Content-Length': String(MB) };
      for (const socket of sockets) socket.write(head('POST', '/events', length));
      for (const socket of sockets) socket.write('x'.repeat(MB - 1));
      const rejectionOfBody = sockets.map(firstLine);
      expect(await Promise.race(rejectionOfBody)).toBe('HTTP/1.1 503 Service Unavailable');
      for (const socket of sockets) socket.destroy();
      await Promise.allSettled(rejectionOfBody);
      const created = async () => (await fixture.send('admin', 'POST', '/events', EVENT)).status;
      // The server notices the closed connections one after another.
      while ((await created()) !== 201) await sleep(100);
    });
  });

  describe('parameters', () => {
    const json = (path: string, body: unknown, method = 'POST') =>
      rejection({ method, path, headers: admin, body: JSON.stringify(body) });

    it.each([
      ['title', 'x'.repeat(10_001)],
      ['description', 'x'.repeat(500_001)],
      ['excerpt', 'x'.repeat(500_001)],
      ['slug', 'x'.repeat(2001)],
      ['timezone', 'x'.repeat(2001)],
      ['start_date', '+1 day '.repeat(300)],
      ['cost', '1, '.repeat(700)],
      ['cost', Array(1001).fill(1)],
      ['website', `http://x.y/${'z'.repeat(2000)}`],
      ['tags', Array(1001).fill('a')],
      ['tags', 'a,'.repeat(1001)],
      ['categories', ['x'.repeat(500_001)]],
      ['venue', Array(1001).fill(9)],
      ['organizer', '8,'.repeat(1001)],
    ])('an overlong %s of an event returns 400', async (name, value) => {
      expect(await json('/events', { ...EVENT, [name]: value })).toBe(`400 rest_invalid_param ${name}`);
      expect(await json('/events/53', { [name]: value }, 'PUT')).toBe(`400 rest_invalid_param ${name}`);
    });

    it('all overlong parameters are named', async () => {
      const body = { ...EVENT, title: 'x'.repeat(10_001), slug: 'x'.repeat(2001) };
      expect(await json('/events', body)).toBe('400 rest_invalid_param title slug');
    });

    it.each([
      ['/venues', 'venue', 10_000],
      ['/venues', 'description', 500_000],
      ['/venues', 'city', 2000],
      ['/organizers', 'organizer', 10_000],
      ['/organizers', 'email', 2000],
      ['/tags', 'name', 2000],
      ['/categories', 'description', 500_000],
      ['/categories', 'slug', 2000],
    ])('on %s an overlong %s returns 400', async (path, name, maxLength) => {
      const body = { venue: 'v', organizer: 'o', name: 'n', [name]: 'x'.repeat(maxLength + 1) };
      expect(await json(path, body)).toBe(`400 rest_invalid_param ${name}`);
    });

    it('an overlong field of an inline record returns 400', async () => {
      const venue = { venue: 'V', city: 'x'.repeat(2001) };
      expect(await json('/events', { ...EVENT, venue })).toBe('400 rest_invalid_param venue');
    });

    it.each([
      ['/events', { include: Array(1001).fill(1) }, 'include'],
      ['/events', { tags: 'a,'.repeat(1001) }, 'tags'],
      ['/events', { tags: 'a%2C'.repeat(1001) }, 'tags'],
      ['/events', { categories: ['x'.repeat(2001)] }, 'categories'],
      ['/events', { start_date: '+1 day '.repeat(10_000) }, 'start_date'],
      ['/events', { venue: Array(1001).fill(9) }, 'venue'],
      ['/tags', { exclude: Array(1001).fill(20) }, 'exclude'],
      ['/venues', { status: Array(1001).fill('publish') }, 'status'],
    ])('an overlong list parameter of %s returns 400 %#', async (path, body, name) => {
      expect(await json(path, body, 'GET')).toBe(`400 rest_invalid_param ${name}`);
    });

    it('JSON with too many values or levels returns 400 and names the member', async () => {
      const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
      const rejectionOfBody = (body: string) => rejection({ path: '/events', headers: admin, body });
      expect(await rejectionOfBody(`{"title":"x","cost":${nested(64)}}`)).toBe('400 rest_invalid_param cost');
      expect(await rejectionOfBody(`{"a":1,"tags":[${'1,'.repeat(20_000)}1]}`)).toBe(
        '400 rest_invalid_param tags',
      );
      expect(await rejectionOfBody(`{"a":[${'{},'.repeat(20_000)}{}]}`)).toBe('400 rest_invalid_param a');
      expect(await rejectionOfBody(`[${'1,'.repeat(20_001)}1]`)).toBe('400 rest_invalid_param body');
      expect(await rejectionOfBody('['.repeat(500_000))).toBe('400 rest_invalid_param body');
      // Brackets inside strings do not nest.
      const body = JSON.stringify({ ...EVENT, description: `"[{\\${'['.repeat(100)}` });
      expect(
        (await rawRequest(fixture.app.url, { method: 'POST', path: `${BASE}/events`, headers: admin, body }))
          .status,
      ).toBe(201);
    });

    it('values of maximum length are accepted', async () => {
      const sent = { ...EVENT, title: 'x'.repeat(10_000), description: 'word '.repeat(100_000) };
      const { status, body } = await fixture.send('author', 'POST', '/events', sent);
      expect([status, String(body['title']).length]).toEqual([201, 10_000]);
    });
  });

  describe('disconnected clients', () => {
    it('abort queries of their own, not shared work', async () => {
      const settings = fixture.app.nest.get(SettingsService, { strict: false });
      const database = fixture.app.nest.get(Database, { strict: false });
      const abortedState = { aborted: true };
      settings.forget();
      expect(await runFor(abortedState, () => settings.current())).toMatchObject({
        links: { permalinkStructure: '/%postname%/' },
      });
      await expect(runFor(abortedState, () => database.query(sql`SELECT 1`))).rejects.toThrow(
        ClientDisconnected,
      );
    });

    it('lose writes that still wait for the write lock', async () => {
      const release = await holdWriteLock(fixture);
      const before = await census(fixture.ask);
      const body = JSON.stringify({ venue: 'Given up' });
      const disconnected = new Promise((resolve) =>
        (fixture.app.nest.getHttpServer() as Server).once('request', (_, response) =>
          response.once('close', resolve),
        ),
      );
      const sent = httpRequest(`${fixture.app.url}${BASE}/venues`, { method: 'POST', headers: admin });
      sent.on('error', () => undefined);
      sent.end(body);
      await sleep(500);
      sent.destroy();
      await disconnected;
      release();
      await fixture.app.nest.get(Transactions).run(async () => undefined);
      expect(await census(fixture.ask)).toEqual(before);
    });
  });
});

/** Holds the write lock until the returned function is called. */
async function holdWriteLock({ app }: WriteFixture): Promise<() => void> {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await new Promise<void>((started) => {
    void app.nest.get(Transactions).run(async () => {
      started();
      await released;
    });
  });
  return release;
}

function openConnection(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => resolve(socket));
    socket.on('error', () => undefined);
  });
}

function head(method: string, path: string, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${BASE}${path} HTTP/1.1\r\nHost: x\r\n${lines.join('')}\r\n`;
}

function firstLine(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    socket.once('data', (data: Buffer) => resolve(data.toString('latin1').split('\r\n', 1)[0] ?? ''));
    socket.once('close', () => reject(new Error('closed without a response')));
  });
}

/** Sends chunks one after another; the status of the response. */
function sendChunks(
  url: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  chunk: Buffer,
  times: number,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(url + BASE + path, { method: 'POST', headers }, (reply) => {
      resolve(reply.statusCode ?? 0);
      reply.resume();
    });
    sent.on('error', reject);
    for (let n = 0; n < times; n++) sent.write(chunk);
    sent.end();
  });
}
