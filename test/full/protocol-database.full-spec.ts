import { setTimeout as sleep } from 'node:timers/promises';
import { startApp, type TestApp } from '../support/app.js';
import type { Caller } from '../support/calendar-client.js';
import { SERVER, serverMissing } from '../support/mariadb.js';
import { type OwnServer, startOwnServer } from '../support/own-server.js';
import { type Ask, askOf } from '../support/protocol-client.js';
import { describeDatabases, makeSite, type Site } from '../support/sites.js';

const BASE = '/cal/events/v1';

/** Slightly longer than settings may be outdated, in milliseconds. */
const SETTLED = 1050;

describeDatabases('the database state behind responses', (database) => {
  let site: Site;
  let app: TestApp;
  let ask: Ask;

  beforeAll(async () => {
    site = await makeSite(database);
    app = await startApp({ databaseUrl: site.url });
    ask = (path, request) => askOf(app.url)(BASE + path, request);
  });
  afterAll(async () => {
    await app?.close();
    await site?.drop();
  });

  const run = (sql: string, values: string[] = []) => app.dataSource.query(sql, values);
  const setOption = async (name: string, value: string) => {
    await run('UPDATE wp_options SET option_value = ? WHERE option_name = ?', [value, name]);
    await sleep(SETTLED);
  };
  const option = async (name: string): Promise<string> => {
    const [row] = await run('SELECT option_value AS value FROM wp_options WHERE option_name = ?', [name]);
    return row.value;
  };

  /** Every row of every table. */
  async function everything(): Promise<Record<string, string[]>> {
    const tables: { name: string }[] = await run(
      database !== 'SQLite'
        ? 'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE() ORDER BY 1'
        : "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY 1",
    );
    const all: Record<string, string[]> = {};
    for (const { name } of tables)
      all[name] = ((await run(`SELECT * FROM ${name}`)) as object[]).map((row) => JSON.stringify(row));
    return all;
  }

  it('is changed by reads only in the last use of an application password, once', async () => {
    const url = 'https://video.example.org/watch?v=1';
    await run('UPDATE wp_posts SET post_content = ? WHERE ID = 53', [
      `<p>Look:</p>\n\n${url}\n\n[embed]${url}[/embed]`,
    ]);
    const callers: Caller[] = ['subscriber', 'contributor', 'author', 'editor', 'admin'];
    for (const as of callers) await ask('/tags', { as });
    const before = await everything();
    const paths = [
      ...[
        '',
        '/doc',
        '/events',
        '/events?search=jazz&page=2&per_page=5',
        '/events/53',
        '/events/by-slug/opening-night',
      ],
      ...[
        '/events/69',
        '/events/56?password=open-sesame',
        '/events/999',
        '/venues?only_with_upcoming=1',
        '/venues/9',
      ],
      ...[
        '/organizers?search=a',
        '/organizers/41',
        '/categories',
        '/categories/4?_embed',
        '/tags?hide_empty=0',
        '/tags/20',
      ],
    ];
    for (const as of [...callers, 'anonymous'] as const)
      for (const path of paths)
        for (const method of ['GET', 'HEAD', 'OPTIONS']) await ask(path, { as, method });
    expect((await ask('/events/53')).text).toContain('video.example.org');
    expect(await everything()).toEqual(before);
  });

  describe('applies within a second a changed setting of', () => {
    it('records per page', async () => {
      expect((await ask('/venues')).headers['x-tec-totalpages']).toBe('2');
      await setOption('posts_per_page', '3');
      expect((await ask('/venues')).headers['x-tec-totalpages']).toBe('6');
      await setOption('posts_per_page', '10');
    });

    it('permalinks, to URLs of pages but not to links of the interface', async () => {
      const links = async () => {
        const [event, tag] = [await ask('/events/53'), await ask('/tags/20')];
        return [event.body['url'], event.body['rest_url'], tag.body['url'], tag.body['urls']];
      };
      const pretty = await links();
      const root = 'http://calendar.example.org/wp-json/cal/events/v1';
      expect(pretty[0]).toBe('http://calendar.example.org/event/opening-night/');
      await setOption('permalink_structure', '');
      const plain = await links();
      expect([plain[1], plain[3]]).toEqual([
        `${root}/events/53`,
        { self: `${root}/tags/20`, collection: `${root}/tags` },
      ]);
      expect([plain[0], plain[2]]).toEqual([
        'http://calendar.example.org/?tribe_events=opening-night',
        'http://calendar.example.org/?tag=outdoor',
      ]);
      const { headers } = await ask('/tags/20');
      expect(headers['link']).toBe('<http://calendar.example.org/wp-json/>; rel="https://api.w.org/"');
      await setOption('permalink_structure', '/%postname%/');
      expect(await links()).toEqual(pretty);
    });

    it('the capabilities of a role, and of a user at once', async () => {
      const allow = async () => (await ask('/events', { as: 'contributor' })).headers['allow'];
      const roles = await option('wp_user_roles');
      expect(await allow()).toBe('GET, POST');
      await setOption(
        'wp_user_roles',
        roles.replaceAll('s:17:"edit_tribe_events";b:1;', 's:17:"edit_tribe_events";b:0;'),
      );
      expect(await allow()).toBe('GET');
      await setOption('wp_user_roles', roles);
      expect(await allow()).toBe('GET, POST');
      const where = "WHERE user_id = 4 AND meta_key = 'wp_capabilities'";
      const [{ value }] = await run(`SELECT meta_value AS value FROM wp_usermeta ${where}`);
      await run(`UPDATE wp_usermeta SET meta_value = 'a:1:{s:10:"subscriber";b:1;}' ${where}`);
      expect(await allow()).toBe('GET');
      await run(`UPDATE wp_usermeta SET meta_value = ? ${where}`, [value]);
      expect(await allow()).toBe('GET, POST');
    });

    it('the switch of the interface, off and on', async () => {
      const calendar = await option('tribe_events_calendar_options');
      await setOption('tribe_events_calendar_options', 'a:1:{s:16:"rest-v1-disabled";b:1;}');
      expect((await ask('/events')).status).toBe(404);
      await setOption('tribe_events_calendar_options', calendar);
      expect((await ask('/events')).status).toBe(200);
    });
  });
});

