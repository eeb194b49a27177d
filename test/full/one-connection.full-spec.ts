import { startApp, type TestApp } from '../support/app.js';
import { clientOf, type Reply, type Send } from '../support/calendar-client.js';
import { type Ask, brokenRows } from '../support/invariants.js';
import { serverMissing } from '../support/mariadb.js';
import { askOf } from '../support/own-mariadb.js';
import { makeSite, SERVER_NAME, type Site } from '../support/sites.js';
import { EVENT } from '../support/write-fixture.js';

/** Writes per kind; there are twelve kinds. */
const EACH = 10;
const READS = [
  '/events?per_page=50',
  '/events?search=a&tags=20',
  '/venues?search=a',
  '/organizers',
  '/categories',
  '/tags',
];

(serverMissing() ? describe.skip : describe)('one connection for everything', () => {
  let site: Site;
  let app: TestApp;
  let send: Send;
  let ask: Ask;

  beforeAll(async () => {
    site = await makeSite(SERVER_NAME);
    app = await startApp({ databaseUrl: site.url, env: { DATABASE_POOL_SIZE: '1' } });
    send = clientOf(app.url);
    ask = askOf(site.url);
  });
  afterAll(async () => {
    await app?.close();
    await site?.drop();
  });

  const make = async (path: string, fields: Record<string, unknown>) => {
    const { status, body } = await send('admin', 'POST', path, fields);
    expect(status).toBe(201);
    return Number(body['id']);
  };

  it('serves 120 writes of every kind and as many reads at once on one connection', async () => {
    const broken = await brokenRows(ask);
    const numbers = Array.from({ length: EACH }, (_, number) => number);
    const known = new Map<string, number[]>();
    for (const [path, fields] of [
      ['/events', EVENT],
      ['/venues', { venue: 'Known' }],
      ['/organizers', { organizer: 'Known' }],
      ['/categories', { name: 'Known' }],
      ['/tags', { name: 'Known' }],
    ] as const) {
      const ids: number[] = [];
      for (const n of [...numbers, ...numbers.map((number) => number + EACH)])
        ids.push(
          await make(
            path,
            Object.fromEntries(
              Object.entries(fields).map(([key, value]) => [
                key,
                path === '/events' ? value : `${value} ${n}`,
              ]),
            ),
          ),
        );
      known.set(path, ids);
    }
    const id = (path: string, n: number) => `${path}/${known.get(path)?.[n]}`;
    const inline = (n: number) => ({
      tags: [`New ${n % 3}`, `Own ${n}`],
      categories: [`New ${n % 4}`],
      venue: { venue: `New hall ${n % 3}` },
      organizer: [{ organizer: `New people ${n}` }, known.get('/organizers')?.[n]],
    });
    const kinds: ((n: number) => Promise<Reply>)[] = [
      (n) => send('admin', 'POST', '/events', { ...EVENT, ...inline(n) }),
      (n) =>
        send('editor', 'PUT', id('/events', n), {
          ...inline(n + EACH),
          title: `Changed ${n}`,
          start_date: '2091-05-01',
        }),
      (n) => send('admin', 'DELETE', id('/events', n + EACH)),
      (n) => send('admin', 'POST', '/venues', { venue: `Made ${n}` }),
      (n) => send('admin', 'PUT', id('/venues', n), { city: `City ${n}` }),
      (n) => send('admin', 'DELETE', id('/venues', n + EACH)),
      (n) => send('editor', 'POST', '/organizers', { organizer: `Made ${n}` }),
      (n) => send('admin', 'DELETE', id('/organizers', n + EACH)),
      (n) =>
        send('admin', 'POST', '/categories', { name: `Made ${n}`, parent: known.get('/categories')?.[n] }),
      (n) => send('admin', 'DELETE', id('/categories', n + EACH)),
      (n) => send('admin', 'PUT', id('/tags', n), { name: `Renamed ${n}` }),
      (n) => send('admin', 'DELETE', id('/tags', n + EACH)),
    ];
    const sent = numbers.flatMap((n) =>
      kinds.flatMap((write, kind) => [
        write(n),
        send(kind % 2 === 0 ? 'anonymous' : 'editor', 'GET', READS[kind % READS.length] as string),
      ]),
    );
    const replies = await Promise.all(sent);
    const failed = replies.filter(({ status }) => status !== 200 && status !== 201);
    expect(failed.map(({ status, body }) => `${status} ${body['code']}`)).toEqual([]);
    expect(replies).toHaveLength(2 * kinds.length * EACH);
    expect(await brokenRows(ask)).toEqual(broken);
  });
});
