import type { Caller } from '../calendar-client.js';

/** Sizes of a body well below the limit and of one far above it, in bytes. */
const UNDER = 999_000;
const OVER = 8_000_000;

/** A hostile request. */
export interface Shape {
  name: string;
  caller: Caller;
  method: string;
  /** The path after the namespace. */
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: () => string | Buffer;
  /** The expected response: `status code names-of-parameters`. */
  wanted: RegExp;
}

/** A pattern that fills a body; `names` are the parameters that a rejection names, in a list and in a write. */
interface Filling {
  name: string;
  fill: (bytes: number) => string;
  listed?: string;
  written?: string;
}

/** Repeats the text up to the size. */
const times = (text: string, bytes: number) => text.repeat(Math.floor(bytes / text.length));
/** Repeats the text between brackets or quotes, with a separator. */
const repeatUpTo = (item: string, between: string, bytes: number) =>
  times(item + between, bytes - 200).slice(0, between.length > 0 ? -between.length : undefined);

const EVENT = '"title":"Hostile","start_date":"2091-05-01 10:00:00","end_date":"2091-05-01 12:00:00"';
const member = (name: string, value: string) => `{${EVENT},"${name}":${value}}`;
const nested = (open: string, middle: string, close: string, bytes: number) => {
  const depth = Math.floor((bytes - 200) / (open.length + close.length));
  return `${open.repeat(depth)}${middle}${close.repeat(depth)}`;
};

const listOf = (name: string, item: string, listed?: string): Filling => ({
  name: `a list of ${name}, each ${item}`,
  fill: (bytes) => member(name, `[${repeatUpTo(item, ',', bytes)}]`),
  listed,
  written: name,
});

const JSON_FILLINGS: readonly Filling[] = [
  { name: 'a list of 1', fill: (bytes) => `[${repeatUpTo('1', ',', bytes)}]` },
  { name: 'a list of {}', fill: (bytes) => `[${repeatUpTo('{}', ',', bytes)}]` },
  { name: 'a map of a million members', fill: (bytes) => `{${repeatUpTo('"a":1', ',', bytes)}}` },
  { name: 'lists in lists', fill: (bytes) => nested('[', '', ']', bytes) },
  { name: 'maps in maps', fill: (bytes) => nested('{"a":', '1', '}', bytes) },
  { name: 'lists that never close', fill: (bytes) => times('[', bytes) },
  { name: 'blanks', fill: (bytes) => `{${times(' ', bytes - 2)}}` },
  { name: 'escapes', fill: (bytes) => `{"search":"${times('\\u0000', bytes - 100)}"}`, listed: 'search' },
  { ...listOf('include', '10'), listed: 'include', written: undefined },
  listOf('categories', '10000001', 'categories'),
  listOf('tags', '"a"', 'tags'),
  listOf('venue', '9', 'venue'),
  listOf('venue', '{}'),
  listOf('organizer', '35', 'organizer'),
  listOf('cost', '12'),
  {
    name: 'ids in one text',
    fill: (bytes) => member('categories', `"${repeatUpTo('3', ',', bytes)}"`),
    listed: 'categories',
    written: 'categories',
  },
  {
    name: '+1 day again and again',
    fill: (bytes) => member('start_date', `"2091-01-01${times(' +1 day', bytes - 300)}"`),
    listed: 'start_date',
    written: 'start_date',
  },
  {
    name: 'a long title',
    fill: (bytes) => member('title', `"${times('x', bytes - 300)}"`),
    written: 'title',
  },
  {
    name: 'a deep venue',
    fill: (bytes) => member('venue', nested('{"venue":', '"x"', '}', bytes - 200)),
    written: 'venue',
  },
];

// Without a title: the fields that remain within PHP's limits must not create an event.
const FORM_FILLINGS: readonly Filling[] = [
  { name: 'a list of categories', fill: (bytes) => times('categories[]=1&', bytes) },
  { name: 'a list of costs', fill: (bytes) => times('cost[]=1&', bytes) },
  { name: 'one deep name', fill: (bytes) => `a${times('[a]', bytes - 10)}=1` },
  { name: 'deep names', fill: (bytes) => times(`a${'[a]'.repeat(60)}=1&`, bytes) },
  { name: 'open brackets', fill: (bytes) => `a${times('[', bytes - 10)}=1` },
  { name: 'many names', fill: (bytes) => times('a=1&', bytes) },
  { name: '& only', fill: (bytes) => times('&', bytes) },
  { name: '% only', fill: (bytes) => `title=${times('%', bytes - 10)}` },
  { name: 'escapes of broken bytes', fill: (bytes) => `title=${times('%ff', bytes - 10)}` },
  { name: '+1 day again and again', fill: (bytes) => `start_date=${times('%2B1+day+', bytes - 20)}` },
];

