import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { migrate } from '../src/cli/migrate.js';
import { EXIT } from '../src/cli/terminal.js';
import { readEnvironment } from '../src/config/env.js';
import { dataSourceOptions } from '../src/database/data-source-options.js';
import { openSite } from '../src/database/open-site.js';
import { StartError } from '../src/database/start-error.js';
import { Scheduler } from '../src/scheduler/scheduler.service.js';
import { startApp, type TestApp } from './support/app.js';
import { clientOf, type Send } from './support/calendar-client.js';
import { almanac } from './support/command.js';
import { census } from './support/event-rows.js';
import { SERVER, serverMissing } from './support/mariadb.js';
import { type OwnServer, startOwnServer } from './support/own-server.js';
import { SeatsModule } from './support/seats-plugin.js';
import { makeSite, type Site } from './support/sites.js';
import { testFolder } from './support/test-folder.js';
import { EVENT } from './support/write-fixture.js';

const WRITES: [method: string, path: string, body?: unknown][] = [
  ['POST', '/events', { ...EVENT, tags: ['New here'], venue: { venue: 'New hall' } }],
  ['PUT', '/events/53', { title: 'Changed' }],
  ['DELETE', '/events/53'],
  ['POST', '/venues', { venue: 'New' }],
  ['PUT', '/venues/9', { city: 'Changed' }],
  ['DELETE', '/venues/9'],
  ['POST', '/organizers', { organizer: 'New' }],
  ['DELETE', '/organizers/41'],
  ['POST', '/categories', { name: 'New' }],
  ['PUT', '/categories/4', { name: 'Changed' }],
  ['DELETE', '/categories/4'],
  ['POST', '/tags', { name: 'New' }],
  ['PATCH', '/tags/20', { name: 'Changed' }],
  ['DELETE', '/tags/20'],
];

/** Statuses, codes and Retry-After of all writes; fails when one of them changed a row. */
async function responses(app: TestApp, send: Send): Promise<string[]> {
  const ask = (sql: string) => app.dataSource.query(sql);
  const before = await census(ask);
  const all: string[] = [];
  for (const [method, path, body] of WRITES) {
    const reply = await send('admin', method, path, body);
    all.push(`${reply.status} ${reply.body['code']} ${reply.headers.get('Retry-After')}`);
  }
  expect(await census(ask)).toEqual(before);
  const changed =
    "SELECT ID FROM wp_posts WHERE post_title = 'Changed' OR post_status = 'trash' AND ID IN (53, 9, 41)";
  expect(await ask(changed)).toEqual([]);
  return [...new Set(all)];
}

/** max_allowed_packet of the server, in bytes. */
const PACKET = 256 * 1024;

const READ_ONLY = ['403 read_only null'];
const LATER = ['503 database_unavailable 1'];

/** The grants that docs/security.md#rights-in-the-database documents. */
const GRANTS =
  readFileSync(join(__dirname, '..', 'docs', 'security.md'), 'utf8').match(/^GRANT .*(?=;$)/gm) ?? [];
const [readGrants, writeGrants] = [true, false].map((isRead) =>
  GRANTS.filter((grant) => grant.includes('SELECT') === isRead),
) as [string[], string[]];

// A server given by TEST_DATABASE_URL is shared; these tests would restrict it.
const isSharedServer = serverMissing() || Boolean(process.env['TEST_DATABASE_URL']);

