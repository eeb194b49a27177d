import { METHODS } from 'node:http';
import index from './fixtures/contract/namespace-index-skeleton.json' with { type: 'json' };
import { startApp, type TestApp } from './support/app.js';
import { Dice, ODD_JSON, ODD_VALUES, SHAPES } from './support/odd-values.js';
import { type RawRequest, rawRequest } from './support/raw-request.js';
import { loadRecording } from './support/replay.js';
import { describeDatabases, makeSite, type Site } from './support/sites.js';
import { ErrorLog, expectSound } from './support/sound-answers.js';

const BASE = '/cal/events/v1';

/** Parameters that every route understands. */
const COMMON = [
  '_fields',
  '_envelope',
  '_jsonp',
  '_pretty',
  '_embed',
  '_locale',
  '_wpnonce',
  'context',
  'password',
];

/** A route of the recorded index: its path with `ID` and `SLUG` to be filled in, and what GET takes. */
const ROUTES = Object.entries(index.routes).map(([pattern, { endpoints }]) => ({
  path: pattern
    .replace('/tribe/events/v1', BASE)
    .replace(/\(\?P<id>[^/]*\)/, 'ID')
    .replace(/\(\?P<slug>.*\)/, 'SLUG'),
  names: endpoints.flatMap(({ methods, args }) => (methods.includes('GET') ? Object.keys(args) : [])),
}));

/** An id and a slug that exist, so that parameters are looked at. */
const KNOWN: Readonly<Record<string, readonly [id: string, slug: string]>> = {
  events: ['53', 'opening-night'],
  venues: ['9', 'town-hall'],
  organizers: ['35', 'jane-doe'],
  categories: ['3', ''],
  tags: ['20', ''],
};

function fill(path: string): string {
  const [id = '1', slug = 'x'] = KNOWN[path.split('/')[4] ?? ''] ?? [];
  return path.replace('ID', id).replace('SLUG', slug);
}

const json = (body: string | Buffer) => ({ headers: { 'Content-Type': 'application/json' }, body });

