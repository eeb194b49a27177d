import type { Server } from 'node:http';
import { readEnvironment } from '../src/config/env.js';
import { startApp, type TestApp } from './support/app.js';
import { head, openRaw } from './support/raw-socket.js';
import { describeEither, makeSite, type Site } from './support/sites.js';

describeEither('keep-alive connections', (database) => {
  let site: Site;
  let app: TestApp;

  beforeAll(async () => {
    site = await makeSite(database);
  });
  afterEach(() => app?.close());
  afterAll(() => site?.drop());

  const start = async (env: Record<string, string>) => {
    app = await startApp({ databaseUrl: site.url, env });
  };

  it.each(['65s', '620s', '1s'])(
    'announce KEEP_ALIVE_TIMEOUT=%s and set a longer headers timeout',
    async (timeout) => {
      await start({ KEEP_ALIVE_TIMEOUT: timeout });
      const { headers } = await fetch(`${app.url}/livez`);
      expect(headers.get('keep-alive')).toBe(`timeout=${Number.parseInt(timeout, 10)}`);
      const server: Server = app.nest.getHttpServer();
      expect(server.headersTimeout).toBeGreaterThan(server.keepAliveTimeout);
    },
  );

  it('stay open without a request for 65 s by default', () => {
    expect(readEnvironment({}).keepAliveTimeout).toBe(65_000);
  });

  it.each(['500ms', '2h', 'off', '-1s', '65'])('reject KEEP_ALIVE_TIMEOUT=%s at start', (timeout) => {
    expect(() => readEnvironment({ KEEP_ALIVE_TIMEOUT: timeout })).toThrow('KEEP_ALIVE_TIMEOUT must be');
  });

  it('close without a request after KEEP_ALIVE_TIMEOUT and not before', async () => {
    await start({ KEEP_ALIVE_TIMEOUT: '2s' });
    const { socket, answer: response } = openRaw(
      app.url,
      head('GET', '/livez', { Connection: 'keep-alive' }),
    );
    await new Promise((resolve) => socket.once('data', resolve));
    const idleSince = performance.now();
    expect((await response).status).toBe(200);
    expect(performance.now() - idleSince).toBeGreaterThan(1_500);
  });
});