(isSharedServer ? describe.skip : describe)(`${SERVER} errors`, () => {
  let mariadb: OwnServer;

  beforeAll(async () => {
    mariadb = await startOwnServer(SERVER);
    await mariadb.ask(`SET GLOBAL max_allowed_packet = ${PACKET}`);
    await mariadb.ask('CREATE USER reader');
    await mariadb.ask('CREATE USER writer');
    expect([readGrants.length, writeGrants.length]).toEqual([11, 10]);
    for (const grant of readGrants) await mariadb.ask(grant.replace('almanac@localhost', 'reader'));
    for (const grant of [...readGrants, ...writeGrants])
      await mariadb.ask(grant.replace('almanac@localhost', 'writer'));
  });
  afterAll(() => mariadb?.kill());

  const runAs = async (user: string, work: (app: TestApp, send: Send) => Promise<void>) => {
    const app = await startApp({ databaseUrl: mariadb.url.replace('root@', `${user}@`) });
    app.nest.useLogger(false);
    try {
      await work(app, clientOf(app.url));
    } finally {
      await app.close();
    }
  };

  it('every write by a read-only user returns 403 read_only; reads go on, with passwords too', () =>
    runAs('reader', async (app, send) => {
      const warnings: string[] = [];
      const ignore = () => undefined;
      app.nest.useLogger({ log: ignore, error: ignore, warn: (text: string) => warnings.push(text) });
      const passwordsQuery = "SELECT meta_value FROM wp_usermeta WHERE meta_key = '_application_passwords'";
      const before = await mariadb.ask(passwordsQuery);
      expect(await responses(app, send)).toEqual(READ_ONLY);
      const rejected = warnings.filter((text) =>
        text.startsWith('Writes are rejected, as the database is read-only: '),
      );
      expect([rejected.length, warnings.length]).toEqual([1, 2]);
      for (const caller of ['anonymous', 'editor', 'admin'] as const)
        for (const path of ['/events', '/events/53', '/venues/9', '/categories', '/tags/20'])
          expect((await send(caller, 'GET', path)).status).toBe(200);
      expect(await mariadb.ask(passwordsQuery)).toEqual(before);
      expect((await send('subscriber', 'POST', '/tags', { name: 'New' })).body['code']).toBe(
        'rest_forbidden',
      );
      expect((await send('admin', 'POST', '/tags', {})).status).toBe(400);
    }));

  it('the scheduler of a read-only user warns once and retries ten minutes later', async () => {
    const due = "SELECT ID FROM wp_posts WHERE post_status = 'future' AND post_date_gmt < '2091-03-01'";
    await mariadb.ask(
      "UPDATE wp_posts SET post_date_gmt = '2091-02-01', post_date = '2091-02-01' WHERE ID = 83",
    );
    await runAs('reader', async (app) => {
      const warnings: string[] = [];
      app.nest.useLogger({
        log: () => undefined,
        error: () => undefined,
        warn: (line) => warnings.push(line),
      });
      const scheduler = app.nest.get(Scheduler);
      const waits = [await scheduler.runOnce(), await scheduler.runOnce()];
      expect(waits.every((wait) => wait >= 600_000)).toBe(true);
      expect(warnings).toEqual([
        expect.stringMatching(/^Writes are rejected, as the database is read-only: /),
        expect.stringMatching(/^The database may only be read: scheduled records are not published here/),
      ]);
      expect(await mariadb.ask(due)).toHaveLength(1);
    });
    await runAs('writer', async (app) => {
      expect(await app.nest.get(Scheduler).runOnce()).toBeLessThan(60_000);
      expect(await mariadb.ask(due)).toHaveLength(0);
    });
  });

  it('every write to a read-only server returns 403 read_only', () =>
    runAs('writer', async (app, send) => {
      await mariadb.ask('SET GLOBAL read_only = 1');
      expect(await responses(app, send)).toEqual(READ_ONLY);
      expect((await send('admin', 'GET', '/events/53')).status).toBe(200);
      await mariadb.ask('SET GLOBAL read_only = 0');
      expect((await send('admin', 'PUT', '/events/53', { excerpt: 'Written again' })).status).toBe(200);
    }));

  it('creating a site as a read-only user throws StartError', async () => {
    await mariadb.ask('CREATE DATABASE nothing');
    await mariadb.ask('GRANT SELECT ON nothing.* TO reader');
    const url = mariadb.url.replace('root@', 'reader@').replace(/site$/, 'nothing');
    const env = readEnvironment({ DATABASE_URL: url });
    const rejection = openSite(dataSourceOptions(env), env);
    await expect(rejection).rejects.toBeInstanceOf(StartError);
    await expect(rejection).rejects.toThrow('its user may not create the tables');
  });

  it('an import by a read-only user prints one error', async () => {
    const before = await census(mariadb.ask);
    const path = join(testFolder(), 'refused.csv');
    writeFileSync(path, 'title,start_date\nOne,2027-03-10 19:00\nTwo,2027-03-11 19:00\n');
    const url = mariadb.url.replace('root@', 'reader@');
    expect(await almanac(url, ['import', path, '--as', 'admin'])).toEqual({
      code: EXIT.failed,
      out: '',
      err: 'The user of the database may only read it: nothing can be imported.\n',
    });
    expect(await census(mariadb.ask)).toEqual(before);
  });

  it('plugin migrations by a user without CREATE throw StartError', async () => {
    const env = readEnvironment({ DATABASE_URL: mariadb.url.replace('root@', 'writer@') });
    const rejection = migrate({ env, plugins: [SeatsModule] });
    await expect(rejection).rejects.toBeInstanceOf(StartError);
    await expect(rejection).rejects.toThrow(
      /^The migration CreateSeats1700000000001 failed.*CREATE command denied/,
    );
    expect(await mariadb.ask("SHOW TABLES LIKE '%acme%'")).toEqual([]);
    expect(await mariadb.ask("SHOW TABLES LIKE '%almanac%'")).toEqual([]);
  });

  it('a statement longer than max_allowed_packet returns 413; a shorter one is stored', () =>
    runAs('writer', async (_app, send) => {
      const before = await census(mariadb.ask);
      const sent = (description: string) =>
        send('admin', 'POST', '/events', { ...EVENT, title: 'Long', description });
      for (const long of ['x'.repeat(PACKET), "'".repeat(PACKET / 2), 'é'.repeat(PACKET / 2)]) {
        const { status, body } = await sent(long);
        expect([status, body['code']]).toEqual([413, 'rest_content_too_large']);
      }
      const put = await send('admin', 'PUT', '/venues/9', { description: '"\''.repeat(PACKET / 2) });
      expect([put.status, put.body['code']]).toEqual([413, 'rest_content_too_large']);
      expect(await census(mariadb.ask)).toEqual(before);
      for (const short of ['x'.repeat(PACKET - 2000), "'".repeat(PACKET / 2 - 1000)])
        expect((await sent(short)).status).toBe(201);
    }));

  it('characters outside the character set of old tables return 400', async () => {
    await mariadb.ask("SET GLOBAL sql_mode = ''");
    for (const table of ['wp_posts', 'wp_postmeta', 'wp_terms', 'wp_term_taxonomy'])
      await mariadb.ask(`ALTER TABLE ${table} CONVERT TO CHARACTER SET utf8mb3`);
    await runAs('writer', async (_app, send) => {
      const before = await census(mariadb.ask);
      const searchCode = async (path: string, text: string) => {
        const { status, body } = await send('anonymous', 'GET', `${path}?search=${encodeURIComponent(text)}`);
        return [path, status, body['code']];
      };
      for (const path of ['/events', '/categories'])
        expect(await searchCode(path, '\u{1f389}')).toEqual([path, 400, 'rest_invalid_param']);
      expect(await searchCode('/events', 'e')).toEqual(['/events', 200, undefined]);
      const tag = await send('admin', 'POST', '/tags', { name: '\u{1f389}' });
      expect([tag.status, tag.body['code']]).toEqual([400, 'rest_invalid_param']);
      const emoji = 'Party \u{1f389}';
      const sent: [method: string, path: string, body: object][] = [
        ['POST', '/events', { ...EVENT, title: emoji }],
        ['POST', '/events', { ...EVENT, description: emoji }],
        ['POST', '/events', { ...EVENT, cost: emoji }],
        ['POST', '/events', { ...EVENT, venue: { venue: 'New hall', city: emoji } }],
        ['POST', '/events', { ...EVENT, tags: ['New here', emoji] }],
        ['PATCH', '/events/53', { title: emoji }],
        ['PATCH', '/events/53', { excerpt: emoji }],
        ['POST', '/venues', { venue: 'New hall', address: emoji }],
        ['PATCH', '/venues/9', { city: emoji }],
        ['PATCH', '/organizers/41', { description: emoji }],
        ['POST', '/categories', { name: 'New here', description: emoji }],
        ['PATCH', '/tags/20', { name: emoji }],
        ['PATCH', '/tags/20', { description: emoji }],
      ];
      for (const [method, path, body] of sent) {
        const reply = await send('admin', method, path, body);
        const named = [method, path, Object.keys(body).at(-1)];
        expect([...named, reply.status, reply.body['code']]).toEqual([...named, 400, 'rest_invalid_param']);
      }
      expect(await census(mariadb.ask)).toEqual(before);
      const columns = ['posts WHERE post_title', 'posts WHERE post_content', 'postmeta WHERE meta_value'];
      for (const column of [...columns, 'terms WHERE name', 'term_taxonomy WHERE description'])
        expect(await mariadb.ask(`SELECT * FROM wp_${column} LIKE 'Party%'`)).toEqual([]);
      const storable = await send('admin', 'POST', '/events', {
        ...EVENT,
        title: 'Fête „für“ 東京',
        cost: '5 €',
      });
      expect([storable.status, storable.body['title'], storable.body['cost']]).toEqual([
        201,
        'Fête „für“ 東京',
        '5€',
      ]);
    });
  });

  it('a login outside the character set of the users table returns 401 like an unknown one', async () => {
    await mariadb.ask('ALTER TABLE wp_users CONVERT TO CHARACTER SET utf8mb3');
    await runAs('writer', async (app) => {
      const Authorization = `Basic ${Buffer.from('\u{1f389}:abcd').toString('base64')}`;
      const response = await fetch(`${app.url}/cal/events/v1/events`, { headers: { Authorization } });
      expect([response.status, (await response.json())['code']]).toEqual([401, 'invalid_username']);
    });
  });

  it('values longer than a changed column return 400; columns with defaults do not matter', async () => {
    await mariadb.ask(
      'ALTER TABLE wp_posts MODIFY post_title VARCHAR(20) NOT NULL, ADD of_a_plugin INT NOT NULL',
    );
    await mariadb.ask('ALTER TABLE wp_postmeta MODIFY meta_value VARCHAR(1500)');
    await runAs('writer', async (_app, send) => {
      const before = await census(mariadb.ask);
      const responseTo = async (method: string, path: string, body: object) => {
        const reply = await send('admin', method, path, body);
        return [reply.status, reply.body['code']];
      };
      const [long, url] = ['x'.repeat(21), `https://example.com/${'x'.repeat(1500)}`];
      for (const body of [{ title: long }, { website: url }]) {
        expect(await responseTo('POST', '/events', { ...EVENT, ...body })).toEqual([
          400,
          'rest_invalid_param',
        ]);
        expect(await responseTo('PATCH', '/events/53', body)).toEqual([400, 'rest_invalid_param']);
      }
      expect(await census(mariadb.ask)).toEqual(before);
      expect(await responseTo('POST', '/events', { ...EVENT, title: long.slice(1) })).toEqual([
        201,
        undefined,
      ]);
    });
  });
});

