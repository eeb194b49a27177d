import index from '../../fixtures/contract/namespace-index-skeleton.json' with { type: 'json' };
import { basic, type Caller, credentials } from '../calendar-client.js';
import type { RawRequest } from '../raw-request.js';
import { KNOWN_RECORDS, type SeededRandom, SHAPES, UNUSUAL_JSON, UNUSUAL_VALUES } from '../unusual-values.js';

const BASE = '/cal/events/v1';

/** A random request. */
export interface HostileRequest extends RawRequest {
  method: string;
  /** Whether it may write: sent with the capability, and not certainly a read. */
  mayWrite: boolean;
}

const ROUTES = Object.entries(index.routes).map(([pattern, { endpoints }]) => ({
  path: pattern.replace('/tribe/events/v1', BASE),
  names: [...new Set(endpoints.flatMap(({ args }) => Object.keys(args)))],
}));
const COMMON = ['_fields', '_envelope', '_jsonp', '_pretty', '_embed', '_locale', '_wpnonce', '_method'];
const NAMES = [...new Set([...ROUTES.flatMap(({ names }) => names), ...COMMON, 'rest_route', 'password'])];

/** The required fields of a write; most others are invalid. */
const NEEDED: Readonly<Record<string, string>> = {
  title: 'Random',
  start_date: '2091-05-01 10:00:00',
  end_date: '2091-05-01 12:00:00',
  venue: 'Random hall',
  organizer: 'Random people',
  name: 'Random term',
};
const IDS = [
  '53',
  '9',
  '35',
  '3',
  '20',
  '1',
  '0',
  '-1',
  '99999999999999999999',
  '53abc',
  '%35%33',
  '5e1',
  '٥٣',
];
const SLUGS = [
  'opening-night',
  'town-hall',
  'jane-doe',
  '%',
  '%00',
  '..',
  '%2e%2e',
  '%2F',
  'a'.repeat(3000),
  '%F0%9F',
];
const READS = ['GET', 'GET', 'GET', 'GET', 'HEAD', 'OPTIONS'];
const WRITES = ['POST', 'POST', 'POST', 'PUT', 'PATCH', 'DELETE'];
const METHODS = [...READS, ...READS, ...WRITES, 'TRACE', 'PROPFIND'];
const OVERRIDES = ['DELETE', 'PUT', 'GET', 'HEAD', 'get', 'X', '', '__proto__', 'POST%00', 'A'.repeat(500)];
const CALLERS: readonly Caller[] = [
  ...(['anonymous', 'anonymous', 'anonymous', 'subscriber'] as const),
  ...(['contributor', 'author', 'editor', 'admin'] as const),
];

const CATASTROPHES = [
  ...['(a+)+$', '(.*)*b', '^(([a-z])+.)+[A-Z]([a-z])+$', '[[:alpha:]]{1,99999}', '.*'.repeat(200)],
  ...['%25'.repeat(900), '_'.repeat(900), '\\'.repeat(900), '\\%'.repeat(500), "'||(SELECT SLEEP(9))||'"],
  ...[
    '1; DROP TABLE wp_posts; --',
    '1 UNION SELECT user_pass FROM wp_users',
    "' AND SLEEP(9) -- ",
    '/*!50000 1*/',
  ],
  ...[
    '1) OR (1=1',
    "\u00bf' OR 1=1 /*",
    '{"$gt":""}',
    '#{7*7}',
    '{{7*7}}',
    '%{(#a=1)}',
    '<!--#exec cmd="id"-->',
  ],
  ...[
    'http://127.0.0.1:1/a.png',
    'http://[::1]/',
    'file:///etc/passwd',
    'gopher://127.0.0.1:6379/_',
    '//x',
    'a@b',
  ],
  ...['O:8:"stdClass":0:{}', 'a:1:{i:0;R:1;}', 'b:1;', 'N;', `a:99999999:{`, `s:99999999:"x";`],
  ...['Europe/Berlin', 'UTC+99', 'Mars/Phobos', '../UTC', '+25:00', 'posixrules', 'EST5EDT', 'Etc/GMT-14'],
  ...[
    '2091-05-01 10:00:00',
    '+1 day '.repeat(150),
    'last sat of July 2008',
    '@-62135596801',
    '24:00',
    '2091-W53-8',
  ],
  ...[
    '1,2,3',
    '1,,2',
    ' 1 , 2 ',
    '-1,0',
    '1'.repeat(1999),
    'w'.repeat(1999),
    'w '.repeat(900),
    'é'.repeat(900),
  ],
].map(encodeURIComponent);
const VALUES = [...UNUSUAL_VALUES.filter((value) => value.length < 5000), ...CATASTROPHES];

const TYPES = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=b'];
const ODD_TYPES = [
  ...['application/json; charset=utf-16', 'text/plain', '', 'multipart/form-data', 'application/vnd.a+json'],
  ...['image/png', '; ;', 'a/b/c'],
];

const HEADERS: readonly (readonly [string, readonly string[]])[] = [
  ['Origin', ['null', 'https://evil.example', 'x', 'https://a.example\thttps://b.example']],
  [
    'Cookie',
    ['wordpress_logged_in_=a', 'a=b; '.repeat(200), `wordpress_logged_in_${'0'.repeat(32)}=admin|9|a|b`, '='],
  ],
  ['X-WP-Nonce', ['', 'bad', '0123456789', 'é'.normalize('NFD').replace(/[^a-z]/g, 'x')]],
  ['X-Forwarded-For', ['127.0.0.1', '1, '.repeat(300), '::1', '%00']],
  ['X-Forwarded-Proto', ['https', 'https, http', 'gopher']],
  ['X-HTTP-Method-Override', OVERRIDES.map((method) => method.replace('%00', ''))],
  [
    'Authorization',
    ['Basic', 'Basic !!!', `Basic ${'A'.repeat(8000)}`, 'Bearer x', 'Digest username="admin"'],
  ],
  ['Accept-Encoding', ['gzip', 'br;q=1.0, *;q=0', '*']],
  ['If-None-Match', ['*', '"x"']],
  ['Range', ['bytes=0-', 'bytes=99999999999-1']],
  ['Transfer-Encoding', ['chunked', 'identity']],
  ['Content-Encoding', ['gzip', 'identity', 'x']],
  ['Expect', ['100-continue', 'x']],
  ['Host', ['evil.example', '', 'a:b:c']],
  ['Connection', ['close', 'upgrade', 'keep-alive, X-WP-Nonce']],
  ['Upgrade', ['websocket', 'h2c']],
];

