import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { migrate } from '../src/cli/migrate.js';
import { EXIT } from '../src/cli/terminal.js';
import { readEnvironment } from '../src/config/env.js';
import { dataSourceOptions } from '../src/database/data-source-options.js';
import { openSite } from '../src/database/open-site.js';
import { StartError } from '../src/database/start-error.js';
import { Scheduler } from '../src/scheduler/scheduler.service.js';
import { startOwnServer, type OwnServer } from './support/own-server.js';
import { startApp, type TestApp } from './support/app.js';
import { clientOf, type Send } from './support/calendar-client.js';
import { almanac } from './support/command.js';
import { census } from './support/event-rows.js';
import { SERVER, serverMissing } from './support/mariadb.js';
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

/** Statuses and codes of all writes; fails when one of them left something. */
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

/** What that server takes as one statement, in bytes. */
const PACKET = 256 * 1024;

const READ_ONLY = ['403 read_only null'];
const LATER = ['503 database_unavailable 1'];

/** What docs/security.md#rights-in-the-database says is enough. */
const GRANTS =
  readFileSync(join(__dirname, '..', 'docs', 'security.md'), 'utf8').match(/^GRANT .*(?=;$)/gm) ?? [];
const [reading, writing] = [true, false].map((reads) =>
  GRANTS.filter((grant) => grant.includes('SELECT') === reads),
) as [string[], string[]];

// A server that was handed to the tests is not theirs to limit.
const notOurs = serverMissing() || Boolean(process.env['TEST_DATABASE_URL']);

