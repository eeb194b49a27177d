import { setTimeout as sleep } from 'node:timers/promises';
import { startApp, type TestApp } from './support/app.js';
import { credentials } from './support/calendar-client.js';
import { head, openRaw } from './support/raw-socket.js';
import { describeEither, makeSite, type Site } from './support/sites.js';

describeEither('a request with an incomplete body', (database) => {
  let site: Site;
  let app: TestApp;

  beforeAll(async () => {
    site = await makeSite(database);
    // Once the connection is closed the client address is unknown; authentication must not depend on it.
    app = await startApp({ databaseUrl: site.url, env: { ALLOW_INSECURE_AUTH: 'true' } });
  });
  afterAll(async () => {
    await app?.close();
    await site?.drop();
  });

  const readVenueRows = async () => [
    await app.dataSource.query('SELECT * FROM wp_posts WHERE ID = 9'),
    await app.dataSource.query('SELECT * FROM wp_postmeta WHERE post_id = 9 ORDER BY meta_id'),
  ];

  it.each([
    ['breaks off', { 'Content-Length': '100' }, '{"city":'],
    ['never begins', { 'Content-Length': '100' }, ''],
    ['breaks off between chunks', { 'Transfer-Encoding': 'chunked' }, '5\r\n{"a":\r\n'],
    ['has broken chunks', { 'Transfer-Encoding': 'chunked' }, 'zz\r\n'],
    ['has an unsupported encoding', { 'Transfer-Encoding': 'identity' }, ''],
    ['follows 100 Continue', { 'Transfer-Encoding': 'identity', Expect: '100-continue' }, ''],
  ])('writes nothing when the body %s', async (_, headers, body) => {
    const before = await readVenueRows();
    const sent = ['PUT', 'DELETE'].map((method) => {
      const signedHeaders = { ...credentials('admin'), ...headers, 'Content-Type': 'application/json' };
      return openRaw(app.url, head(method, '/cal/events/v1/venues/9?zip=12345', signedHeaders) + body);
    });
    await sleep(200);
    for (const { socket, answer: response } of sent) {
      socket.destroy();
      expect([0, 400]).toContain((await response).status);
    }
    await sleep(200);
    expect(await readVenueRows()).toEqual(before);
  });
});
