import { METHODS } from 'node:http';
import index from './fixtures/contract/namespace-index-skeleton.json' with { type: 'json' };
import { credentials } from './support/calendar-client.js';
import { ODD_BODIES } from './support/malformed-bodies.js';
import {
  SeededRandom,
  KNOWN_RECORDS,
  UNUSUAL_JSON,
  UNUSUAL_VALUES,
  SHAPES,
} from './support/unusual-values.js';
import { type RawRequest, rawRequest } from './support/raw-request.js';
import { describeMany } from './support/sites.js';
import { expectValid, type LoggedServer, startLoggedServer } from './support/valid-responses.js';

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

function fill(path: string): string {
  const [id = '1', slug = 'x'] = KNOWN_RECORDS[path.split('/')[4] ?? ''] ?? [];
  return path.replace('ID', id).replace('SLUG', slug);
}

const json = (body: string | Buffer) => ({ headers: { 'Content-Type': 'application/json' }, body });

/** Odd values of the parameters that a route takes, by parameter; then of those that all take, and of several at once. */
function oddQueries({ path, names }: (typeof ROUTES)[number]): [what: string, requests: RawRequest[]][] {
  const dice = new SeededRandom(path.length);
  // One record is enough to go the whole way through a list.
  const short = names.includes('per_page') ? 'per_page=1&' : '';
  const bytes = Array.from({ length: 30 }, () => dice.bytes());
  const ask = (query: string): RawRequest => ({
    path: `${fill(path)}?${short}${query}`,
    headers: dice.roll(4) === 0 ? credentials('editor') : {},
  });
  const odd = (name: string) => ask(dice.pick(SHAPES)(name, dice.pick([...UNUSUAL_VALUES, ...bytes])));
  const several = () =>
    Array.from({ length: 5 }, () => odd(dice.pick([...names, ...COMMON, ...bytes])))
      .map((one) => one.path.slice(one.path.indexOf('?') + 1))
      .join('&');
  const all: [string, RawRequest[]][] = [
    ...names.map((name): [string, RawRequest[]] => [
      name,
      [
        ...dice.some(24, [...UNUSUAL_VALUES, ...bytes]).map((value) => ask(`${name}=${value}`)),
        ...dice.some(9, SHAPES).map((shape) => ask(shape(name, dice.pick(UNUSUAL_VALUES)))),
        ...dice
          .some(9, UNUSUAL_JSON)
          .map((value) => ({ ...ask(''), ...json(`{${JSON.stringify(name)}:${value}}`) })),
      ],
    ]),
    ['parameters of every route', COMMON.flatMap((name) => Array.from({ length: 9 }, () => odd(name)))],
    ['several parameters at once, some undeclared', Array.from({ length: 60 }, () => ask(several()))],
  ];
  // Node itself refuses longer ones.
  return all.map(([what, requests]) => [what, requests.filter((request) => request.path.length < 15_000)]);
}

/** Paths with something odd in them, by where it stands. */
function oddPaths(): [what: string, paths: string[]][] {
  const dice = new SeededRandom(1);
  const parts = [
    ...UNUSUAL_VALUES.filter((value) => value !== ''),
    ...Array.from({ length: 40 }, () => dice.bytes()),
  ];
  const templates = ROUTES.map(({ path }) => path).filter((path) => /ID|SLUG/.test(path));
  return [
    ...[...templates, `${BASE}/ID`, '/?rest_route=ID'].map((template): [string, string[]] => [
      template,
      parts.map((part) => template.replace(/ID|SLUG/, part)),
    ]),
    [
      'slashes, dots and addresses that are almost right',
      [
        ...['/', '//', '/..', '/.', '/%2e%2e/', `${BASE}//events`, `${BASE}/events//`, `${BASE}%2Fevents`],
        ...['/index.php', '/?rest_route[]=a', '/?rest_route=', `${BASE}/events/53/`, `${BASE}/events?`],
        '/wp-json',
      ],
    ],
    ...['bytes', 'other bytes'].map((what): [string, string[]] => [
      what,
      Array.from({ length: 100 }, () => `/${dice.bytes()}/${dice.bytes()}`),
    ]),
  ];
}

