import { startApp, type TestApp } from '../support/app.js';
import { credentials } from '../support/calendar-client.js';
import { head, openRaw } from '../support/raw-socket.js';
import { makeSite, type Site } from '../support/sites.js';

describe('a body that never arrives', () => {
  let site: Site;
  let app: TestApp;

  beforeAll(async () => {
    site = await makeSite('SQLite');
    app = await startApp({ databaseUrl: site.url, env: { KEEP_ALIVE_TIMEOUT: '620s' } });
  });
  afterAll(async () => {
    await app?.close();
    await site?.drop();
  });

  it('is answered with 408 after a minute, however long connections are kept open, and writes nothing', async () => {
    const before = await app.dataSource.query('SELECT COUNT(*) AS n FROM wp_terms');
    const headers = {
      ...credentials('admin'),
      'Content-Type': 'application/json',
      'Content-Length': '100',
    };
    const { answer, socket } = openRaw(app.url, head('POST', '/cal/events/v1/tags', headers));
    socket.write('{"name":"Late"');
    const { status, text } = await answer;
    expect([status, (JSON.parse(text) as { code: string }).code]).toEqual([408, 'rest_bad_request']);
    expect(await app.dataSource.query('SELECT COUNT(*) AS n FROM wp_terms')).toEqual(before);
  });
});
