import { startApp, type TestApp } from './support/app.js';
import { basic } from './support/calendar-client.js';
import { journalReady, makeJournalTables } from './support/journal-site.js';
import { loadRecording } from './support/replay.js';
import { makeSite, type Site } from './support/sites.js';

const BASE = '/cal/events/v1';

type Schema = Readonly<Record<string, unknown>>;

interface Operation {
  parameters: { name?: string; schema?: Schema }[];
  requestBody?: { content: Record<string, { schema: { $ref: string }; example: Schema }> };
  responses: Record<string, unknown>;
}

interface ApiDocument {
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Schema>;
    responses: Record<string, { content: Record<string, { examples?: Record<string, { value: Schema }> }> }>;
  };
}

/** A parameter or a member of a body with its schema. */
interface Declared {
  name: string;
  schema: Schema;
}

/** Parameters whose documented enum is not enforced, as in the plugin. */
const UNENFORCED_ENUMS = ['context', 'show_map', 'show_map_link', '/categories orderby', '/tags orderby'];

/** Further parameters without which a value or a parameter has no effect. */
const COMPANIONS: Readonly<Record<string, string>> = {
  distance: '&geoloc_lat=0&geoloc_lng=0&geoloc_radius=1',
  geoloc_lat: '&geoloc_lng=0&geoloc_radius=1',
  geoloc_lng: '&geoloc_lat=0&geoloc_radius=1',
  geoloc_radius: '&geoloc_lat=0&geoloc_lng=0',
};

type Limit = [limit: string, at: unknown, beyond: unknown];

/** Ids of existing records, used where 1 names none, so that only the limit is tested. */
const KNOWN_IDS: Readonly<Record<string, number>> = { post: 53, event: 53, post_parent: 53 };

/** A zone at the limit of its column, and one beyond it. */
const ZONES: Limit = ['maxLength', 'America/North_Dakota/New_Salem', 'America/Argentina/ComodRivadavia'];

/** A value at each limit, and one beyond it. */
function limitsOf({ name, schema }: Declared): Limit[] {
  if (name === 'timezone') return [ZONES];
  const text = (length: number) => 'a'.repeat(length);
  const list = (length: number) => Array.from({ length }, () => 1);
  const builders: Record<string, (limit: number) => Limit> = {
    minimum: (least) => ['minimum', KNOWN_IDS[name] ?? least, least - 1],
    maximum: (most) => ['maximum', most, most + 1],
    minLength: (least) => ['minLength', text(least), text(least - 1)],
    maxLength: (most) => ['maxLength', text(most), text(most + 1)],
    minItems: (least) => ['minItems', list(least), list(least - 1)],
    maxItems: (most) => ['maxItems', list(most), list(most + 1)],
  };
  return Object.entries(builders).flatMap(([limit, build]) =>
    typeof schema[limit] === 'number' ? [build(schema[limit])] : [],
  );
}