describeDatabases('odd requests', (database) => {
  const { users } = loadRecording('site-a/read');
  const basic = (user: { login: string; password: string } | undefined) =>
    `Basic ${Buffer.from(`${user?.login}:${user?.password}`).toString('base64')}`;
  let site: Site;
  let app: TestApp;
  const log = new ErrorLog();
  const sound = (requests: readonly RawRequest[]) => expectSound(app.url, requests, log);

  beforeAll(async () => {
    site = await makeSite(database);
    app = await startApp({ databaseUrl: site.url });
    app.nest.useLogger(log);
  });
  afterAll(async () => {
    await app?.close();
    await site?.drop();
  });

  it.each(ROUTES)('every parameter of GET $path', async ({ path, names }) => {
    const dice = new Dice(path.length);
    // One record is enough to go the whole way through a list.
    const short = names.includes('per_page') ? 'per_page=1&' : '';
    const bytes = Array.from({ length: 30 }, () => dice.bytes());
    const ask = (query: string): RawRequest => ({
      path: `${fill(path)}?${short}${query}`,
      headers: dice.roll(4) === 0 ? { Authorization: basic(users['editor']) } : {},
    });
    const odd = (name: string) => ask(dice.pick(SHAPES)(name, dice.pick([...ODD_VALUES, ...bytes])));
    const requests = [
      ...names.flatMap((name) => [
        ...dice.some(24, [...ODD_VALUES, ...bytes]).map((value) => ask(`${name}=${value}`)),
        ...dice.some(9, SHAPES).map((shape) => ask(shape(name, dice.pick(ODD_VALUES)))),
        ...dice
          .some(9, ODD_JSON)
          .map((value) => ({ ...ask(''), ...json(`{${JSON.stringify(name)}:${value}}`) })),
      ]),
      ...COMMON.flatMap((name) => Array.from({ length: 9 }, () => odd(name))),
      // Several at once, and names that nobody declared.
      ...Array.from({ length: 60 }, () => {
        const several = Array.from({ length: 5 }, () => odd(dice.pick([...names, ...COMMON, ...bytes])));
        return ask(several.map((one) => one.path.slice(one.path.indexOf('?') + 1)).join('&'));
      }),
    ];
    // Node itself refuses longer ones.
    await sound(requests.filter((request) => request.path.length < 15_000));
  });

  it('odd ids, slugs and paths', async () => {
    const dice = new Dice(1);
    const parts = [
      ...ODD_VALUES.filter((value) => value !== ''),
      ...Array.from({ length: 40 }, () => dice.bytes()),
    ];
    const templates = ROUTES.map(({ path }) => path).filter((path) => /ID|SLUG/.test(path));
    await sound([
      ...templates.flatMap((path) => parts.map((part) => ({ path: path.replace(/ID|SLUG/, part) }))),
      ...parts.map((part) => ({ path: `${BASE}/${part}` })),
      ...parts.map((part) => ({ path: `/?rest_route=${part}` })),
      ...['/', '//', '/..', '/.', '/%2e%2e/', `${BASE}//events`, `${BASE}/events//`, `${BASE}%2Fevents`].map(
        (path) => ({
          path,
        }),
      ),
      ...[
        '/index.php',
        '/?rest_route[]=a',
        '/?rest_route=',
        `${BASE}/events/53/`,
        `${BASE}/events?`,
        '/wp-json',
      ].map((path) => ({ path })),
      ...Array.from({ length: 200 }, () => ({ path: `/${dice.bytes()}/${dice.bytes()}` })),
    ]);
  });

  it('odd methods', async () => {
    // CONNECT asks for a tunnel and never reaches the application.
    const methods = METHODS.filter((method) => method !== 'CONNECT');
    const overrides = [
      '',
      'get',
      'FOO',
      'head',
      'a'.repeat(3000),
      '%00',
      '%ff',
      '__proto__',
      '[]',
      'GET%20/',
    ];
    await sound([
      ...ROUTES.flatMap(({ path }) => methods.map((method) => ({ method, path: fill(path) }))),
      ...ROUTES.flatMap(({ path }) =>
        overrides.map((method) => ({ path: `${fill(path)}?_method=${method}` })),
      ),
      ...overrides.map((method) => ({
        path: `${BASE}/events?per_page=1`,
        headers: { 'X-HTTP-Method-Override': method },
      })),
    ]);
  });

  it('odd headers', async () => {
    const dice = new Dice(2);
    const text = () =>
      Buffer.from(Array.from({ length: 1 + dice.roll(60) }, () => 32 + dice.roll(95))).toString();
    const base64 = () =>
      Buffer.from(Array.from({ length: dice.roll(60) }, () => dice.roll(256))).toString('base64');
    const names = [
      'Cookie',
      'X-WP-Nonce',
      'Origin',
      'Accept',
      'Content-Type',
      'X-Forwarded-For',
      'X-Forwarded-Proto',
    ];
    await sound(
      [
        ...Array.from({ length: 100 }, () => ({ Authorization: `Basic ${base64()}` })),
        ...Array.from({ length: 40 }, () => ({ Authorization: text() })),
        ...names.flatMap((name) => Array.from({ length: 20 }, () => ({ [name]: text() }))),
        ...Array.from({ length: 40 }, () => ({
          Cookie: `wordpress_logged_in_${'0'.repeat(32)}=${dice.bytes()}%7C${dice.roll(2 ** 31)}%7C${text().replace(/;/g, '')}`,
          'X-WP-Nonce': '0123456789',
        })),
      ].map((headers) => ({ path: `${BASE}/events?per_page=1`, headers })),
    );
  });

  it('odd bodies', async () => {
    const dice = new Dice(3);
    const junk = (length: number) => Buffer.from(Array.from({ length }, () => dice.roll(256)));
    const json = [
      ...[
        '{',
        '[',
        '"',
        'nul',
        '1',
        'null',
        '""',
        '[]',
        '{}',
        '[[1]]',
        '{"page":1e999}',
        '{"page":{}}',
        '\ufeff{}',
      ],
      ...[
        '{"page":[[]]}',
        '{"__proto__":{"page":"x"}}',
        '{"page":null}',
        '{"search":"\\ud800"}',
        '{"search":"\\u0000"}',
      ],
      ...[
        '{"page":9007199254740993}',
        '{"include":[1,"a",null,{}]}',
        '{"categories":true}',
        '{"venue":-0.0}',
      ],
      `${'['.repeat(100_000)}`,
      `${'['.repeat(600)}${']'.repeat(600)}`,
      `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`,
    ];
    const form = [
      '&',
      '=',
      'a',
      'page[',
      'page=%',
      '%00=1',
      `page${'[x]'.repeat(500)}=1`,
      'a=1&'.repeat(5000),
    ];
    const part = '--b\r\nContent-Disposition: form-data; name=';
    const multipart = [
      ...[
        '',
        '--b',
        '--b--',
        `${part}"a"\r\n\r\n1\r\n--b--`,
        `${part}"a[b\r\n\r\n1`,
        `${part}"a"; filename="x"\r\n\r\n`,
      ],
      ...[
        `${part}"\0"\r\n\r\n\0\r\n--b--\r\n`,
        `${part}"a"\r\n`.repeat(3000),
        '--b\r\nContent-Disposition\r\n\r\n\r\n--b--',
      ],
    ];
    const types: [string, (string | Buffer)[]][] = [
      ['application/json', json],
      ['application/x+json; charset=latin1', json],
      ['application/x-www-form-urlencoded', form],
      ['multipart/form-data; boundary=b', multipart],
      ['multipart/form-data', multipart],
      [`multipart/form-data; boundary="${'b'.repeat(300)}`, multipart],
      ['text/plain', json],
      ['', form],
      ['a/b; =; ;', form],
    ];
    await sound(
      types.flatMap(([type, bodies]) =>
        [...bodies, junk(40), junk(3000)].flatMap((body) =>
          ['GET', 'POST', 'PUT', 'DELETE'].map(
            (method): RawRequest => ({
              method,
              path: `${BASE}/${dice.pick(['events', 'venues', 'tags', 'events/53', 'categories/3'])}`,
              headers: type === '' ? {} : { 'Content-Type': type },
              body,
            }),
          ),
        ),
      ),
    );
  });

  it('an address longer than Node takes', async () => {
    const answer = await rawRequest(app.url, { path: `${BASE}/events?search=${'a'.repeat(100_000)}` });
    expect(answer.status).toBe(431);
    await sound([{ path: `${BASE}/events?per_page=1` }]);
  });

  it('a body past the limit', async () => {
    const answer = await rawRequest(app.url, {
      path: `${BASE}/events`,
      ...json(`"${'a'.repeat(2 * 1024 * 1024)}"`),
    });
    expect(answer.status).toBe(413);
    expect(JSON.parse(answer.text)).toMatchObject({ data: { status: 413 } });
  });
});