describe('SQLite errors', () => {
  let site: Site;
  let app: TestApp;
  let send: Send;

  beforeAll(async () => {
    site = await makeSite('SQLite');
    app = await startApp({ databaseUrl: site.url });
    app.nest.useLogger(false);
    send = clientOf(app.url);
  });
  afterAll(async () => {
    await app?.close();
    await site?.drop();
  });

  it.each([
    ['may only be read', 'query_only = 1', 'query_only = 0', READ_ONLY],
    ['is full', 'max_page_count = 1', 'max_page_count = 1000000', LATER],
  ])(
    'a write to a file that %s returns the expected code and succeeds afterwards',
    async (_name, limit, lift, expected) => {
      await app.dataSource.query(`PRAGMA ${limit}`);
      const long = 'x'.repeat(100_000);
      const { status, body } = await send('admin', 'POST', '/events', { ...EVENT, description: long });
      expect(expected[0]).toMatch(`${status} ${body['code']}`);
      if (expected === READ_ONLY) expect(await responses(app, send)).toEqual(READ_ONLY);
      expect((await send('admin', 'GET', '/events/53')).status).toBe(200);
      await app.dataSource.query(`PRAGMA ${lift}`);
      expect((await send('admin', 'POST', '/events', { ...EVENT, description: long })).status).toBe(201);
    },
  );
});
