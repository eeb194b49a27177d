import { gzipSync } from 'node:zlib';
import { invalid, type Shape } from './bodies.js';

const EVENT = { title: 'Hostile', start_date: '2091-05-01 10:00:00', end_date: '2091-05-01 12:00:00' };

const repeat = <T>(value: T, count: number): T[] => Array.from({ length: count }, () => value);

function nest(levels: number): unknown {
  let value: unknown = 'x';
  for (let level = 0; level < levels; level++) value = { venue: value };
  return value;
}

/** A parameter of a route that is slightly longer than its limit. */
function tooMuch(name: string, value: unknown, path = '/events', given: object = EVENT): Shape {
  const size =
    typeof value === 'string' ? `${value.length} characters` : `${JSON.stringify(value).length} bytes`;
  return {
    name: `POST ${path}, ${name} of ${size}`,
    caller: 'admin',
    method: 'POST',
    path,
    headers: { 'Content-Type': 'application/json' },
    body: () => JSON.stringify({ ...given, [name]: value }),
    wanted: invalid(name),
  };
}

function requested(query: string, wanted: RegExp, name = query.slice(0, 60)): Shape {
  const path = query.startsWith('/') ? query : `/events?${query}`;
  return { name: `GET ${name}`, caller: 'anonymous', method: 'GET', path, wanted };
}

function requestedInBody(name: string, value: unknown): Shape {
  return {
    name: `GET with ${name} of ${JSON.stringify(value).length} bytes in its body`,
    caller: 'anonymous',
    method: 'GET',
    path: '/events?per_page=1',
    headers: { 'Content-Type': 'application/json' },
    body: () => JSON.stringify({ [name]: value }),
    wanted: invalid(name),
  };
}

const VENUE = { venue: 'Hostile' };
const TERM = { name: 'Hostile' };
const word = 'w'.repeat(2_001);
const text = 't'.repeat(500_001);
/** Lists of a thousand items each: only their total exceeds the limit. */
const values = repeat(repeat(1, 1000), 21);

/** Parameters one step above their limits. */
export const LIMITS: readonly Shape[] = [
  tooMuch('title', 'x'.repeat(10_001)),
  tooMuch('description', text),
  tooMuch('excerpt', text),
  ...['start_date', 'end_date', 'timezone', 'slug', 'status', 'cost', 'date', 'author'].map((name) =>
    tooMuch(name, word),
  ),
  tooMuch('website', `https://example.org/${word}`),
  tooMuch('image', `https://example.org/${word}.png`),
  ...['categories', 'tags'].flatMap((name) => [tooMuch(name, [word]), tooMuch(name, repeat(1, 1001))]),
  tooMuch('venue', repeat(9, 1001)),
  tooMuch('organizer', repeat(35, 1001)),
  tooMuch('cost', repeat('1', 1001)),
  tooMuch('venue', { venue: 'x'.repeat(10_001) }),
  tooMuch('venue', { venue: 'x', description: text }),
  tooMuch('organizer', [{ organizer: 'x', phone: word }]),
  tooMuch('venue', nest(65)),
  tooMuch('tags', values),
  tooMuch('venue', { venue: 'x', more: values }),
  tooMuch('venue', 'x'.repeat(10_001), '/venues', {}),
  ...['address', 'city', 'phone', 'website', 'zip', 'country'].map((name) =>
    tooMuch(name, word, '/venues', VENUE),
  ),
  tooMuch('description', text, '/venues', VENUE),
  tooMuch('organizer', 'x'.repeat(10_001), '/organizers', {}),
  tooMuch('description', text, '/organizers', { organizer: 'Hostile' }),
  ...['/categories', '/tags'].flatMap((path) => [
    tooMuch('name', word, path, {}),
    tooMuch('slug', word, path, TERM),
    tooMuch('description', text, path, TERM),
  ]),
  ...['include', 'categories', 'tags', 'venue', 'organizer'].map((name) =>
    requestedInBody(name, repeat(10, 1001)),
  ),
  ...['start_date', 'end_date', 'search'].map((name) => requestedInBody(name, word)),
  requestedInBody('include', nest(65)),
  requested(`search=${word}`, invalid('search')),
  requested(`include=${repeat('10', 1001).join()}`, invalid('include')),
  requested(`categories=${word}`, invalid('categories')),
  requested(
    `search=${repeat('a', 1000).join('+')}`,
    /^(200|400 rest_invalid_param search)/,
    '1,000 words of a letter',
  ),
  requested(`search=${repeat('words', 1000).join('+')}`, invalid('search'), '1,000 words of five letters'),
  requested(`start_date=2091-01-01${'%2B1+day'.repeat(1_000_000)}`, /^431 /, 'a million days in the address'),
  requested(
    `start_date=2091-01-01${'+%2B1+day'.repeat(1500)}`,
    invalid('start_date'),
    '1,500 days in the address',
  ),
  requested('/tags?offset[x]=1', invalid('offset')),
  requested('/tags?page=99999999999999999999999', /^(200|400 rest_invalid_param page)/),
  requested('/tags?page=9223372036854775807', /^(200|400 rest_invalid_param page)/),
  requested('page=9223372036854775807', /^40[04] /),
  requested('per_page=99999999999999999999999', /^(200|400 rest_invalid_param per_page)/),
];

/** Bodies with a Content-Encoding, compressed or not: none is decompressed. */
export const PACKED: readonly Shape[] = [
  ['gzip', gzipSync(JSON.stringify(EVENT))],
  ['gzip', gzipSync(Buffer.alloc(200_000_000))],
  ['gzip', JSON.stringify(EVENT)],
  ['deflate', Buffer.alloc(1000)],
  ['br', Buffer.alloc(1000)],
  ['gzip, gzip, br', gzipSync(gzipSync('{}'))],
  ['nonsense; =', '{'],
  ['x'.repeat(5000), '{'],
].flatMap(([encoding, body], number) =>
  (['anonymous', 'admin'] as const).map((caller) => ({
    name: `a body ${number + 1} of Content-Encoding ${String(encoding).slice(0, 20)} by ${caller}`,
    caller,
    method: 'POST',
    path: '/tags',
    headers: { 'Content-Type': 'application/json', 'Content-Encoding': String(encoding) },
    body: () => body ?? '',
    wanted: /^4(00|01|13|15) /,
  })),
);