(notOurs ? describe.skip : describe)(`${SERVER} refuses`, () => {
  let mariadb: OwnServer;

  beforeAll(async () => {
    mariadb = await startOwnServer(SERVER);
    await mariadb.ask(`SET GLOBAL max_allowed_packet = ${PACKET}`);
    await mariadb.ask('CREATE USER reader');
    await mariadb.ask('CREATE USER writer');
    expect([reading.length, writing.length]).toEqual([11, 10]);
    for (const grant of reading) await mariadb.ask(grant.replace('almanac@localhost', 'reader'));
    for (const grant of [...reading, ...writing])
      await mariadb.ask(grant.replace('almanac@localhost', 'writer'));
  });
  afterAll(() => mariadb?.kill());

  const as = async (user: string, work: (app: TestApp, send: Send) => Promise<void>) => {
    const app = await startApp({ databaseUrl: mariadb.url.replace('root@', `${user}@`) });
    app.nest.useLogger(false);
    try {
      await work(app, clientOf(app.url));
    } finally {
      await app.close();
    }
  };

  it('every write of a user who may only read; reads go on, also with a password', () =>
    as('reader', async (app, send) => {
      const warnings: string[] = [];
      const quiet = () => undefined;
      app.nest.useLogger({ log: quiet, error: quiet, warn: (text: string) => warnings.push(text) });
      const used = "SELECT meta_value FROM wp_usermeta WHERE meta_key = '_application_passwords'";
      const before = await mariadb.ask(used);
      expect(await responses(app, send)).toEqual(READ_ONLY);
      const rejected = warnings.filter((text) =>
        text.startsWith('Writes are refused, the database may only be read: '),
      );
      expect([rejected.length, warnings.length]).toEqual([1, 2]);
      for (const caller of ['anonymous', 'editor', 'admin'] as const)
        for (const path of ['/events', '/events/53', '/venues/9', '/categories', '/tags/20'])
          expect((await send(caller, 'GET', path)).status).toBe(200);
      expect(await mariadb.ask(used)).toEqual(before);
      expect((await send('subscriber', 'POST', '/tags', { name: 'New' })).body['code']).toBe(
        'rest_forbidden',
      );
      expect((await send('admin', 'POST', '/tags', {})).status).toBe(400);
    }));

  it('what is due to a schedule that may only read: it says so once, and tries again much later', async () => {
    const due = "SELECT ID FROM wp_posts WHERE post_status = 'future' AND post_date_gmt < '2091-03-01'";
    await mariadb.ask(
      "UPDATE wp_posts SET post_date_gmt = '2091-02-01', post_date = '2091-02-01' WHERE ID = 83",
    );
    await as('reader', async (app) => {
      const said: string[] = [];
      app.nest.useLogger({ log: () => undefined, error: () => undefined, warn: (line) => said.push(line) });
      const scheduler = app.nest.get(Scheduler);
      const waits = [await scheduler.runOnce(), await scheduler.runOnce()];
      expect(waits.every((wait) => wait >= 600_000)).toBe(true);
      expect(said).toEqual([
        expect.stringMatching(/^Writes are refused, the database may only be read: /),
        expect.stringMatching(/^The database may only be read: scheduled records are not published here/),
      ]);
      expect(await mariadb.ask(due)).toHaveLength(1);
    });
    await as('writer', async (app) => {
      expect(await app.nest.get(Scheduler).runOnce()).toBeLessThan(60_000);
      expect(await mariadb.ask(due)).toHaveLength(0);
    });
  });

  it('every write while the whole server may only be read', () =>
    as('writer', async (app, send) => {
      await mariadb.ask('SET GLOBAL read_only = 1');
      expect(await responses(app, send)).toEqual(READ_ONLY);
      expect((await send('admin', 'GET', '/events/53')).status).toBe(200);
      await mariadb.ask('SET GLOBAL read_only = 0');
      expect((await send('admin', 'PUT', '/events/53', { excerpt: 'Written again' })).status).toBe(200);
    }));

  it('to make a site for a user who may only read', async () => {
    await mariadb.ask('CREATE DATABASE nothing');
    await mariadb.ask('GRANT SELECT ON nothing.* TO reader');
    const url = mariadb.url.replace('root@', 'reader@').replace(/site$/, 'nothing');
    const env = readEnvironment({ DATABASE_URL: url });
    const rejection = openSite(dataSourceOptions(env), env);
    await expect(rejection).rejects.toBeInstanceOf(StartError);
    await expect(rejection).rejects.toThrow('its user may not create the tables');
  });

  it('an import by a user who may only read: once, and not of each record', async () => {
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

  it('tables of plugins to a user who may only write', async () => {
    const env = readEnvironment({ DATABASE_URL: mariadb.url.replace('root@', 'writer@') });
    const rejection = migrate({ env, plugins: [SeatsModule] });
    await expect(rejection).rejects.toBeInstanceOf(StartError);
    await expect(rejection).rejects.toThrow(
      /^The migration CreateSeats1700000000001 failed.*CREATE command denied/,
    );
    expect(await mariadb.ask("SHOW TABLES LIKE '%acme%'")).toEqual([]);
    expect(await mariadb.ask("SHOW TABLES LIKE '%almanac%'")).toEqual([]);
  });

  it('what is longer than a packet, and nothing less', () =>
    as('writer', async (_app, send) => {
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

  it('characters that the tables of an old site can not hold', async () => {
    await mariadb.ask("SET GLOBAL sql_mode = ''");
    for (const table of ['wp_posts', 'wp_postmeta', 'wp_terms', 'wp_term_taxonomy'])
      await mariadb.ask(`ALTER TABLE ${table} CONVERT TO CHARACTER SET utf8mb3`);
    await as('writer', async (_app, send) => {
      const before = await census(mariadb.ask);
      const searched = async (path: string, text: string) => {
        const { status, body } = await send('anonymous', 'GET', `${path}?search=${encodeURIComponent(text)}`);
        return [path, status, body['code']];
      };
      for (const path of ['/events', '/categories'])
        expect(await searched(path, '\u{1f389}')).toEqual([path, 400, 'rest_invalid_param']);
      expect(await searched('/events', 'e')).toEqual(['/events', 200, undefined]);
      const tag = await send('admin', 'POST', '/tags', { name: '\u{1f389}' });
      expect([tag.status, tag.body['code']]).toEqual([400, 'rest_invalid_param']);
      const party = 'Party \u{1f389}';
      const sent: [method: string, path: string, body: object][] = [
        ['POST', '/events', { ...EVENT, title: party }],
        ['POST', '/events', { ...EVENT, description: party }],
        ['POST', '/events', { ...EVENT, cost: party }],
        ['POST', '/events', { ...EVENT, venue: { venue: 'New hall', city: party } }],
        ['POST', '/events', { ...EVENT, tags: ['New here', party] }],
        ['PATCH', '/events/53', { title: party }],
        ['PATCH', '/events/53', { excerpt: party }],
        ['POST', '/venues', { venue: 'New hall', address: party }],
        ['PATCH', '/venues/9', { city: party }],
        ['PATCH', '/organizers/41', { description: party }],
        ['POST', '/categories', { name: 'New here', description: party }],
        ['PATCH', '/tags/20', { name: party }],
        ['PATCH', '/tags/20', { description: party }],
      ];
      for (const [method, path, body] of sent) {
        const reply = await send('admin', method, path, body);
        const named = [method, path, Object.keys(body).at(-1)];
        expect([...named, reply.status, reply.body['code']]).toEqual([...named, 400, 'rest_invalid_param']);
      }
      expect(await census(mariadb.ask)).toEqual(before);
      const marked = ['posts WHERE post_title', 'posts WHERE post_content', 'postmeta WHERE meta_value'];
      for (const column of [...marked, 'terms WHERE name', 'term_taxonomy WHERE description'])
        expect(await mariadb.ask(`SELECT * FROM wp_${column} LIKE 'Party%'`)).toEqual([]);
      const fits = await send('admin', 'POST', '/events', {
        ...EVENT,
        title: 'Fête „für“ 東京',
        cost: '5 €',
      });
      expect([fits.status, fits.body['title'], fits.body['cost']]).toEqual([201, 'Fête „für“ 東京', '5€']);
    });
  });

  it('names that nobody can have in the table of users, which are refused as any that nobody has', async () => {
    await mariadb.ask('ALTER TABLE wp_users CONVERT TO CHARACTER SET utf8mb3');
    await as('writer', async (app) => {
      const Authorization = `Basic ${Buffer.from('\u{1f389}:abcd').toString('base64')}`;
      const response = await fetch(`${app.url}/cal/events/v1/events`, { headers: { Authorization } });
      expect([response.status, (await response.json())['code']]).toEqual([401, 'invalid_username']);
    });
  });

  it('what an old or changed table would cut, and nothing that its own defaults fill', async () => {
    await mariadb.ask(
      'ALTER TABLE wp_posts MODIFY post_title VARCHAR(20) NOT NULL, ADD of_a_plugin INT NOT NULL',
    );
    await mariadb.ask('ALTER TABLE wp_postmeta MODIFY meta_value VARCHAR(1500)');
    await as('writer', async (_app, send) => {
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

describe('SQLite refuses', () => {
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
  ])('writes to a file that %s', async (_name, limit, lift, expected) => {
    await app.dataSource.query(`PRAGMA ${limit}`);
    const long = 'x'.repeat(100_000);
    const { status, body } = await send('admin', 'POST', '/events', { ...EVENT, description: long });
    expect(expected[0]).toMatch(`${status} ${body['code']}`);
    if (expected === READ_ONLY) expect(await responses(app, send)).toEqual(READ_ONLY);
    expect((await send('admin', 'GET', '/events/53')).status).toBe(200);
    await app.dataSource.query(`PRAGMA ${lift}`);
    expect((await send('admin', 'POST', '/events', { ...EVENT, description: long })).status).toBe(201);
  });
});