function path(dice: SeededRandom): string {
  const route = dice.pick(ROUTES).path;
  const [id, slug] = KNOWN_RECORDS[route.split('/')[4] ?? ''] ?? ['1', 'x'];
  const filled = route
    .replace(/\(\?P<id>[^/]*\)/, () => (dice.roll(3) === 0 ? dice.pick(IDS) : id))
    .replace(/\(\?P<slug>.*\)/, () => (dice.roll(3) === 0 ? dice.pick(SLUGS) : slug));
  switch (dice.roll(60)) {
    case 0:
      return `${filled}/${dice.bytes()}`;
    case 1:
      return `/${dice.bytes()}${filled}`;
    case 2:
      return dice.pick([
        '//',
        '/..',
        '/%2e%2e/',
        '/index.php',
        '/docs',
        '/openapi.json',
        '/docs/..%2f',
        '/*',
      ]);
    case 3:
      return `${filled}${'/'.repeat(dice.roll(3000))}`;
    case 4:
      return filled.toUpperCase();
    case 5:
      return `/index.php${filled}`;
    default:
      return filled;
  }
}

function pairs(dice: SeededRandom): string {
  const known = dice.pick(ROUTES).names;
  const one = () => {
    const name = dice.pick(dice.roll(3) === 0 || known.length === 0 ? NAMES : known);
    const value = dice.roll(8) === 0 ? dice.bytes() : dice.pick(VALUES);
    return dice.pick(dice.roll(2) === 0 ? SHAPES : SHAPES.slice(0, 2))(name, value);
  };
  return Array.from({ length: dice.roll(5) }, one).join('&');
}

function jsonBody(dice: SeededRandom): string {
  if (dice.roll(12) === 0)
    return dice.pick(['{', '[', 'nul', '"', '\ufeff{}', '', '{"a":1}}', '[[[[', '1e999']);
  const one = () => {
    const value = dice.roll(2) === 0 ? dice.pick(UNUSUAL_JSON) : JSON.stringify(decoded(dice.pick(VALUES)));
    return `${JSON.stringify(dice.pick(NAMES))}:${value}`;
  };
  const needed = dice.roll(2) === 0 ? Object.entries(NEEDED) : [];
  const sound = needed.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
  return `{${[...sound, ...Array.from({ length: dice.roll(3) }, one)].join()}}`;
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

function multipart(dice: SeededRandom): string {
  const needed = dice.roll(2) === 0 ? Object.entries(NEEDED) : [];
  const part = (name: string, value: string) =>
    `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const unusual = () =>
    part(dice.pick(NAMES) + dice.pick(['', '[]', '[', '"', '\0']), decoded(dice.pick(VALUES)));
  const parts = [
    ...needed.map(([name, value]) => part(name, value)),
    ...Array.from({ length: dice.roll(3) }, unusual),
  ];
  return `${parts.join('')}${dice.pick(['--b--\r\n', '', '--b', '--'])}`;
}

function bodyOf(type: string, dice: SeededRandom): string | Buffer {
  if (dice.roll(15) === 0) return Buffer.from(Array.from({ length: 300 }, () => dice.roll(256)));
  if (/json/.test(type)) return jsonBody(dice);
  if (/multipart/.test(type)) return multipart(dice);
  return `${dice.roll(2) === 0 ? `${new URLSearchParams(NEEDED)}&` : ''}${pairs(dice)}`;
}

/** Generates the next request from a seed. */
export function hostileRequest(dice: SeededRandom): HostileRequest {
  const caller = dice.pick(CALLERS);
  const wrong = dice.roll(60) === 0;
  const method = dice.pick(METHODS);
  const override = dice.roll(20) === 0 ? `_method=${dice.pick(OVERRIDES)}&` : '';
  const query = `${override}${pairs(dice)}`;
  const withBody = READS.includes(method) ? dice.roll(8) === 0 : dice.roll(6) > 0;
  const type = dice.pick(dice.roll(6) === 0 ? ODD_TYPES : TYPES);
  const unusual = dice.some(dice.roll(6) === 0 ? 1 + dice.roll(3) : 0, HEADERS);
  const headers = {
    ...(wrong ? basic(dice.pick(['admin', 'nobody', 'a@b.example', '']), 'wrong') : credentials(caller)),
    ...(withBody && type !== '' ? { 'Content-Type': type } : {}),
    ...Object.fromEntries(unusual.map(([name, values]) => [name, dice.pick(values)])),
  };
  const whole = `${path(dice)}${query === '' ? '' : `?${query}`}`;
  const overridden = 'X-HTTP-Method-Override' in headers || whole.includes('_method');
  return {
    method,
    // A URL cannot contain other characters.
    path: whole.replace(/[^\x21-\x7e]/gu, encodeURIComponent),
    headers,
    ...(withBody && { body: bodyOf(type, dice) }),
    mayWrite: !['anonymous', 'subscriber'].includes(caller) && (overridden || !READS.includes(method)),
  };
}
