import { METHODS } from 'node:http';
import index from './fixtures/contract/namespace-index-skeleton.json' with { type: 'json' };
import { credentials } from './support/calendar-client.js';
import { ODD_BODIES } from './support/malformed-bodies.js';
import { type RawRequest, rawRequest } from './support/raw-request.js';
import { describeMany } from './support/sites.js';
import {
  KNOWN_RECORDS,
  SeededRandom,
  SHAPES,
  UNUSUAL_JSON,
  UNUSUAL_VALUES,
} from './support/unusual-values.js';
import { expectValid, type LoggedServer, startLoggedServer } from './support/valid-responses.js';

const BASE = '/cal/events/v1';

/** Parameters of every route. */
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

/** Routes of the recorded index: the path with the placeholders `ID` and `SLUG`, and the parameters of GET. */
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

/** Builds unusual values for each parameter of a route, for common parameters, and for several at once. */
function unusualQueries({ path, names }: (typeof ROUTES)[number]): [what: string, requests: RawRequest[]][] {
  const random = new SeededRandom(path.length);
  // One record is enough to run all code of a list.
  const short = names.includes('per_page') ? 'per_page=1&' : '';
  const bytes = Array.from({ length: 30 }, () => random.bytes());
  const ask = (query: string): RawRequest => ({
    path: `${fill(path)}?${short}${query}`,
    headers: random.roll(4) === 0 ? credentials('editor') : {},
  });
  const unusual = (name: string) =>
    ask(random.pick(SHAPES)(name, random.pick([...UNUSUAL_VALUES, ...bytes])));
  const several = () =>
    Array.from({ length: 5 }, () => unusual(random.pick([...names, ...COMMON, ...bytes])))
      .map((one) => one.path.slice(one.path.indexOf('?') + 1))
      .join('&');
  const all: [string, RawRequest[]][] = [
    ...names.map((name): [string, RawRequest[]] => [
      name,
      [
        ...random.some(24, [...UNUSUAL_VALUES, ...bytes]).map((value) => ask(`${name}=${value}`)),
        ...random.some(9, SHAPES).map((shape) => ask(shape(name, random.pick(UNUSUAL_VALUES)))),
        ...random
          .some(9, UNUSUAL_JSON)
          .map((value) => ({ ...ask(''), ...json(`{${JSON.stringify(name)}:${value}}`) })),
      ],
    ]),
    ['parameters of every route', COMMON.flatMap((name) => Array.from({ length: 9 }, () => unusual(name)))],
    ['several parameters at once, some undeclared', Array.from({ length: 60 }, () => ask(several()))],
  ];
  // Node itself rejects longer URLs.
  return all.map(([what, requests]) => [what, requests.filter((request) => request.path.length < 15_000)]);
}

/** Builds paths with an unusual part, by its place. */
function unusualPaths(): [what: string, paths: string[]][] {
  const random = new SeededRandom(1);
  const parts = [
    ...UNUSUAL_VALUES.filter((value) => value !== ''),
    ...Array.from({ length: 40 }, () => random.bytes()),
  ];
  const templates = ROUTES.map(({ path }) => path).filter((path) => /ID|SLUG/.test(path));
  return [
    ...[...templates, `${BASE}/ID`, '/?rest_route=ID'].map((template): [string, string[]] => [
      template,
      parts.map((part) => template.replace(/ID|SLUG/, part)),
    ]),
    [
      'slashes, dots and nearly valid paths',
      [
        ...['/', '//', '/..', '/.', '/%2e%2e/', `${BASE}//events`, `${BASE}/events//`, `${BASE}%2Fevents`],
        ...['/index.php', '/?rest_route[]=a', '/?rest_route=', `${BASE}/events/53/`, `${BASE}/events?`],
        '/wp-json',
      ],
    ],
    ...['bytes', 'other bytes'].map((what): [string, string[]] => [
      what,
      Array.from({ length: 100 }, () => `/${random.bytes()}/${random.bytes()}`),
    ]),
  ];
}