// A server from outside must not be killed.
const notOurs = serverMissing() || Boolean(process.env['TEST_DATABASE_URL']);

(notOurs ? describe.skip : describe)('a database that goes away', () => {
  let mariadb: OwnServer;
  let app: TestApp;
  let ask: Ask;

  beforeAll(async () => {
    mariadb = await startOwnServer(SERVER);
    app = await startApp({ databaseUrl: mariadb.url });
    app.nest.useLogger(false);
    ask = (path, request) => askOf(app.url)(BASE + path, request);
  });
  afterAll(async () => {
    await app?.close();
    await mariadb?.kill();
  });

  const requests: [string, Parameters<Ask>[1]?][] = [
    ['/events'],
    ['/venues/9', { as: 'editor' }],
    ['/tags/20', { method: 'HEAD' }],
    ['/nope', { as: 'editor' }],
    ['/tags', { method: 'POST', as: 'editor', json: { name: 'Made while away' } }],
  ];

  it('answers 503 with Retry-After without its database, and recovers without a restart', async () => {
    expect((await ask('/events')).status).toBe(200);
    for (let round = 1; round <= 2; round++) {
      const running = requests.map(([path, request]) => ask(path, request).catch(() => undefined));
      await mariadb.kill();
      await Promise.all(running);
      await sleep(SETTLED);
      for (const [path, request] of requests) {
        const answer = await ask(path, request);
        expect([path, answer.status, answer.headers['retry-after']]).toEqual([path, 503, '1']);
        expect(answer.headers['content-type']).toBe('application/json; charset=UTF-8');
        if (request?.method !== 'HEAD')
          expect(answer.body).toEqual({
            code: 'database_unavailable',
            message: expect.any(String),
            data: { status: 503 },
          });
      }
      await mariadb.start();
      const back = await Promise.all(requests.map(([path, request]) => ask(path, request)));
      expect(back.map(({ status }) => status).slice(0, 4)).toEqual([200, 200, 200, 404]);
      expect([201, 400]).toContain(back[4]?.status);
    }
  });
});