/** Values of headers that are read, by header. */
function oddHeaders(): [what: string, headers: Record<string, string>[]][] {
  const dice = new SeededRandom(2);
  const text = () =>
    Buffer.from(Array.from({ length: 1 + dice.roll(60) }, () => 32 + dice.roll(95))).toString();
  const base64 = () =>
    Buffer.from(Array.from({ length: dice.roll(60) }, () => dice.roll(256))).toString('base64');
  const names = ['Cookie', 'X-WP-Nonce', 'Origin', 'Accept', 'Content-Type'];
  return [
    ['Authorization: Basic', Array.from({ length: 100 }, () => ({ Authorization: `Basic ${base64()}` }))],
    ['Authorization', Array.from({ length: 40 }, () => ({ Authorization: text() }))],
    ...[...names, 'X-Forwarded-For', 'X-Forwarded-Proto'].map((name): [string, Record<string, string>[]] => [
      name,
      Array.from({ length: 20 }, () => ({ [name]: text() })),
    ]),
    [
      'login cookies with a nonce',
      Array.from({ length: 40 }, () => ({
        Cookie: `wordpress_logged_in_${'0'.repeat(32)}=${dice.bytes()}%7C${dice.roll(2 ** 31)}%7C${text().replace(/;/g, '')}`,
        'X-WP-Nonce': '0123456789',
      })),
    ],
  ];
}

/** Odd bodies and random bytes of each type, with the methods that may have one. */
function oddBodies(): [type: string, requests: RawRequest[]][] {
  const dice = new SeededRandom(3);
  const junk = (length: number) => Buffer.from(Array.from({ length }, () => dice.roll(256)));
  const paths = ['events', 'venues', 'tags', 'events/53', 'categories/3'];
  return Object.entries(ODD_BODIES).map(([type, bodies]) => [
    type || 'no type',
    [...bodies, junk(40), junk(3000)].flatMap((body) =>
      ['GET', 'POST', 'PUT', 'DELETE'].map(
        (method): RawRequest => ({
          method,
          path: `${BASE}/${dice.pick(paths)}`,
          headers: type === '' ? {} : { 'Content-Type': type },
          body,
        }),
      ),
    ),
  ]);
}

// CONNECT asks for a tunnel and never reaches the application.
const SENT_METHODS = METHODS.filter((method) => method !== 'CONNECT');
const OTHER_METHODS = [
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

/** Requests that no client means to send: each is answered as the interface answers, and none is the server's fault. */
describeMany('odd requests', (database, few) => {
  let server: LoggedServer;
  const sound = (requests: readonly RawRequest[]) => expectValid(server, few(requests));

  beforeAll(async () => {
    server = await startLoggedServer(database);
  });
  afterAll(() => server?.close());

  describe.each(ROUTES)('values in GET $path', (route) => {
    it.each(oddQueries(route))('%s', (_what, requests) => sound(requests));
  });

  describe('paths', () => {
    it.each(oddPaths())('%s', (_where, paths) => sound(paths.map((path) => ({ path }))));
  });

  describe('methods', () => {
    it.each(ROUTES)('of $path', ({ path }) =>
      sound([
        ...SENT_METHODS.map((method) => ({ method, path: fill(path) })),
        ...OTHER_METHODS.map((method) => ({ path: `${fill(path)}?_method=${method}` })),
      ]),
    );

    it('in a header', () =>
      sound(
        OTHER_METHODS.map((method) => ({
          path: `${BASE}/events?per_page=1`,
          headers: { 'X-HTTP-Method-Override': method },
        })),
      ));
  });

  describe('headers', () => {
    it.each(oddHeaders())('%s', (_name, values) =>
      sound(values.map((headers) => ({ path: `${BASE}/events?per_page=1`, headers }))),
    );
  });

  describe('bodies', () => {
    it.each(oddBodies())('%s', (_type, requests) => sound(requests));
  });

  it('an address longer than Node takes', async () => {
    const answer = await rawRequest(server.url, { path: `${BASE}/events?search=${'a'.repeat(100_000)}` });
    expect(answer.status).toBe(431);
    await sound([{ path: `${BASE}/events?per_page=1` }]);
  });

  it('a body past the limit', async () => {
    const answer = await rawRequest(server.url, {
      path: `${BASE}/events`,
      ...json(`"${'a'.repeat(2 * 1024 * 1024)}"`),
    });
    expect(answer.status).toBe(413);
    expect(JSON.parse(answer.text)).toMatchObject({ data: { status: 413 } });
  });
});