/** Builds random values of headers, by header. */
function unusualHeaders(): [what: string, headers: Record<string, string>[]][] {
  const random = new SeededRandom(2);
  const text = () =>
    Buffer.from(Array.from({ length: 1 + random.roll(60) }, () => 32 + random.roll(95))).toString();
  const base64 = () =>
    Buffer.from(Array.from({ length: random.roll(60) }, () => random.roll(256))).toString('base64');
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
        Cookie: `wordpress_logged_in_${'0'.repeat(32)}=${random.bytes()}%7C${random.roll(2 ** 31)}%7C${text().replace(/;/g, '')}`,
        'X-WP-Nonce': '0123456789',
      })),
    ],
  ];
}

/** Builds unusual bodies and random bytes of each type, for each method that may have a body. */
function unusualBodies(): [type: string, requests: RawRequest[]][] {
  const random = new SeededRandom(3);
  const junk = (length: number) => Buffer.from(Array.from({ length }, () => random.roll(256)));
  const paths = ['events', 'venues', 'tags', 'events/53', 'categories/3'];
  return Object.entries(ODD_BODIES).map(([type, bodies]) => [
    type || 'no type',
    [...bodies, junk(40), junk(3000)].flatMap((body) =>
      ['GET', 'POST', 'PUT', 'DELETE'].map(
        (method): RawRequest => ({
          method,
          path: `${BASE}/${random.pick(paths)}`,
          headers: type === '' ? {} : { 'Content-Type': type },
          body,
        }),
      ),
    ),
  ]);
}

// CONNECT requests a tunnel and never reaches the application.
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

/** Unusual requests: each gets a valid response, none a server error. */
describeMany('unusual requests', (database, sample) => {
  let server: LoggedServer;
  const expectValidResponses = (requests: readonly RawRequest[]) => expectValid(server, sample(requests));

  beforeAll(async () => {
    server = await startLoggedServer(database);
  });
  afterAll(() => server?.close());

  describe.each(ROUTES)('to GET $path', (route) => {
    it.each(unusualQueries(route))('get valid responses for %s', (_what, requests) =>
      expectValidResponses(requests),
    );
  });

  describe('paths', () => {
    it.each(unusualPaths())('get valid responses for %s', (_where, paths) =>
      expectValidResponses(paths.map((path) => ({ path }))),
    );
  });

  describe('methods', () => {
    it.each(ROUTES)('get valid responses for $path', ({ path }) =>
      expectValidResponses([
        ...SENT_METHODS.map((method) => ({ method, path: fill(path) })),
        ...OTHER_METHODS.map((method) => ({ path: `${fill(path)}?_method=${method}` })),
      ]),
    );

    it('get valid responses in X-HTTP-Method-Override', () =>
      expectValidResponses(
        OTHER_METHODS.map((method) => ({
          path: `${BASE}/events?per_page=1`,
          headers: { 'X-HTTP-Method-Override': method },
        })),
      ));
  });

  describe('headers', () => {
    it.each(unusualHeaders())('get valid responses for %s', (_name, values) =>
      expectValidResponses(values.map((headers) => ({ path: `${BASE}/events?per_page=1`, headers }))),
    );
  });

  describe('bodies', () => {
    it.each(unusualBodies())('get valid responses for %s', (_type, requests) =>
      expectValidResponses(requests),
    );
  });

  it('with a URL beyond the limit of Node get 431', async () => {
    const response = await rawRequest(server.url, { path: `${BASE}/events?search=${'a'.repeat(100_000)}` });
    expect(response.status).toBe(431);
    await expectValidResponses([{ path: `${BASE}/events?per_page=1` }]);
  });

  it('with a body past the limit get 413', async () => {
    const response = await rawRequest(server.url, {
      path: `${BASE}/events`,
      ...json(`"${'a'.repeat(2 * 1024 * 1024)}"`),
    });
    expect(response.status).toBe(413);
    expect(JSON.parse(response.text)).toMatchObject({ data: { status: 413 } });
  });
});