describe('the REST API, compared with /openapi.json', () => {
  const { login, password } = loadRecording('site-a/read').users['admin'] ?? { login: '', password: '' };
  const admin = basic(login, password);
  let site: Site;
  let app: TestApp;
  let document: ApiDocument;

  beforeAll(async () => {
    site = await makeSite('SQLite');
    await makeJournalTables(site.url);
    app = await startApp({ databaseUrl: site.url, env: { CHANGES: 'on' } });
    await journalReady(app);
    document = (await (await fetch(`${app.url}/openapi.json`)).json()) as ApiDocument;
  });
  afterAll(async () => {
    await app?.close();
    await site?.drop();
  });

  const operations = () =>
    Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => [path, method, operation] as const),
    );

  const send = async (method: string, path: string, fields?: object, headers: object = admin) => {
    const response = await fetch(`${app.url}${BASE}${path}`, {
      method: method.toUpperCase(),
      headers: { 'Content-Type': 'application/json', ...headers },
      ...(fields && { body: JSON.stringify(fields) }),
    });
    const body = (await response.json()) as Record<string, unknown>;
    return {
      status: response.status,
      body,
      params: Object(Object(body['data'])['params']) as Schema,
      ignored: (response.headers.get('x-almanac-ignored') ?? '').split(', '),
    };
  };

  it('accepts the example of every write and responds with a documented status', async () => {
    const written = new Map<string, Schema>();
    for (const [path, method, { requestBody, responses }] of operations()) {
      if (!requestBody) continue;
      const example = requestBody.content['application/json']?.example;
      const resource = path.split('/')[1] ?? '';
      const own = written.get(resource) ?? {};
      const address = path.replace(/{(\w+)}/, (_, name: string) => String(own[name]));
      const { status, body } = await send(method, address, example);
      const expected = path === `/${resource}` ? 201 : 200;
      expect([method, address, example, status]).toEqual([method, address, expect.anything(), expected]);
      expect(Object.keys(responses)).toContain(`${status}`);
      written.set(resource, body);
    }
    expect([...written.keys()]).toEqual(['events', 'venues', 'organizers', 'categories', 'tags', 'webhooks']);
  });

  it('rejects requests with documented statuses and bodies', async () => {
    const { responses } = document.components;
    const event = (await send('post', '/events', { title: 'x', start_date: 'now', end_date: 'now' })).body[
      'id'
    ];
    await send('delete', `/events/${event}`);
    const wrong = { Authorization: 'Basic YWRtaW46eA==' };
    for (const [status, method, path, fields, headers] of [
      ['400', 'get', '/events?page=0'],
      ['400', 'post', '/events', { start_date: 'now', end_date: 'now' }],
      ['401', 'get', '/events', undefined, wrong],
      ['401', 'post', '/events', { title: 'x', start_date: 'now', end_date: 'now' }, {}],
      ['404', 'get', '/events/9999'],
      ['410', 'delete', `/events/${event}`],
      ['413', 'post', '/events', { title: 'x'.repeat(2 ** 20) }],
    ] as const) {
      const found = await send(method, path, fields, headers ?? admin);
      expect([path, String(found.status)]).toEqual([path, status]);
      const { examples = {} } = responses[status]?.content['application/json'] ?? {};
      expect(Object.values(examples).map(({ value }) => value)).toContainEqual(found.body);
      const template = path.replace(/\?.*/, '').replace(/\d+/, '{id}');
      expect(Object.keys(document.paths[template]?.[method]?.responses ?? {})).toContain(status);
    }
  });

  it('accepts a value at each documented limit, and rejects one beyond it or names it as ignored', async () => {
    const seen = new Set<string>();
    const mismatches: unknown[] = [];
    for (const [path, method, operation] of operations()) {
      if (path.includes('{') || path === '/' || path === '/doc') continue;
      const { schema, example } = operation.requestBody?.content['application/json'] ?? {};
      const declared = schema ? membersOf(schema.$ref) : inQueryOf(operation);
      for (const one of declared) {
        if (seen.has(JSON.stringify(one))) continue;
        seen.add(JSON.stringify(one));
        const { name } = one;
        const ask = (value: unknown) =>
          example
            ? send(method, path, { ...example, [name]: value })
            : send(method, `${path}?${name}=${encodeURIComponent(String(value))}${COMPANIONS[name] ?? ''}`);
        for (const [limit, at, beyond] of limitsOf(one)) {
          const [allowed, rejected] = [await ask(at), await ask(beyond)];
          const why = ({ params, body }: typeof rejected) => params[name] ?? body['message'];
          const isRejected = rejected.status === 400 || rejected.ignored.includes(name);
          const isSame = allowed.status === 400 && why(allowed) === why(rejected);
          // A text of any length is no valid value of these parameters.
          const isIgnored = typeof at === 'number' && allowed.ignored.includes(name);
          if (!isRejected || isSame || isIgnored)
            mismatches.push([method, path, name, limit, rejected.status, why(allowed), why(rejected)]);
        }
      }
    }
    expect(mismatches).toEqual([]);
    expect(seen.size).toBeGreaterThan(50);
  });

  it('accepts every documented enum value, and others only where the plugin accepts any', async () => {
    const seen = new Set<string>();
    const mismatches: unknown[] = [];
    for (const [path, method, operation] of operations()) {
      if (path.includes('{') || path === '/' || path === '/doc') continue;
      const { schema, example } = operation.requestBody?.content['application/json'] ?? {};
      for (const one of schema ? membersOf(schema.$ref) : inQueryOf(operation)) {
        const { name } = one;
        const values = one.schema['enum'];
        const known = JSON.stringify([name, values]);
        if (!Array.isArray(values) || seen.has(known)) continue;
        seen.add(known);
        const acceptsAny = UNENFORCED_ENUMS.includes(name) || UNENFORCED_ENUMS.includes(`${path} ${name}`);
        for (const choice of [...values, ...(acceptsAny ? [] : ['no such word'])]) {
          const { params, ignored } = example
            ? await send(method, path, { ...example, [name]: choice })
            : await send(method, `${path}?${name}=${encodeURIComponent(choice)}${COMPANIONS[choice] ?? ''}`);
          const isAccepted = !(name in params) && !ignored.includes(name);
          if (values.includes(choice) !== isAccepted)
            mismatches.push([method, path, name, choice, params[name]]);
        }
      }
    }
    expect(mismatches).toEqual([]);
    expect(seen.size).toBeGreaterThan(5);
  });

  /** Lists the members of a body; one that accepts a list or a single item counts as a list. */
  function membersOf(reference: string): Declared[] {
    const component = document.components.schemas[reference.split('/').at(-1) ?? ''];
    const members = Object.entries((component?.['properties'] ?? {}) as Record<string, Schema>);
    return members.map(([name, schema]) => {
      const choices = (schema['anyOf'] ?? []) as Schema[];
      return { name, schema: choices.find(({ type }) => type === 'array') ?? schema };
    });
  }

  function inQueryOf({ parameters }: Operation): Declared[] {
    return parameters.flatMap(({ name, schema }) => (name && schema ? [{ name, schema }] : []));
  }
});
