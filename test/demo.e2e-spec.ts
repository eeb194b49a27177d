import { writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { startApp, type TestApp } from './support/app.js';
import { basic, request } from './support/calendar-client.js';
import { brokenRows } from './support/invariants.js';
import { makeMariadbSite } from './support/mariadb.js';
import { type DatabaseName, describeDatabases, type Site } from './support/sites.js';
import { testFolder } from './support/test-folder.js';

const NOW = '2027-03-10T09:30:00Z';
type Body = Record<string, unknown>;

/** Starts a server and captures what it prints. */
async function start(
  databaseUrl: string,
  now = NOW,
  clockStands = false,
): Promise<{ app: TestApp; printed: string }> {
  const log = jest.spyOn(console, 'log').mockImplementation(() => undefined);
  try {
    const app = await startApp({ databaseUrl, now, clockStands, env: { LOG_LEVEL: 'silent' } });
    return { app, printed: log.mock.calls.flat().join('\n') };
  } finally {
    log.mockRestore();
  }
}

const get = async (app: TestApp, path: string, password?: string) =>
  (await request(app.url, 'GET', path, password === undefined ? {} : basic('admin', password))).body;

const passwordIn = (printed: string) => /"((?:\w{4} ){5}\w{4})"/.exec(printed)?.[1];

/** Runs in a new working directory, where the embedded database is stored. */
async function inNewFolder<T>(work: () => Promise<T>): Promise<T> {
  const before = process.cwd();
  process.chdir(await mkdtemp(join(testFolder(), 'demo-')));
  try {
    return await work();
  } finally {
    process.chdir(before);
  }
}

/** Every past and future event, as the owner of `password` sees it. */
async function allEvents(app: TestApp, password?: string): Promise<Body[]> {
  const events: Body[] = [];
  for (let page = 1, pages = 1; page <= pages; page++) {
    const body = await get(app, `/events?start_date=2000-01-01&per_page=50&page=${page}`, password);
    events.push(...(body['events'] as Body[]));
    pages = Number(body['total_pages']);
  }
  return events;
}

describe('the demo calendar', () => {
  let app: TestApp;
  let printed: string;
  let events: Body[];

  beforeAll(async () => {
    ({ app, printed } = await inNewFolder(() => start('')));
    events = await allEvents(app);
  });
  afterAll(() => app.close());

  it('accepts the printed application password of the administrator', async () => {
    const drafts = await get(app, '/events?status=draft&start_date=2000-01-01', passwordIn(printed));
    expect(drafts['total']).toBe(1);
  });

  it('contains at least sixty events around the present', async () => {
    expect(events.length).toBeGreaterThanOrEqual(60);
    const { total } = await get(app, '/events?start_date=2027-03-10&end_date=2027-04-10');
    expect(total).toBeGreaterThanOrEqual(20);
    const { total: past } = await get(app, '/events?start_date=2027-01-01&end_date=2027-03-08');
    expect(past).toBeGreaterThanOrEqual(8);
  });

  it('contains every kind of event', () => {
    const countEvents = (test: (event: Body) => unknown) => events.filter(test).length;
    const days = (event: Body, name: string) => String(event[name]).slice(0, 10);
    expect(new Set(events.map(({ timezone }) => timezone)).size).toBeGreaterThanOrEqual(6);
    expect(countEvents((event) => event['all_day'])).toBeGreaterThanOrEqual(4);
    expect(
      countEvents((event) => days(event, 'start_date') !== days(event, 'end_date')),
    ).toBeGreaterThanOrEqual(4);
    expect(countEvents(({ cost }) => cost === 'Free')).toBeGreaterThanOrEqual(10);
    expect(countEvents(({ cost }) => cost === '')).toBeGreaterThanOrEqual(2);
    expect(countEvents(({ cost }) => String(cost).includes(' – '))).toBeGreaterThanOrEqual(4);
    expect(countEvents(({ featured }) => featured)).toBeGreaterThanOrEqual(3);
    expect(countEvents(({ sticky }) => sticky)).toBe(1);
    // Fields of a password-protected event are masked, flags too.
    expect(countEvents(({ all_day }) => all_day === null)).toBe(1);
    expect(countEvents(({ venue }) => (venue as { venue?: string }).venue)).toBeGreaterThanOrEqual(50);
  });

  it('contains unpublished events', async () => {
    for (const status of ['draft', 'pending', 'private', 'future']) {
      const url = `/events?status=${status}&start_date=2000-01-01`;
      expect([status, (await get(app, url, passwordIn(printed)))['total']]).toEqual([status, 1]);
    }
  });

  it('contains venues, organizers, nested categories and tags', async () => {
    expect((await get(app, '/venues'))['total']).toBe(13);
    expect((await get(app, '/organizers'))['total']).toBe(8);
    const { categories } = await get(app, '/categories?per_page=50');
    const parents = (categories as Body[]).map(({ parent }) => parent);
    expect(parents.filter(Boolean).length).toBeGreaterThanOrEqual(8);
    expect((await get(app, '/tags'))['total']).toBeGreaterThanOrEqual(10);
  });

  it('gives the events of a series distinct slugs', () => {
    const market = events.filter(({ title }) => String(title).startsWith('Saturday Farmers'));
    expect(market.map(({ slug }) => slug)).toEqual([
      'saturday-farmers-market',
      ...[2, 3, 4, 5, 6, 7, 8, 9].map((number) => `saturday-farmers-market-${number}`),
    ]);
    expect(market.map(({ start_date }) => new Date(`${start_date}Z`).getUTCDay())).toEqual(Array(9).fill(6));
  });

  it('contains no inconsistent rows', async () => {
    expect(await brokenRows((sql) => app.dataSource.query(sql))).toEqual([]);
  });
});

describe('restarting the demo', () => {
  it('keeps the calendar and prints no password', () =>
    inNewFolder(async () => {
      const first = await start('');
      const before = await allEvents(first.app);
      await first.app.close();
      const second = await start('', '2027-05-01T00:00:00Z');
      expect(second.printed).toBe('');
      expect(await allEvents(second.app)).toEqual(before);
      await second.app.close();
    }));

  it('creates the same calendar at the same time', async () => {
    const rows = async () =>
      inNewFolder(async () => {
        // A start may take more than a second on a busy machine.
        const { app } = await start('', NOW, true);
        const found = await app.dataSource.query(
          'SELECT ID, post_date, post_title, post_name, guid, meta_key, meta_value FROM wp_posts ' +
            "LEFT JOIN wp_postmeta ON post_id = ID AND meta_key <> '_tribe_modified_fields' ORDER BY ID, meta_id",
        );
        await app.close();
        return found;
      });
    expect(await rows()).toEqual(await rows());
  });
});

describeDatabases('an empty database', (database) => {
  let site: Site;
  let app: TestApp;
  let printed: string;

  beforeAll(async () => {
    site = await emptyDatabase(database);
    ({ app, printed } = await start(site.url));
  });
  afterAll(async () => {
    await app.close();
    await site.drop();
  });

  it('becomes a site without events', async () => {
    expect((await get(app, '/events?start_date=2000-01-01'))['total']).toBe(0);
    expect((await get(app, '/venues'))['total']).toBe(0);
    expect(await brokenRows((sql) => app.dataSource.query(sql))).toEqual([]);
  });

  it('gets an administrator who may create events', async () => {
    const { headers } = await request(app.url, 'GET', '/events', basic('admin', passwordIn(printed) ?? ''));
    expect(headers.get('Allow')).toBe('GET, POST');
  });

  it('is not set up again by the next start', async () => {
    const restarted = await start(site.url);
    expect(restarted.printed).toBe('');
    expect(await restarted.app.dataSource.query('SELECT COUNT(*) AS users FROM wp_users')).toEqual([
      expect.objectContaining({ users: expect.anything() }),
    ]);
    await restarted.app.close();
  });
});

async function emptyDatabase(database: DatabaseName): Promise<Site> {
  const folder = await mkdtemp(join(testFolder(), 'empty-'));
  if (database === 'SQLite') return { url: `sqlite:${join(folder, 'site.db')}`, drop: async () => {} };
  const dump = join(folder, 'empty.sql');
  writeFileSync(dump, '');
  return makeMariadbSite(dump);
}
