import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createConnection } from 'mysql2/promise';
import { startApp, type TestApp } from '../support/app.js';
import { clientOf, credentials, type Send } from '../support/calendar-client.js';
import { census } from '../support/event-rows.js';
import { brokenRows } from '../support/invariants.js';
import { SERVER, serverMissing } from '../support/mariadb.js';
import { type OwnServer, startOwnServer } from '../support/own-server.js';
import { type Break, StallingProxy } from '../support/stalling-proxy.js';
import { EVENT } from '../support/write-fixture.js';

const AWAY = '503 database_unavailable 1';

(serverMissing() ? describe.skip : describe)('a database that does not answer', () => {
  let mariadb: OwnServer;
  let app: TestApp;
  let send: Send;

  beforeAll(async () => {
    mariadb = await startOwnServer(SERVER);
  });
  afterEach(async () => {
    mariadb.goOn();
    await app?.close();
  });
  afterAll(() => mariadb?.kill());

  const start = async (env: Record<string, string> = {}, databaseUrl = mariadb.url) => {
    app = await startApp({ databaseUrl, env: { DATABASE_TIMEOUT: '3s', ...env } });
    app.nest.useLogger(false);
    send = clientOf(app.url);
  };
  const said = async (...request: Parameters<Send>) => {
    const { status, body, headers } = await send(...request);
    return `${status} ${body['code']} ${headers.get('Retry-After')}`;
  };
  const probe = async (path: string) => {
    const answer = await fetch(app.url + path);
    return [answer.status, await answer.text()] as const;
  };
  /** The connections of the server's pool, counted by the database. */
  const connections = async () =>
    (await mariadb.ask("SELECT COUNT(*) AS n FROM information_schema.PROCESSLIST WHERE DB = 'site'"))[0]?.[
      'n'
    ];

  it('leads to 503, releases its connections, and is used again once it responds', async () => {
    await start();
    const before = await census(mariadb.ask);
    expect((await probe('/readyz'))[0]).toBe(200);
    expect((await send('admin', 'GET', '/events/53')).status).toBe(200);
    mariadb.hang();
    const reads = Array.from({ length: 40 }, (_, n) => said('anonymous', 'GET', `/events?per_page=${n + 1}`));
    const writes = Array.from({ length: 10 }, (_, n) =>
      said('admin', 'POST', '/tags', { name: `Lost ${n}` }),
    );
    const signedIn = ['/events?status=draft', '/venues', '/tags'].map((path) => said('editor', 'GET', path));
    const answers = await Promise.all([...reads, ...writes, ...signedIn]);
    expect(answers.filter((answer) => answer !== AWAY)).toEqual([]);
    expect((await probe('/livez'))[0]).toBe(200);
    const [status, text] = await probe('/readyz');
    expect(status).toBe(503);
    expect(JSON.parse(text)).toMatchObject({ status: 'error', error: { database: { status: 'down' } } });
    expect(text).not.toMatch(/127\.0\.0\.1|3306|MariaDB|root|SELECT/i);
    mariadb.goOn();
    while ((await probe('/readyz'))[0] !== 200) await sleep(100);
    expect((await send('anonymous', 'GET', '/events?per_page=3')).status).toBe(200);
    expect(await census(mariadb.ask)).toEqual(before);
    expect(await said('admin', 'POST', '/tags', { name: 'Found' })).toMatch(/^201/);
    expect(Number(await connections())).toBeLessThanOrEqual(12);
  });

  it('delays no request by more than DATABASE_TIMEOUT in all', async () => {
    await start({ DATABASE_TIMEOUT: '4s', DATABASE_POOL_SIZE: '4', KEEP_ALIVE_TIMEOUT: '65s' });
    const list = '/cal/events/v1/events?start_date=2000-01-01';
    // The event index is loaded, and has a change to load.
    for (let n = 1; n < 5; n++) await probe(`${list}&per_page=${n}`);
    await sleep(1500);
    for (let n = 5; n < 9; n++) await probe(`${list}&per_page=${n}`);
    await mariadb.ask("UPDATE wp_posts SET post_title = CONCAT(post_title, '!') WHERE ID = 53");
    mariadb.hang();
    const reads = [
      ...['per_page=9', 'venue=9', 'search=a', 'orderby=title', 'geoloc=true', 'password=x', 'include=53'],
      ...['per_page=9&_method=GET', 'tags=20&categories=3', 'context=view'],
    ].map((query) => `${list}&${query}`);
    const others = [
      ...['/cal/events/v1/events/53', '/cal/events/v1/venues?has_events=true', '/cal/events/v1/tags'],
      ...[
        '/cal/events/v1/events.ics',
        '/cal/events/v1/doc',
        '/wp/v2/types',
        '/',
        '/calendar',
        '/calendar?event=53',
      ],
      ...['/events/?ical=1', '/event/some-slug/', '/readyz', '/openapi.json'],
    ];
    const slow: unknown[] = [];
    const timed = async (what: string, work: () => Promise<unknown>) => {
      const begun = performance.now();
      const answer = await work();
      const took = performance.now() - begun;
      if (took > 5500) slow.push([what, Math.round(took), answer]);
    };
    const wave = () => [
      ...[...reads, ...others].map((path) => timed(path, async () => (await probe(path))[0])),
      ...reads.map((path) => timed(`editor ${path}`, () => said('editor', 'GET', path.slice(14)))),
      ...['a', 'b', 'c'].map((name) => timed(`tag ${name}`, () => said('admin', 'POST', '/tags', { name }))),
      timed('event', () => said('admin', 'POST', '/events', EVENT)),
    ];
    const waves = wave();
    for (const pause of [1500, 2000, 1500]) {
      await sleep(pause);
      waves.push(...wave());
    }
    await Promise.all(waves);
    expect(slow).toEqual([]);
  });

  it('leaves nothing of a write whose statement times out', async () => {
    await start();
    const before = await census(mariadb.ask);
    const other = await createConnection(mariadb.url);
    await other.query('LOCK TABLES wp_tec_events WRITE');
    const { status, body, headers } = await send('admin', 'POST', '/events', {
      ...EVENT,
      tags: ['New here'],
    });
    await other.end();
    expect([status, body['code'], headers.get('Retry-After')]).toEqual([503, 'database_unavailable', '1']);
    expect(body['message']).toContain('nothing was written');
    expect(await census(mariadb.ask)).toEqual(before);
    expect(await said('admin', 'POST', '/events', { ...EVENT, tags: ['New here'] })).toMatch(/^201/);
  });

  it('has at most a thousand requests waiting for it', async () => {
    await start({ DATABASE_POOL_SIZE: '1', DATABASE_TIMEOUT: '3s' });
    expect((await send('admin', 'GET', '/events/53')).status).toBe(200);
    mariadb.hang();
    const order: string[] = [];
    const requested = Array.from({ length: 1300 }, () =>
      app.dataSource.query('SELECT 1').catch(({ message }) => order.push(message)),
    );
    await Promise.all(requested);
    // Requests that found the queue full failed before those that waited in it.
    expect(new Set(order.slice(0, 290))).toEqual(new Set(['Queue limit reached.']));
    expect(order).toHaveLength(1300);
    mariadb.goOn();
    expect((await send('anonymous', 'GET', '/events?per_page=3')).status).toBe(200);
  });

  it('cancels a statement that takes too long, and the connection is used again', async () => {
    await start({ DATABASE_POOL_SIZE: '1' });
    const [before] = await app.dataSource.query('SELECT CONNECTION_ID() AS id');
    await expect(app.dataSource.query('SELECT SLEEP(60)')).rejects.toMatchObject({ errno: 1969 });
    const running = await mariadb.ask(
      "SELECT ID FROM information_schema.PROCESSLIST WHERE INFO LIKE '%SLEEP(60)'",
    );
    expect(running).toEqual([]);
    expect((await app.dataSource.query('SELECT CONNECTION_ID() AS id'))[0]).toEqual(before);
  });

  it('gets no statement for a client that disconnected while waiting for a connection', async () => {
    await start({ DATABASE_POOL_SIZE: '1', DATABASE_TIMEOUT: '60s', CACHE: 'off' });
    expect((await send('editor', 'GET', '/events/53')).status).toBe(200);
    const only = app.dataSource.createQueryRunner();
    await only.connect();
    app.statements();
    let noticed: Promise<unknown> = Promise.resolve();
    const arrived = new Promise<void>((resolve) =>
      (app.nest.getHttpServer() as Server).once('request', (_, response) => {
        noticed = new Promise((closed) => response.once('close', closed));
        resolve();
      }),
    );
    const gone = new AbortController();
    const requested = fetch(`${app.url}/cal/events/v1/events/53`, {
      headers: credentials('editor'),
      signal: gone.signal,
    });
    await arrived;
    await sleep(200);
    gone.abort();
    await expect(requested).rejects.toThrow('aborted');
    await noticed;
    await only.release();
    await sleep(200);
    expect(app.statements().sql).toEqual([]);
  });

  it.each<[Break, string, boolean]>([
    ['before the commit', '503 write_unconfirmed null', false],
    ['after the commit', '503 write_unconfirmed null', true],
    ['after its answer', '503 write_not_shown null', true],
  ])(
    'leads to a response with the true outcome of a write when it is lost %s',
    async (point, expected, isStored) => {
      const proxy = await StallingProxy.to(Number(new URL(mariadb.url).port));
      try {
        await start({}, mariadb.url.replace(/:\d+\//, `:${proxy.port}/`));
        const broken = await brokenRows(mariadb.ask);
        expect((await send('admin', 'GET', '/events/53')).status).toBe(200);
        proxy.breakAt(point);
        const title = `Lost ${point}`;
        expect(await said('admin', 'POST', '/events', { ...EVENT, title, tags: [title] })).toBe(expected);
        proxy.mend();
        // The database rolls back the client's open transaction.
        const others = `SELECT ID FROM information_schema.INNODB_TRX t JOIN information_schema.PROCESSLIST p ON p.ID = trx_mysql_thread_id`;
        while ((await mariadb.ask(others)).length > 0) await sleep(50);
        const rows = await mariadb.ask(
          `SELECT ID FROM wp_posts WHERE post_title = '${title}' AND post_type = 'tribe_events'`,
        );
        expect(rows).toHaveLength(isStored ? 1 : 0);
        expect(await mariadb.ask(`SELECT name FROM wp_terms WHERE name = '${title}'`)).toHaveLength(
          isStored ? 1 : 0,
        );
        expect(await brokenRows(mariadb.ask)).toEqual(broken);
        expect((await send('admin', 'GET', '/events?per_page=2')).status).toBe(200);
      } finally {
        await proxy.close();
      }
    },
  );
});
