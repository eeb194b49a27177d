import { asMap, serialize, unserialize } from '../../src/lib/wordpress-text/php-serialize.js';
import { RECORDED_NOW, startApp, type TestApp } from '../support/app.js';
import {
  basic,
  type Caller,
  clientOf,
  credentials,
  type Reply,
  request,
  userId,
} from '../support/calendar-client.js';
import { loginCookie, nonceHeader, SECRETS, sessionTokens } from '../support/login-cookie.js';
import { serverMissing } from '../support/mariadb.js';
import {
  CALLERS,
  type Cell,
  expected,
  OPERATIONS,
  OWNERS,
  ROUTES,
  STATUSES,
  TYPES,
} from '../support/matrix-table.js';
import { makeSite, SERVER_NAME, type Site } from '../support/sites.js';

/** Collections, and the field of a record's name. */
const PATHS = {
  event: ['events', 'title'],
  venue: ['venues', 'venue'],
  organizer: ['organizers', 'organizer'],
  category: ['categories', 'name'],
  tag: ['tags', 'name'],
} as const;

/** Owners of each caller's own records; the invalid credentials belong to an author and an administrator. */
const USERS: Readonly<Record<Cell['caller'], Caller>> = {
  anonymous: 'anonymous',
  subscriber: 'subscriber',
  contributor: 'contributor',
  author: 'author',
  editor: 'editor',
  administrator: 'admin',
  'wrong password': 'author',
  'revoked application password': 'author',
  'cookie without nonce': 'admin',
  'expired nonce': 'admin',
};

const NOW = Date.parse(RECORDED_NOW) / 1000;
const HOME = 'http://calendar.example.org';
const REVOKED = 'Revoked0Password0Of0Author';
const MISSING = {} as Reply['body'];

/** All combinations. */
function* cells(): Generator<Cell> {
  for (const type of TYPES)
    for (const operation of OPERATIONS)
      for (const route of ROUTES)
        for (const status of STATUSES)
          for (const owner of OWNERS)
            for (const caller of CALLERS) yield { caller, owner, status, operation, type, route };
}

interface CreatedRecord {
  id: number;
  slug: string;
}

