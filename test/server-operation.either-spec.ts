import { migrate } from '../src/cli/migrate.js';
import { readEnvironment } from '../src/config/env.js';
import { startApp, type TestApp } from './support/app.js';
import { census } from './support/event-rows.js';
import { type Ask, askOf } from './support/protocol-client.js';
import { SeatsModule } from './support/seats-plugin.js';
import { describeEither, makeSite, type Site } from './support/sites.js';
import { EVENT } from './support/write-fixture.js';

const BASE = '/cal/events/v1';

describeEither('a server in operation', (database) => {
  let site: Site;
  let app: TestApp;
  let ask: Ask;

  const start = async (options: Partial<Parameters<typeof startApp>[0]> = {}) => {
    app = await startApp({ databaseUrl: site.url, ...options });
    ask = askOf(app.url);
  };
  beforeEach(async () => {
    site = await makeSite(database);
  });
  afterEach(async () => {
    await app?.close();
    await site.drop();
  });

  it('serves /livez and /readyz outside the prefix and queries the database at most once a second', async () => {
    await start({
      env: { PATH_PREFIX: '/wp-json', API_NAMESPACES: 'tribe/events/v1' },
      plugins: [SeatsModule],
    });
    const alive = await ask('/livez');
    expect([alive.status, alive.body, alive.headers['cache-control']]).toEqual([
      200,
      { status: 'ok' },
      'no-store',
    ]);
    expect((await ask('/livez', { method: 'HEAD' })).status).toBe(200);
    const waiting = await ask('/readyz');
    expect([waiting.status, waiting.headers['cache-control']]).toEqual([503, 'no-store']);
    expect(waiting.body['error']).toMatchObject({
      migrations: { message: 'some have not run: almanac migrate' },
    });
    const env = readEnvironment({ DATABASE_URL: site.url });
    await migrate({ env, plugins: [SeatsModule], say: () => undefined });
    while ((await ask('/readyz')).status !== 200);
    app.statements();
    const probes = await Promise.all(Array.from({ length: 40 }, () => ask('/readyz')));
    expect(new Set(probes.map(({ status }) => status))).toEqual(new Set([200]));
    expect(probes[0]?.body).toMatchObject({
      status: 'ok',
      details: { database: { status: 'up' }, migrations: { status: 'up' } },
    });
    expect(probes[0]?.text).not.toMatch(/sqlite|mysql|maria|127\.|\d\.\d/i);
    const checks = app.statements().sql.filter((text) => text === 'SELECT 1');
    expect(checks.length).toBeLessThan(5);
    // The OpenAPI document omits the probes.
    expect((await ask('/openapi.json')).text).not.toMatch(/livez|readyz/);
  });

  it('serves reads under READ_ONLY, rejects writes with 403 read_only and writes nothing', async () => {
    await start({ env: { READ_ONLY: 'true' } });
    const rows = () => census((sql) => app.dataSource.query(sql));
    const passwords = () =>
      app.dataSource.query("SELECT * FROM wp_usermeta WHERE meta_key LIKE '%password%'");
    const before = [await rows(), await passwords()];
    for (const as of ['anonymous', 'editor', 'admin'] as const)
      for (const path of ['/events', '/events/53', '/venues/9', '/tags'])
        expect((await ask(BASE + path, { as })).status).toBe(200);
    const write = async (
      method: string,
      path: string,
      json?: object,
      as: 'admin' | 'subscriber' = 'admin',
    ) => {
      const { status, body } = await ask(BASE + path, { as, method, json });
      return [status, body['code'], body['data']];
    };
    const rejection = [403, 'read_only', { status: 403 }];
    expect(await write('POST', '/events', { ...EVENT, image: 'https://images.example.org/a.jpg' })).toEqual(
      rejection,
    );
    expect(await write('PUT', '/venues/9', { city: 'Changed' })).toEqual(rejection);
    expect(await write('DELETE', '/events/53')).toEqual(rejection);
    expect(await write('POST', '/tags', { name: 'New' })).toEqual(rejection);
    expect(await write('DELETE', '/categories/4')).toEqual(rejection);
    expect((await write('POST', '/tags', {}))[0]).toBe(400);
    expect((await write('POST', '/tags', { name: 'New' }, 'subscriber')).slice(0, 2)).toEqual([
      403,
      'rest_forbidden',
    ]);
    // The connection rejects a plugin's own statements, too.
    await expect(app.dataSource.query("UPDATE wp_posts SET post_title = 'x'")).rejects.toThrow();
    expect([await rows(), await passwords()]).toEqual(before);
  });

  it('allows only the origins in CORS_ORIGINS to read cached and uncached responses', async () => {
    await start({ env: { CORS_ORIGINS: 'https://app.test' } });
    const allowed = async (Origin: string, as?: 'admin', method = 'GET') => {
      const { status, headers } = await ask(`${BASE}/events`, { headers: { Origin }, as, method });
      expect([status, headers.vary]).toEqual([200, expect.stringMatching(/^Origin\b/)]);
      return [headers['access-control-allow-origin'], headers['access-control-allow-credentials']];
    };
    for (let time = 0; time < 3; time++) {
      expect(await allowed('https://app.test')).toEqual(['https://app.test', 'true']);
      expect(await allowed('https://other.test')).toEqual([undefined, undefined]);
    }
    expect(await allowed('https://app.test', 'admin')).toEqual(['https://app.test', 'true']);
    expect(await allowed('https://other.test', 'admin')).toEqual([undefined, undefined]);
    expect(await allowed('null')).toEqual([undefined, undefined]);
    expect(await allowed('https://other.test', undefined, 'OPTIONS')).toEqual([undefined, undefined]);
  });

  it('rejects JSON under another Content-Type with 400 and names the one to send', async () => {
    await start();
    const post = async (body: string, headers: Record<string, string>) => {
      const { status, body: response } = await ask(`${BASE}/tags`, {
        as: 'admin',
        method: 'POST',
        body,
        headers,
      });
      return [status, response['code'], response['message']];
    };
    const missing = (hint: string) => [
      400,
      'rest_missing_callback_param',
      `Missing parameter(s): name${hint}`,
    ];
    const hint = (type: string) =>
      missing(`. The body looks like JSON, but its type is ${type}: send "Content-Type: application/json".`);
    const json = '{"name": "New"}';
    expect(await post(json, {})).toEqual(hint('not named'));
    expect(await post(` \n${json}`, { 'Content-Type': 'text/plain;charset=UTF-8' })).toEqual(
      hint('said to be text/plain'),
    );
    expect(await post(json, { 'Content-Type': 'application/x-www-form-urlencoded' })).toEqual(
      hint('said to be application/x-www-form-urlencoded'),
    );
    expect(await post('{}', { 'Content-Type': 'application/json' })).toEqual(missing(''));
    expect(await post('title=New', {})).toEqual(missing(''));
  });
});
