import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startApp, type TestApp } from '../support/app.js';
import { type Caller, clientOf, type Send } from '../support/calendar-client.js';
import { serverMissing } from '../support/mariadb.js';
import { makeSite, SERVER_NAME, type Site } from '../support/sites.js';

const SEED = join(__dirname, '..', '..', 'bench', 'seed.mjs');
const EVENTS = 5000;
const WINDOW = 'start_date=2080-01-01&end_date=2099-12-31';
/** Rows that a list may look at per event, for its page and its total together: each event has some twenty rows of meta. */
const MAX_PER_EVENT = 8;

/** The plans that a server finds for long lists, by the rows that it looks at. */
(serverMissing() ? describe.skip : describe)(`long lists on ${SERVER_NAME}`, () => {
  let site: Site;
  let app: TestApp;
  let send: Send;

  beforeAll(async () => {
    site = await makeSite(SERVER_NAME);
    const env = { ...process.env, DATABASE_URL: site.url };
    await promisify(execFile)(process.execPath, [SEED, '--events', `${EVENTS}`, '--around', '2091-01-01'], {
      env,
    });
    // One connection, whose status says what a list looked at.
    app = await startApp({ databaseUrl: site.url, env: { CACHE: 'off', DATABASE_POOL_SIZE: '1' } });
    await app.dataSource.query(
      'ANALYZE TABLE wp_posts, wp_postmeta, wp_tec_occurrences, wp_term_relationships',
    );
    send = clientOf(app.url);
  });
  afterAll(async () => {
    await app?.close();
    await site?.drop();
  });

  const rowsRead = async () =>
    (await app.dataSource.query<{ Value: string }[]>("SHOW SESSION STATUS LIKE 'Handler_read%'")).reduce(
      (sum, { Value }) => sum + Number(Value),
      0,
    );

  it.each<[Caller, string]>([
    ['anonymous', ''],
    ['editor', ''],
    ['editor', 'orderby=title'],
    ['editor', 'orderby=modified'],
    ['editor', 'orderby=id'],
    ['editor', 'orderby=date'],
    ['anonymous', 'orderby=title'],
    ['editor', 'with_hidden=true'],
    ['author', 'with_hidden=true'],
    ['author', 'with_hidden=true&orderby=title'],
  ])('read few rows per event: %s, %s', async (caller, query) => {
    const before = await rowsRead();
    const { status, body } = await send(caller, 'GET', `/events?${WINDOW}&${query}`);
    expect([status, Number(body['total']) > EVENTS * 0.9]).toEqual([200, true]);
    expect(((await rowsRead()) - before) / EVENTS).toBeLessThan(MAX_PER_EVENT);
  });
});