describe('the permissions of each role', () => {
  let site: Site;
  let app: TestApp;
  let headers: Record<Cell['caller'], Record<string, string>>;
  let number = 0;
  const records = new Map<string, Promise<CreatedRecord>>();
  const lists = new Map<string, Promise<Set<unknown> | string>>();

  beforeAll(async () => {
    site = await makeSite(serverMissing() ? 'SQLite' : SERVER_NAME);
    app = await startApp({ databaseUrl: site.url, env: { RATE_LIMIT: 'off', ...SECRETS } });
    headers = await signIns();
  });
  afterAll(async () => {
    await app?.close();
    await site?.drop();
  });

  const row = async (sql: string) => ((await app.dataSource.query(sql)) as Reply['body'][])[0] ?? MISSING;

  async function signIns(): Promise<typeof headers> {
    const admin = await row('SELECT user_login, user_pass FROM wp_users WHERE ID = 1');
    await app.dataSource.query(
      `INSERT INTO wp_usermeta (user_id, meta_key, meta_value) VALUES (1, 'session_tokens', '${sessionTokens(NOW)}')`,
    );
    const user = { login: String(admin['user_login']), passHash: String(admin['user_pass']) };
    const cookie = loginCookie(user, HOME, NOW);
    const roles = { subscriber: {}, contributor: {}, author: {}, editor: {} };
    for (const role of Object.keys(roles) as (keyof typeof roles)[]) roles[role] = credentials(role);
    return {
      anonymous: {},
      ...roles,
      administrator: credentials('admin'),
      'wrong password': basic('author1', 'not the password'),
      'revoked application password': await revokedPassword(),
      'cookie without nonce': cookie,
      'expired nonce': { ...cookie, ...nonceHeader(1, NOW, 2) },
    };
  }

  /** Credentials that worked until their entry was removed from the user's list. */
  async function revokedPassword(): Promise<Record<string, string>> {
    const where = `user_id = ${userId('author')} AND meta_key = '_application_passwords'`;
    const before = String((await row(`SELECT meta_value AS value FROM wp_usermeta WHERE ${where}`))['value']);
    const entries = new Map(asMap(unserialize(before)));
    // A bcrypt hash of REVOKED, as older versions stored them.
    const hash = '$2y$04$mM4s7v7bqA4qZeXEFwqJI.gOW6z5G4TyJF/IhJCa8Zycy9ARP/XoS';
    entries.set(entries.size, new Map([...asMap(entries.get(0)), ['password', hash]]));
    const save = (value: string) =>
      app.dataSource.query(`UPDATE wp_usermeta SET meta_value = '${value}' WHERE ${where}`);
    await save(serialize(entries));
    const authorization = basic('author1', REVOKED);
    const used = await request(app.url, 'GET', '/events?status=draft', authorization);
    if (used.status !== 200) throw new Error('the password must work before it is revoked');
    await save(before);
    return authorization;
  }

  it('accept a login cookie with its nonce, so that rejections below are due to the nonce', async () => {
    const cookie = headers['cookie without nonce'];
    for (const halfDaysAgo of [0, 1])
      expect(
        await request(app.url, 'GET', '/events?status=draft', {
          ...cookie,
          ...nonceHeader(1, NOW, halfDaysAgo),
        }),
      ).toMatchObject({ status: 200 });
    expect(await request(app.url, 'GET', '/events?status=draft', cookie)).toMatchObject({ status: 400 });
  });

  /** A record of a type and status; shared by all uses except deletion. */
  function record(cell: Cell): Promise<CreatedRecord> {
    const other = USERS[cell.caller] === 'author' ? 'contributor' : 'author';
    const author = cell.owner === 'own' ? USERS[cell.caller] : other;
    const isDeleted = cell.operation === 'delete';
    const key = [cell.type, cell.status, author, isDeleted && ++number].join();
    const created = records.get(key) ?? make(cell.type, cell.status, author);
    records.set(key, created);
    return created;
  }

  async function make(type: Cell['type'], status: Cell['status'], author: Caller): Promise<CreatedRecord> {
    const [collection, name] = PATHS[type];
    const admin = clientOf(app.url);
    const title = `Matrix ${type} ${++number}`;
    const isTerm = type === 'category' || type === 'tag';
    const stored = { trash: 'draft', password: 'publish' }[status as string] ?? status;
    const { status: answer, body } = await admin('admin', 'POST', `/${collection}`, {
      [name]: title,
      ...(isTerm ? {} : { status: stored, author: userId(author) }),
      ...(status === 'future' ? { date: '2095-01-01 00:00:00' } : {}),
      ...(type === 'event'
        ? { start_date: '2091-05-01 10:00', end_date: '2091-05-01 12:00', slug: title }
        : {}),
    });
    if (answer !== 201) throw new Error(`${title}: ${answer} ${JSON.stringify(body)}`);
    const id = Number(body['id']);
    if (status === 'password')
      await app.dataSource.query(`UPDATE wp_posts SET post_password = 'secret' WHERE ID = ${id}`);
    if (status !== 'trash') return { id, slug: String(body['slug']) };
    const trashed = await admin('admin', 'DELETE', `/${collection}/${id}`);
    return { id, slug: String(trashed.body['slug']) };
  }

  /** The ids of all pages of a list, or the error. */
  function listed(caller: Cell['caller'], type: Cell['type'], status: Cell['status']) {
    const [collection] = PATHS[type];
    const filter =
      status === 'trash' ? '&status=trash' : type === 'category' || type === 'tag' ? '&hide_empty=0' : '';
    const read = async (): Promise<Set<unknown> | string> => {
      const ids = new Set<unknown>();
      for (let page = 1, pages = 1; page <= pages; page++) {
        const path = `/${collection}?per_page=50&page=${page}${filter}`;
        const reply = await request(app.url, 'GET', path, headers[caller]);
        if (reply.status !== 200) return said(reply);
        for (const item of reply.body[collection] as { id: number }[]) ids.add(item.id);
        pages = Number(reply.body['total_pages']);
      }
      return ids;
    };
    const key = [caller, type, filter].join();
    const list = lists.get(key) ?? read();
    lists.set(key, list);
    return list;
  }

  const said = ({ status, body }: Reply) => (status < 400 ? String(status) : `${status} ${body['code']}`);

  async function answer(cell: Cell): Promise<string> {
    const { id, slug } = await record(cell);
    if (cell.operation === 'list') {
      const ids = await listed(cell.caller, cell.type, cell.status);
      return typeof ids === 'string' ? ids : ids.has(id) ? '200 shown' : '200 absent';
    }
    const path = `/${PATHS[cell.type][0]}/${cell.route === 'id' ? id : `by-slug/${slug}`}`;
    const [method, body] = { read: ['GET'], update: ['PUT', { description: 'Changed' }], delete: ['DELETE'] }[
      cell.operation
    ] as [string, unknown?];
    return said(await request(app.url, method, path, headers[cell.caller], body));
  }

  const all = [...cells()];
  const due = all.filter((cell) => !expected(cell).startsWith('n/a'));

  it('have an entry in the table for every combination', () => {
    expect(all).toHaveLength(10 * 2 * 7 * 4 * 5 * 2);
    for (const cell of all)
      expect(expected(cell)).toMatch(/^(n\/a: .+|2\d\d( shown| absent)?|4\d\d [\w-]+)$/);
  });

  // Lists are read once per caller, when all records exist.
  it('have records to list', async () => {
    for (const cell of due) if (cell.operation !== 'delete') await record(cell);
  });

  it.each(OPERATIONS.flatMap((operation) => TYPES.map((type) => [operation, type] as const)))(
    '%s, %s',
    async (operation, type) => {
      const wrong: string[] = [];
      const ofBoth = due.filter((cell) => cell.operation === operation && cell.type === type);
      for (const cell of ofBoth) {
        const got = await answer(cell);
        if (got !== expected(cell))
          wrong.push(
            `${cell.caller}, ${cell.owner}, ${cell.status}, by ${cell.route}: ${expected(cell)}, got ${got}`,
          );
      }
      expect(ofBoth.length).toBeGreaterThan(0);
      expect(wrong).toEqual([]);
    },
  );
});
