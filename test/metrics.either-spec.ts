import type { NestExpressApplication } from '@nestjs/platform-express';
import { createServer } from '../src/app/create-server.js';
import { EnvironmentError, readEnvironment } from '../src/config/env.js';
import { ScheduleCounts } from '../src/scheduler/schedule-counts.js';
import { basic } from './support/calendar-client.js';
import { freePort } from './support/free-port.js';
import { askOf } from './support/protocol-client.js';
import { describeEither, makeSite, type Site } from './support/sites.js';

const BASE = '/cal/events/v1';

describeEither('metrics', (database) => {
  let site: Site;
  let port: number;
  const servers: NestExpressApplication[] = [];

  const start = async (more: Record<string, string>) => {
    const variables = { DATABASE_URL: site.url, ALLOW_INSECURE_AUTH: 'true', RATE_LIMIT: '2/1h', ...more };
    const app = await createServer({ env: readEnvironment(variables), logger: false });
    servers.push(app);
    await app.listen(0, '127.0.0.1');
    return { app, ask: askOf(await app.getUrl()) };
  };
  const collect = async () => {
    const { status, headers, text } = await askOf(`http://127.0.0.1:${port}`)('/metrics');
    expect([status, headers['content-type']]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    return text;
  };
  /** The samples of a metric by their labels. */
  const samples = (text: string, name: string) =>
    Object.fromEntries(
      [...text.matchAll(new RegExp(`^${name}(?:{(.*)})? (\\S+)$`, 'gm'))].map(([, labels, value]) => [
        labels ?? '',
        Number(value),
      ]),
    );

  beforeAll(async () => {
    site = await makeSite(database);
    port = await freePort();
  });
  afterEach(async () => {
    for (const app of servers.splice(0)) await app.close();
  });
  afterAll(async () => {
    await site?.drop();
  });

  it('are disabled by default and never served on the REST port', async () => {
    const disabled = await start({});
    const unknownPath = await disabled.ask('/none');
    expect([unknownPath.status, unknownPath.body['code']]).toEqual([404, 'rest_no_route']);
    expect((await disabled.ask('/metrics')).text).toBe(unknownPath.text);
    await expect(fetch(`http://127.0.0.1:${port}/metrics`)).rejects.toThrow();
    const enabled = await start({ METRICS: String(port) });
    expect((await enabled.ask('/metrics')).text).toBe(unknownPath.text);
    await collect();
  });

  it('are served at GET /metrics only', async () => {
    await start({ METRICS: `127.0.0.1:${port}` });
    const ask = askOf(`http://127.0.0.1:${port}`);
    for (const [path, method] of [
      ['/metrics', 'POST'],
      ['/metrics', 'DELETE'],
      ['/', 'GET'],
      [`${BASE}/events`, 'GET'],
      ['/metrics/x', 'GET'],
    ] as const) {
      const { status, text } = await ask(path, { method });
      expect([path, method, status, text]).toEqual([
        path,
        method,
        404,
        'Only GET /metrics is served here.\n',
      ]);
    }
  });

  it('report a taken METRICS port by name, and closing the server frees it', async () => {
    const { app } = await start({ METRICS: String(port) });
    const second = await createServer({
      env: readEnvironment({ DATABASE_URL: site.url, METRICS: String(port) }),
      logger: false,
    });
    const failed = await second.listen(0, '127.0.0.1').catch((error: unknown) => error);
    await second.close();
    expect(failed).toBeInstanceOf(EnvironmentError);
    expect(String(failed)).toContain(
      `METRICS names 127.0.0.1:${port}, which cannot be used: another program listens there.`,
    );
    await app.close();
    servers.length = 0;
    await start({ METRICS: String(port) });
    await collect();
  });

  it('are labelled by route and never by client input', async () => {
    const { app, ask } = await start({ METRICS: String(port) });
    for (let n = 0; n < 3; n++) {
      await ask(`${BASE}/tags?per_page=2`);
      await ask(`${BASE}/tags/${n + 90_000}?made=${n}`);
      await ask(`/made/up/${n}`);
      await ask(`${BASE}/made-up-${n}`, { method: `MKCOL` });
      await ask(`${BASE}/tags`, { headers: basic('admin', `wrong ${n}`) });
    }
    await ask(`${BASE}/venues`, { as: 'editor', method: 'POST', json: { venue: 'Counted' } });
    await ask(`${BASE}/events?per_page=2`);
    await ask(`${BASE}/events?per_page=2&page=1`);
    Object.assign(app.get(ScheduleCounts), { runs: 7, published: 2 });
    // A response is counted when it is finished, which its reader may know before.
    const count = (text: string) =>
      Object.values(samples(text, 'almanac_http_requests_total')).reduce((sum, one) => sum + one, 0);
    let text = await collect();
    while (count(text) < 18) text = await collect();
    expect(samples(text, 'almanac_http_requests_total')).toEqual({
      'method="GET",route="/cal/events/v1/tags",status="200"': 3,
      'method="GET",route="/cal/events/v1/tags/:id",status="400"': 3,
      'method="GET",route="none",status="404"': 3,
      'method="other",route="none",status="404"': 3,
      'method="GET",route="none",status="401"': 2,
      'method="GET",route="none",status="429"': 1,
      'method="POST",route="/cal/events/v1/venues",status="201"': 1,
      'method="GET",route="/cal/events/v1/events",status="200"': 2,
    });
    const durations = samples(text, 'almanac_http_request_duration_seconds_count');
    expect(durations['route="/cal/events/v1/tags"']).toBe(3);
    expect(durations['route="none"']).toBe(9);
    expect(samples(text, 'almanac_logins_rejected_total')).toEqual({
      'reason="wrong"': 2,
      'reason="locked_out"': 1,
    });
    expect(samples(text, 'almanac_jobs_total')).toEqual({
      'job="runs"': 7,
      'job="published"': 2,
      'job="removed"': 0,
      'job="failures"': 0,
    });
    const lookups = samples(text, 'almanac_cache_lookups_total');
    expect(lookups['cache="answers",result="hit"']).toBeGreaterThanOrEqual(2);
    expect(lookups['cache="answers",result="miss"']).toBeGreaterThanOrEqual(3);
    // A list counts as hit or miss of the index, depending on whether the index is built.
    const inIndex = ['hit', 'miss'].map((result) => lookups[`cache="event_index",result="${result}"`] ?? 0);
    expect(inIndex.reduce((sum, one) => sum + one)).toBe(2);
    expect(text).not.toMatch(/made-up|\/made\/|tags\/9|wrong \d|password|editor/);
    expect(samples(text, 'nodejs_eventloop_lag_seconds')['']).toBeGreaterThanOrEqual(0);
    const pool = samples(text, 'almanac_database_connections_max');
    expect(pool).toEqual(database !== 'SQLite' ? { '': 10 } : {});
    if (database === 'SQLite') return;
    expect(samples(text, 'almanac_database_wait_seconds_count')['']).toBeGreaterThan(5);
    expect(samples(text, 'almanac_database_waiting')).toEqual({ '': 0 });
    const [used, idle] = ['used', 'idle'].map(
      (state) => samples(text, `almanac_database_connections_${state}`)[''],
    );
    expect(Number(used) + Number(idle)).toBeGreaterThan(0);
  });
});
