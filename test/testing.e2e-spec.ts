import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { Controller, Get, Module } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { EventsService } from 'almanac';
import { startTestServer, type TestServer } from 'almanac/testing';

const EVENTS = '/cal/events/v1/events';

interface EventList {
  total: number;
  events: { id: number; title: string; start_date: string; date: string }[];
}

/** The folders of this process's test servers that are there now; other workers start such servers too. */
const folders = () =>
  readdirSync(tmpdir()).filter((name) => name.startsWith(`almanac-plugin-${process.pid}-`));

describe('the server for tests of plugins', () => {
  let server: TestServer | undefined;
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });

  it('has an empty calendar, in which the administrator writes and others do not', async () => {
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

  it('has the demo calendar around a day, further plugins and variables', async () => {
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

  it('is set up as its own main.ts would', async () => {
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

  it('leaves nothing behind', async () => {
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