const PART = '--b\r\nContent-Disposition: form-data; name=';
const MULTIPART_FILLINGS: readonly Filling[] = [
  { name: 'many parts', fill: (bytes) => `${times(`${PART}"tags[]"\r\n\r\na\r\n`, bytes - 10)}--b--\r\n` },
  {
    name: 'deep names',
    fill: (bytes) => `${times(`${PART}"a${'[a]'.repeat(60)}"\r\n\r\na\r\n`, bytes - 10)}--b--\r\n`,
  },
  {
    name: 'one long part',
    fill: (bytes) => `${PART}"start_date"\r\n\r\n${times('+1 day ', bytes - 200)}\r\n--b--\r\n`,
  },
  { name: 'a part of boundaries', fill: (bytes) => `${PART}"a"\r\n\r\n${times('\r\n--', bytes - 200)}` },
  {
    name: 'a file',
    fill: (bytes) => `${PART}"a"; filename="a"\r\n\r\n${times('\0', bytes - 200)}\r\n--b--\r\n`,
  },
  { name: 'a head that never ends', fill: (bytes) => `${PART}"${times('a', bytes - 200)}` },
];

const TOO_LARGE = /^413 rest_content_too_large/;
const SOME_REFUSAL = /^40[01] /;

/** A rejection that names these parameters, among others. */
export const invalid = (name: string) => new RegExp(`^400 rest_invalid_param (.* )?${name}\\b`);

function* shapesOf(type: string, fillings: readonly Filling[]): Generator<Shape> {
  const headers = { 'Content-Type': type };
  const isJson = type === 'application/json';
  for (const { name, fill, listed, written } of fillings)
    for (const bytes of [UNDER, OVER])
      for (const caller of ['anonymous', 'admin'] as const)
        for (const method of isJson ? ['GET', 'POST'] : ['POST']) {
          const named = method === 'GET' ? listed : written;
          // A read ignores unknown parameters; only their size can be invalid.
          const small =
            method === 'GET'
              ? named
                ? invalid(named)
                : /^(200|400) /
              : caller === 'admin' && named
                ? invalid(named)
                : SOME_REFUSAL;
          yield {
            name: `${method} by ${caller}, ${bytes === OVER ? 'far above' : 'just below'} the limit, ${type.split(';')[0]}: ${name}`,
            caller,
            method,
            path: method === 'GET' ? '/events?per_page=1' : '/events',
            headers,
            body: () => fill(bytes),
            wanted: bytes === OVER ? TOO_LARGE : small,
          };
        }
}

/** Requests that are rejected for all: no route, a wrong method, a missing capability. */
const NOWHERE: readonly (readonly [method: string, path: string])[] = [
  ['POST', '/nope'],
  ['PUT', '/events'],
  ['DELETE', '/events'],
  ['PATCH', '/doc'],
  ['PUT', '/events/53'],
  ['DELETE', '/events/53'],
  ['PATCH', '/venues/9'],
  ['DELETE', '/tags/20'],
  ['POST', '/categories'],
];

function* aimless(): Generator<Shape> {
  for (const [method, path] of NOWHERE)
    for (const bytes of [UNDER, OVER])
      yield {
        name: `${method} ${path} by anonymous with ${bytes} bytes`,
        caller: 'anonymous',
        method,
        path,
        headers: { 'Content-Type': 'application/json' },
        body: () => `[${repeatUpTo('{}', ',', bytes)}]`,
        wanted: bytes === OVER ? /^(413|404) / : /^40[0134] /,
      };
}

/** Bodies of every kind, just below the limit and far above it. */
export const BODIES: readonly Shape[] = [
  ...shapesOf('application/json', JSON_FILLINGS),
  ...shapesOf('application/x-www-form-urlencoded', FORM_FILLINGS),
  ...shapesOf('multipart/form-data; boundary=b', MULTIPART_FILLINGS),
  ...aimless(),
];
