import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { Controller, Get, Logger, Module } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Clock, Database, EventsService } from 'almanac';
import { startTestServer, type TestServer } from 'almanac/testing';
import { query } from './support/own-mariadb.js';
import { describeDatabase, makeEmpty } from './support/sites.js';

const EVENTS = '/cal/events/v1/events';

interface EventList {
  total: number;
  events: { id: number; title: string; start_date: string; date: string }[];
}

/** Lists the folders of this process's test servers; other workers start such servers, too. */
const folders = () =>
  readdirSync(tmpdir()).filter((name) => name.startsWith(`almanac-plugin-${process.pid}-`));

describe('the server for tests of plugins', () => {
  let server: TestServer | undefined;
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });

  it('has an empty calendar that only the administrator may write', async () => {
    server = await startTestServer();
    const concert = { title: 'Concert', start_date: '2030-01-20 20:00:00', end_date: '2030-01-20 22:00:00' };
    expect((await server.get<EventList>(EVENTS)).body.total).toBe(0);
    expect(await server.post(EVENTS, concert)).toMatchObject({
      status: 401,
      body: { code: 'rest_forbidden' },
    });
    const admin = server.asAdmin();
    const { status, body } = await admin.post<{ id: number; date: string }>(EVENTS, concert);
    expect([status, body.date]).toEqual([201, '2030-01-15 12:00:00']);
    const { body: changed } = await admin.put(`${EVENTS}/${body.id}`, { title: 'Late concert' });
    expect(changed).toMatchObject({ title: 'Late concert', modified: '2030-01-15 12:00:00' });
    expect((await admin.delete(`${EVENTS}/${body.id}`)).status).toBe(200);
    expect((await server.get<EventList>(EVENTS)).body.total).toBe(0);
  });

  it('accepts the demo calendar around a date, further plugins and variables', async () => {
    @Module({})
    class Extra {}
    const env = { API_NAMESPACES: 'other/v1' };
    server = await startTestServer({ demo: true, now: '2041-05-06T07:08:09Z', plugins: [Extra], env });
    const { body } = await server.get<EventList>('/other/v1/events');
    expect(body.total).toBeGreaterThan(10);
    expect(body.events[0]?.start_date).toMatch(/^2041-05-0/);
    expect(server.app.get(EventsService)).toBeInstanceOf(EventsService);
    expect(server.app.get(Extra)).toBeInstanceOf(Extra);
  });

  it('applies the option configure', async () => {
    @Controller('seats')
    class SeatsController {
      @Get() list() {
        return ['A1'];
      }
    }
    @Module({ controllers: [SeatsController] })
    class SeatsModule {}
    const configure = (app: NestExpressApplication) => app.setGlobalPrefix('api');
    server = await startTestServer({ plugins: [SeatsModule], configure });
    expect((await server.get('/api/seats')).body).toEqual(['A1']);
    expect((await server.get('/seats')).status).toBe(404);
  });

  it('sends requests as users with one role each', async () => {
    server = await startTestServer();
    const concert = { title: 'Concert', start_date: '2030-01-20 20:00:00', end_date: '2030-01-20 22:00:00' };
    const status = async (role: string) => (await server?.as(role).post(EVENTS, concert))?.status;
    expect([await status('editor'), await status('subscriber')]).toEqual([201, 403]);
    const author = server.as('author');
    const { body } = await author.post<{ id: number; author: string }>(EVENTS, concert);
    const { body: other } = await server.as('editor').post<{ id: number; author: string }>(EVENTS, concert);
    expect(body.author).not.toBe(other.author);
    expect((await author.put(`${EVENTS}/${body.id}`, { title: 'Mine' })).status).toBe(200);
    expect((await author.put(`${EVENTS}/${other.id}`, { title: 'Mine' })).status).toBe(403);
    expect((await server.as('administrator').get<{ slug: string }>('/wp/v2/users/me')).body.slug).toBe(
      'admin',
    );
    await expect(server.as('conductor').get(EVENTS)).rejects.toThrow('The site has no role conductor');
  });

  it('has a clock that the test may advance and set', async () => {
    server = await startTestServer({ now: '2030-05-01T10:00:00Z' });
    const dateOf = async () => {
      const venue = { venue: 'Hall', description: String(Math.random()) };
      return (await server?.asAdmin().post<{ date: string }>('/cal/events/v1/venues', venue))?.body.date;
    };
    expect([server.clock.now(), await dateOf()]).toEqual([Date.UTC(2030, 4, 1, 10), '2030-05-01 10:00:00']);
    server.clock.advance(90_000);
    expect(await dateOf()).toBe('2030-05-01 10:01:30');
    server.clock.set('2031-01-01T00:00:00Z');
    expect(await dateOf()).toBe('2031-01-01 00:00:00');
    expect(() => server?.clock.set('tomorrow')).toThrow('"tomorrow" is no ISO date and time.');
  });

  it("does not replace a plugin's own clock and throws when the test advances it", async () => {
    class Sundial {
      static readonly replaces = [{ provide: Clock, useValue: { now: () => Date.UTC(2033, 0, 1) } }];
    }
    server = await startTestServer({ plugins: [Sundial] });
    expect(() => server?.clock.advance(1)).toThrow('A plugin replaces the clock');
  });

  it('logs to the logger of the test', async () => {
    const lines: string[] = [];
    const take = (line: unknown) => void lines.push(String(line));
    @Module({})
    class Talks {
      constructor() {
        new Logger('Talks').warn('hello');
      }
    }
    server = await startTestServer({ plugins: [Talks], logger: { log: take, warn: take, error: take } });
    expect(lines).toContain('hello');
  });

  it('removes its folder on close and after a failed start', async () => {
    expect(folders()).toEqual([]);
    server = await startTestServer();
    expect(folders()).toHaveLength(1);
    await server.close();
    server = undefined;
    expect(folders()).toEqual([]);
    await expect(startTestServer({ env: { PORT: 'x' } })).rejects.toThrow('PORT');
    expect(folders()).toEqual([]);
  });
});

describeDatabase('the server for tests of plugins', 'MariaDB', () => {
  it('creates its own database on a server and drops it on close and after a failed start', async () => {
    const empty = await makeEmpty('MariaDB');
    const names = async () => (await query(empty.url, 'SHOW DATABASES')) as { Database: string }[];
    try {
      // Other tests create databases on the same server at the same time.
      const before = new Set((await names()).map(({ Database: name }) => name));
      const added = async () =>
        (await names()).filter(
          ({ Database: name }) => !before.has(name) && /^almanac_plugin_[0-9a-f]{32}$/.test(name),
        );
      const server = await startTestServer({ database: empty.url, demo: true });
      const { dialect } = server.app.get(Database);
      expect([dialect, (await added()).length]).toEqual(['mysql', 1]);
      expect((await server.get<EventList>(EVENTS)).body.total).toBeGreaterThan(10);
      expect((await server.as('editor').post('/cal/events/v1/tags', { name: 'New' })).status).toBe(201);
      await server.close();
      expect(await added()).toEqual([]);
      await expect(startTestServer({ database: empty.url, env: { PORT: 'x' } })).rejects.toThrow('PORT');
      expect(await added()).toEqual([]);
    } finally {
      await empty.drop();
    }
  });
});
