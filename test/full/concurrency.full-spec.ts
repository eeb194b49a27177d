import { createConnection } from 'mysql2/promise';
import { type BuiltServer, startBuilt } from '../support/built-server.js';
import { clientOf, type Reply, type Send } from '../support/calendar-client.js';
import { type Ask, brokenRows } from '../support/invariants.js';
import { serverMissing } from '../support/mariadb.js';
import { askOf } from '../support/own-mariadb.js';
import { makeSite, SERVER_NAME, type Site } from '../support/sites.js';
import { EVENT } from '../support/write-fixture.js';

const PARALLEL = 200;

type Body = Reply['body'];

const describeHere = serverMissing() ? describe.skip : describe;

describeHere.each([[1], [2]])('200 concurrent writes, server processes: %d', (count: number) => {
  let site: Site;
  let servers: BuiltServer[];
  let ask: Ask;
  let broken: string[];
  let clients: Send[];

  beforeAll(async () => {
    site = await makeSite(SERVER_NAME);
    ask = askOf(site.url);
    broken = await brokenRows(ask);
    servers = [];
    for (let n = 0; n < count; n++) servers.push(await startBuilt(site.url));
    clients = servers.map(({ url }) => clientOf(url));
  });
  afterEach(async () => {
    expect(await brokenRows(ask)).toEqual(broken);
    for (const server of servers) expect(server.log()).toBe('');
  });
  afterAll(async () => {
    for (const server of servers ?? []) await server.kill();
    await site?.drop();
  });

  /** Sends all requests at once, spread over the servers; a 5xx must be 503 with Retry-After. */
  async function atOnce(
    write: (send: Send, number: number) => Promise<Reply>,
    many = PARALLEL,
  ): Promise<Reply[]> {
    const replies = await Promise.all(
      Array.from({ length: many }, (_, number) => write(clients[number % count] as Send, number)),
    );
    for (const { status, headers } of replies.filter((reply) => reply.status >= 500))
      expect([status, headers.get('Retry-After')]).toEqual([503, '1']);
    return replies;
  }
  const create = async (path: string, fields: Record<string, unknown>) => {
    const { status, body } = await (clients[0] as Send)('admin', 'POST', path, fields);
    expect(status).toBe(201);
    return body;
  };
  const get = async (path: string): Promise<Body> => (await (clients[0] as Send)('admin', 'GET', path)).body;
  const having = (replies: Reply[], status: number) => replies.filter((reply) => reply.status === status);
  /** The number of replies by status. */
  const statuses = (replies: Reply[]) => [...new Set(replies.map(({ status }) => status))].sort();

  it('give each event of the same title its own slug', async () => {
    const replies = await atOnce((send) =>
      send('admin', 'POST', '/events', { ...EVENT, title: 'All alike' }),
    );
    const created = having(replies, 201);
    expect(created.length).toBeGreaterThan(PARALLEL / 2);
    expect(statuses(replies).filter((status) => ![201, 503].includes(status))).toEqual([]);
    const slugs = new Set(created.map(({ body }) => body['slug']));
    expect(slugs.size).toBe(created.length);
    const numbered = Array.from({ length: created.length - 1 }, (_, n) => `all-alike-${n + 2}`);
    expect([...slugs].sort()).toEqual(['all-alike', ...numbered].sort());
  });

  it('give own slugs beside PHP, which writes posts without the write lock', async () => {
    const php = await createConnection(site.url);
    await php.query("SET SESSION sql_mode = ''");
    const saves: number[] = [];
    let isOver = false;
    const beside = (async () => {
      for (let number = 0; !isOver; number++) {
        await php.query(
          `INSERT INTO wp_posts (post_type, post_title, post_name, post_content, post_excerpt, to_ping, pinged, post_content_filtered)
           VALUES ('post', 'Beside', 'beside-${number}', '', '', '', '', '')`,
        );
        await php.query(
          `UPDATE wp_options SET option_value = '${Date.now() / 1000}' WHERE option_name = 'tribe_last_save_post'`,
        );
        saves.push(number);
      }
    })();
    const replies = await atOnce((send) => send('admin', 'POST', '/events', { ...EVENT, title: 'Beside' }));
    isOver = true;
    await beside;
    await php.end();
    const created = having(replies, 201);
    expect(statuses(replies).filter((status) => ![201, 503].includes(status))).toEqual([]);
    expect(created.length).toBeGreaterThan(PARALLEL / 2);
    expect(new Set(created.map(({ body }) => body['slug'])).size).toBe(created.length);
    expect(
      await ask("SELECT ID AS id FROM wp_posts WHERE post_type = 'post' AND post_title = 'Beside'"),
    ).toHaveLength(saves.length);
  });

  it.each(['categories', 'tags'])(
    'create one term of the %s with one name; the others get the conflict',
    async (collection) => {
      const name = `Only one of ${collection}`;
      const replies = await atOnce((send) => send('admin', 'POST', `/${collection}`, { name }));
      const [created, ...more] = having(replies, 201);
      expect(more).toEqual([]);
      for (const { body } of having(replies, 400))
        expect(body).toMatchObject({ code: 'term_exists', data: { term_id: created?.body['id'] } });
      expect(statuses(replies).filter((status) => ![201, 400, 503].includes(status))).toEqual([]);
      expect(await ask(`SELECT term_id AS id FROM wp_terms WHERE name = '${name}'`)).toHaveLength(1);
    },
  );

  it.each(['venue', 'organizer'])('create a %s of one name once and share it', async (name) => {
    const replies = await atOnce((send) =>
      send('admin', 'POST', `/${name}s`, { [name]: `The only ${name}` }),
    );
    const created = having(replies, 201);
    expect(statuses(replies).filter((status) => ![201, 503].includes(status))).toEqual([]);
    expect(new Set(created.map(({ body }) => body['id'])).size).toBe(1);
  });

  it('create inline records of events once, and count them', async () => {
    const names = { tags: ['Inline tag'], categories: ['Inline category'] };
    const linked = { venue: { venue: 'Inline hall' }, organizer: [{ organizer: 'Inline people' }] };
    const replies = await atOnce((send) =>
      send('admin', 'POST', '/events', { ...EVENT, ...names, ...linked }),
    );
    const created = having(replies, 201);
    const one = (key: string) =>
      new Set(
        created.map(({ body }) =>
          [body[key]]
            .flat()
            .map((x) => (x as Body)['id'])
            .join(),
        ),
      );
    for (const key of ['tags', 'categories', 'venue', 'organizer']) expect(one(key).size).toBe(1);
    const [tag] = [...one('tags')];
    expect(await get(`/tags/${tag}`)).toMatchObject({ name: 'Inline tag', count: created.length });
  });

  it('apply one of several updates of an event as a whole', async () => {
    const { id } = await create('/events', EVENT);
    const version = (number: number) => ({
      title: `Version ${number}`,
      cost: `${number + 1}`,
      website: `https://example.com/${number}`,
      start_date: `2091-06-01 10:${String(number % 60).padStart(2, '0')}:00`,
      tags: [`Version ${number % 3}`],
    });
    const replies = await atOnce((send, n) =>
      send('admin', 'PUT', `/events/${id}`, { ...version(n), end_date: '2091-06-02' }),
    );
    expect(having(replies, 200).length).toBeGreaterThan(PARALLEL / 2);
    const { title, ...event } = await get(`/events/${id}`);
    const number = Number(String(title).replace('Version ', ''));
    const { cost, website, start_date, tags } = version(number);
    expect(event).toMatchObject({ cost: `$${cost}`, website, start_date, tags: [{ name: tags[0] }] });
  });

  it('let one of several deletions succeed; the others find the record in the trash', async () => {
    for (const [path, fields] of [
      ['/events', EVENT],
      ['/venues', { venue: 'To go' }],
    ] as const) {
      const { id } = await create(path, fields);
      const replies = await atOnce((send) => send('admin', 'DELETE', `${path}/${id}`), 50);
      expect(having(replies, 200)).toHaveLength(1);
      expect(statuses(replies).filter((status) => ![200, 410, 503].includes(status))).toEqual([]);
    }
    const { id } = await create('/tags', { name: 'To go' });
    const replies = await atOnce((send) => send('admin', 'DELETE', `/tags/${id}`), 50);
    expect(having(replies, 200)).toHaveLength(1);
    expect(statuses(replies).filter((status) => ![200, 400, 404, 503].includes(status))).toEqual([]);
  });

  it('keep the invariants when writes of all kinds hit the same few records', async () => {
    const event = await create('/events', EVENT);
    const venue = await create('/venues', { venue: 'In the middle' });
    const category = await create('/categories', { name: 'In the middle' });
    const links = { venue: venue['id'], categories: [category['id']], tags: ['In the middle'] };
    const moves: ((send: Send, n: number) => Promise<Reply>)[] = [
      (send) =>
        send('admin', 'POST', '/events', {
          ...EVENT,
          title: 'In the middle',
          categories: ['In the middle'],
        }),
      (send, n) => send('admin', 'PUT', `/events/${event['id']}`, { ...links, title: `Moved ${n}` }),
      (send) => send('admin', 'PUT', `/events/${event['id']}`, { status: 'publish', tags: [] }),
      (send) => send('admin', 'DELETE', `/events/${event['id']}`),
      (send, n) => send('admin', 'PUT', `/venues/${venue['id']}`, { city: `City ${n}` }),
      (send) => send('admin', 'POST', '/events', { ...EVENT, venue: { venue: 'In the middle' } }),
      (send, n) => send('admin', 'PUT', `/categories/${category['id']}`, { description: `Described ${n}` }),
      (send) => send('admin', 'POST', '/tags', { name: 'In the middle' }),
    ];
    const replies = await atOnce((send, n) => (moves[n % moves.length] as (typeof moves)[number])(send, n));
    expect(statuses(replies).filter((status) => ![200, 201, 400, 410, 503].includes(status))).toEqual([]);
    const gone = await atOnce(
      (send, n) =>
        send('admin', 'DELETE', [`/venues/${venue['id']}`, `/categories/${category['id']}`][n % 2] as string),
      50,
    );
    expect(having(gone, 200).length).toBeGreaterThanOrEqual(2);
    const left = await ask(
      `SELECT meta_id AS id FROM wp_postmeta WHERE meta_key = '_EventVenueID' AND meta_value = '${venue['id']}'`,
    );
    expect(left).toEqual([]);
  });
});
