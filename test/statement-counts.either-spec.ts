import { startApp, type TestApp } from './support/app.js';
import { loadRecording } from './support/replay.js';
import { retry } from './support/retry.js';
import { describeEither, makeSite, type Site } from './support/sites.js';

const BASE = '/cal/events/v1';

/** Maximum number of statements of one list, without settings and authentication. */
const MAX_COUNT = 10;

/** Maximum number of statements on records to read one event, and to create one with a new venue and tag. */
const MAX_READ = 5;
const MAX_CREATE = 24;
/** Maximum number of all statements to create a plain event, authentication and response included. */
const MAX_PLAIN_CREATE = 14;
/** Maximum number of statements to change its title, and to trash it, each with a revision. */
const MAX_UPDATE = 20;
const MAX_TRASH = 21;

const EVER = 'start_date=2000-01-01&end_date=2099-12-31';

const EXTENSIONS =
  'geoloc_lat=0&geoloc_lng=0&geoloc_radius=20100&modified_after=2000-01-01&order=desc&_format=clean';

/** Each list without filters, and with all of its filters at once. */
const LISTS = [
  { list: 'events', filters: 'none', query: EVER },
  {
    list: 'events',
    filters: 'all',
    query: [
      `${EVER}&starts_after=2000-01-01&starts_before=2099-12-31&ends_after=2000-01-01&ends_before=2099-12-31`,
      `strict_dates=true&search=e&status=publish&featured=false&ticketed=false&geoloc=1&include=${range(53, 250)}`,
      `categories=music,arts,sports,food-drink&tags=${range(20, 34)}&venue=20,21,${range(23, 25)},${range(27, 34)}&organizer=${range(35, 50)},52`,
    ].join('&'),
  },
  { list: 'events', filters: 'extensions', query: `${EVER}&orderby=distance&${EXTENSIONS}` },
  { list: 'venues', filters: 'extensions', query: `orderby=distance&${EXTENSIONS}` },
  { list: 'venues', filters: 'none', query: '' },
  {
    list: 'venues',
    filters: 'all',
    query: 'search=a&event=53&has_events=1&only_with_upcoming=1&status=publish',
  },
  { list: 'organizers', filters: 'none', query: '' },
  {
    list: 'organizers',
    filters: 'all',
    query: 'search=n&event=120&has_events=1&only_with_upcoming=1&status=publish',
  },
  { list: 'categories', filters: 'none', query: 'hide_empty=0' },
  {
    list: 'categories',
    filters: 'all',
    query: `hide_empty=1&search=o&include=${range(2, 19)}&exclude=15&order=desc&orderby=count&parent=2&post=106`,
  },
  { list: 'tags', filters: 'none', query: 'hide_empty=0' },
  {
    list: 'tags',
    filters: 'all',
    query: `hide_empty=1&search=e&include=${range(20, 38)}&exclude=20&order=desc&orderby=slug&post=93`,
  },
];

const CASES = LISTS.flatMap((one) => ['anonymous', 'editor'].map((user) => ({ ...one, user })));

function range(first: number, last: number): string {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index).join(',');
}

describeEither('the number of statements', (database) => {
  const { users } = loadRecording('site-a/read');
  let site: Site;
  let app: TestApp;

  beforeAll(async () => {
    site = await makeSite(database);
    app = await startApp({ databaseUrl: site.url, env: { CACHE: 'off' } });
  });
  afterAll(async () => {
    await app?.close();
    await site?.drop();
  });

  const as = (user: string): Record<string, string> => {
    const { login, password } = users[user] ?? {};
    return login ? { Authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}` } : {};
  };

  /** Sends a request and throws when it takes more than `most` statements on records. */
  const askWithin = async (most: number, path: string, init: RequestInit) => {
    app.statements();
    const response = await fetch(app.url + BASE + path, init);
    if (!response.ok) throw new Error(await response.text());
    await response.text();
    const { records, sql } = app.statements();
    if (records > most) throw new Error(`${records} statements:\n${sql.join('\n')}`);
  };

  it.each(CASES)(
    'of $list for $user with filters $filters is the same for one record and many',
    async ({ list, query, user }) => {
      const ask = async (page: number, perPage: number) => {
        const response = await fetch(`${app.url}${BASE}/${list}?page=${page}&per_page=${perPage}&${query}`, {
          headers: as(user),
        });
        const body = (await response.json()) as Record<string, unknown[]>;
        if (response.status !== 200) throw new Error(JSON.stringify(body));
        return { count: body[list]?.length ?? 0, ...app.statements() };
      };
      await ask(1, 1);
      const many = await ask(1, 50);
      expect(many.count).toBeGreaterThan(0);
      // Not every record has an image or a venue, so the most expensive record counts.
      let most = 0;
      for (let page = 1; page <= many.count; page++) most = Math.max(most, (await ask(page, 1)).records);
      if (many.records > MAX_COUNT || many.records !== most)
        throw new Error(
          `${most} statements for one record, ${many.records} for ${many.count}:\n${many.sql.join('\n')}`,
        );
    },
  );

  it('of one event stays within the limit', async () => {
    await askWithin(MAX_READ, '/events/53', {});
    const { slug } = (await (await fetch(`${app.url}${BASE}/events/53`)).json()) as { slug: string };
    await askWithin(MAX_READ, `/events/by-slug/${slug}`, {});
    // Allow for an authenticated user needs no further statements.
    await askWithin(MAX_READ, '/events/53', { headers: as('editor') });
  });

  it('of creating an event with a new venue and a new tag stays within the limit', async () => {
    const body = {
      title: 'Counted',
      start_date: '2091-05-01 10:00:00',
      end_date: '2091-05-01 12:00:00',
      venue: { venue: 'Counted hall', city: 'Graz' },
      tags: ['counted'],
    };
    await askWithin(MAX_CREATE, '/events', {
      method: 'POST',
      headers: { ...as('editor'), 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  });

  it('of creating, updating and trashing a plain event with warm caches stays within the limits', async () => {
    const cachingApp = await startApp({ databaseUrl: site.url });
    const send = async (method: string, path: string, body?: object) => {
      const response = await fetch(`${cachingApp.url}${BASE}${path}`, {
        method,
        headers: { ...as('editor'), 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
      const json = (await response.json()) as Record<string, unknown>;
      expect([method, response.ok, json]).toEqual([
        method,
        true,
        expect.objectContaining({ id: json['id'] }),
      ]);
      return { id: Number(json['id']) };
    };
    const dates = { start_date: '2026-05-01 10:00:00', end_date: '2026-05-01 12:00:00' };
    const create = async (title: string) => send('POST', '/events', { title, ...dates });
    const expectWithin = async (most: number, work: () => Promise<unknown>) => {
      cachingApp.statements();
      await work();
      const { sql } = cachingApp.statements();
      if (sql.length > most) throw new Error(`${sql.length} statements:\n${sql.join('\n')}`);
    };
    try {
      for (const title of ['Before', 'Seen', 'Again']) await create(title);
      await retry(async () => expectWithin(MAX_PLAIN_CREATE, () => create('One more')));
      await retry(async () => {
        const { id } = await create('Changed');
        await expectWithin(MAX_UPDATE, () => send('PUT', `/events/${id}`, { title: 'Otherwise' }));
        await expectWithin(MAX_TRASH, () => send('DELETE', `/events/${id}`));
      });
    } finally {
      await cachingApp.close();
    }
  });
});
