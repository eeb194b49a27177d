import { Controller, Get, Module, Param } from '@nestjs/common';
import { OWN_NAMESPACE } from '../src/config/env.js';
import { Parameters } from '../src/http/params/parameters.js';
import { PathId } from '../src/http/params/path-id.js';
import { RestArg } from '../src/http/params/rest-arg.js';
import recordedDocument from './fixtures/contract/doc-skeleton.json' with { type: 'json' };
import recordedIndex from './fixtures/contract/namespace-index-skeleton.json' with { type: 'json' };
import { REST_BASE_URL, startApp, type TestApp } from './support/app.js';
import { loadRecording } from './support/replay.js';
import { makeSite, type Site } from './support/sites.js';
import { openWriteFixture } from './support/write-fixture.js';

const PLUGIN_NAMESPACE = 'tribe/events/v1';

class SeatsQuery {
  @RestArg({ type: 'integer', description: 'Row of the seats.' })
  row?: number;
  @RestArg({ undeclared: true, description: 'Not shown.' })
  hidden?: unknown;
}

@Controller(`${OWN_NAMESPACE}/halls`)
class HallsController {
  @Get(':id/seats')
  seats(@Param('id', PathId) id: number, @Parameters(SeatsQuery) { row }: SeatsQuery) {
    return { id, row };
  }
}

@Module({ controllers: [HallsController] })
class HallsPlugin {}

interface Route {
  methods: string[];
  endpoints: { methods: string[]; args: Record<string, Record<string, unknown>> }[];
  _links?: { self: { href: string }[] };
}

interface Index {
  namespace: string;
  routes: Record<string, Route>;
}

interface ApiDocument {
  info: object;
  components: object;
  servers: object[];
  paths: Record<string, Record<string, Operation>>;
}

interface Operation {
  parameters?: { name: string }[];
  requestBody?: { content: Record<string, { schema: { properties: object } }> };
}

/** A document without descriptions, titles and summaries. */
function withoutProse(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutProse);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, member]) => !(/^(description|title|summary)$/.test(key) && typeof member === 'string'))
      .map(([key, member]) => [key, withoutProse(member)]),
  );
}

describe('index and documents', () => {
  let site: Site;
  let app: TestApp;

  beforeAll(async () => {
    site = await makeSite('SQLite');
    app = await startApp({
      databaseUrl: site.url,
      now: '2026-11-21T07:09:49Z',
      env: { API_NAMESPACES: `${OWN_NAMESPACE},${PLUGIN_NAMESPACE}`, PATH_PREFIX: '/wp-json' },
      plugins: [HallsPlugin],
    });
  });
  afterAll(async () => {
    await app?.close();
    await site?.drop();
  });

  const { users } = loadRecording('site-a/read');
  const credentialsOf = (name: string): Record<string, string> => {
    const { login, password } = users[name] ?? { login: '', password: '' };
    return { Authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}` };
  };
  const getRest = (path: string, init?: RequestInit) => fetch(`${app.url}/wp-json${path}`, init);
  const getOwn = (path: string, init?: RequestInit) => getRest(`/${OWN_NAMESPACE}${path}`, init);
  const json = async <T = Index>(response: Promise<Response>) => (await (await response).json()) as T;

  describe('namespace index', () => {
    it('has the recorded routes, methods, endpoints and arguments', async () => {
      const expected = JSON.parse(
        JSON.stringify(recordedIndex).replaceAll('http://127.0.0.1:8097/wp-json', REST_BASE_URL),
      );
      // This default is in the site's time zone, New York; the other one is in UTC.
      expected.routes[`/${PLUGIN_NAMESPACE}/events`].endpoints[0].args.start_date.default =
        '2026-11-20 18:59:00';
      const found = await json(getRest(`/${PLUGIN_NAMESPACE}`));
      // This default contains the second of the request.
      const end = found.routes[`/${PLUGIN_NAMESPACE}/events`]?.endpoints[0]?.args['end_date']?.['default'];
      expect(end).toMatch(/^2028-11-21 07:(09|1\d):\d\d$/);
      expected.routes[`/${PLUGIN_NAMESPACE}/events`].endpoints[0].args.end_date.default = end;
      const { [`/${PLUGIN_NAMESPACE}/halls/(?P<id>\\d+)/seats`]: _, ...routes } = found.routes;
      expect(Object.keys(found)).toEqual(['namespace', 'routes', '_links']);
      expect(Object.keys(routes)).toEqual(Object.keys(expected.routes));
      expect(withoutProse({ ...found, routes })).toEqual(expected);
      for (const [pattern, route] of Object.entries<Route>(expected.routes))
        expect([pattern, ...argumentsOf(withoutProse(routes[pattern]) as Route)]).toEqual([
          pattern,
          ...argumentsOf(route),
        ]);
    });

    it('names the requested namespace', async () => {
      const index = await json(getOwn(''));
      expect(index.namespace).toBe(OWN_NAMESPACE);
      expect(index.routes[`/${OWN_NAMESPACE}`]?.endpoints[0]?.args['namespace']?.['default']).toBe(
        OWN_NAMESPACE,
      );
      expect(index.routes[`/${OWN_NAMESPACE}/tags`]?._links?.self[0]?.href).toBe(
        `${REST_BASE_URL}/${OWN_NAMESPACE}/tags`,
      );
    });

    it('returns another served namespace and 404 for unknown ones', async () => {
      expect((await json(getOwn(`?namespace=${PLUGIN_NAMESPACE}`))).namespace).toBe(PLUGIN_NAMESPACE);
      for (const unknownName of ['x', 'wp/v2', '']) {
        const response = await getOwn(`?namespace=${unknownName}`);
        expect(response.status).toBe(404);
        expect(await response.json()).toMatchObject({
          code: 'rest_invalid_namespace',
          data: { status: 404 },
        });
      }
      expect((await getOwn('?namespace[]=a')).status).toBe(404);
    });

    it('keeps its links under _fields', async () => {
      expect(await json(getOwn('?_fields=namespace'))).toEqual({
        namespace: OWN_NAMESPACE,
        _links: { up: [{ href: `${REST_BASE_URL}/` }] },
      });
    });

    it('sends Allow: GET', async () => {
      const response = await getOwn('/');
      expect([response.status, response.headers.get('allow')]).toEqual([200, 'GET']);
    });

    it('lists the routes and parameters of plugins', async () => {
      const { routes } = await json(getOwn(''));
      expect(routes[`/${OWN_NAMESPACE}/halls/(?P<id>\\d+)/seats`]?.endpoints).toEqual([
        {
          methods: ['GET'],
          args: {
            id: { type: 'integer', description: expect.any(String), required: true },
            row: { type: 'integer', description: 'Row of the seats.', required: false },
          },
        },
      ]);
    });
  });

  describe('OPTIONS', () => {
    it.each([
      '',
      '/doc',
      '/events',
      '/events/53',
      '/events/by-slug/opening-night',
      '/venues/9/',
      '/Tags/20',
      '/halls/1/seats',
    ])('%s returns its route of the index', async (path) => {
      const { routes } = await json(getOwn(''));
      const pattern = path
        .toLowerCase()
        .replace(/\/$/, '')
        .replace(/\d+/, '(?P<id>\\d+)')
        .replace(/[\w-]+$/, (last) => (path.includes('by-slug') ? '(?P<slug>[^/]+)' : last));
      const response = await getOwn(path, { method: 'OPTIONS' });
      expect(response.status).toBe(200);
      // Default dates name the present.
      const timeless = (value: unknown) =>
        JSON.parse(JSON.stringify(value).replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, 'a time'));
      expect(timeless(await response.json())).toEqual(timeless(routes[`/${OWN_NAMESPACE}${pattern}`]));
    });

    it.each([
      ['/events', 'editor', 'GET, POST'],
      ['/events/53', 'editor', 'GET, DELETE, POST, PUT, PATCH'],
      ['/events/53', 'subscriber', 'GET'],
      ['/categories/3', 'editor', 'GET, POST, PUT, PATCH, DELETE'],
      ['/tags', 'author', 'GET'],
    ])('%s sends to %s Allow: %s', async (path, user, allow) => {
      const response = await getOwn(path, { method: 'OPTIONS', headers: credentialsOf(user) });
      expect(response.headers.get('allow')).toBe(allow);
    });

    it('sends Allow: GET to anonymous callers', async () => {
      expect((await getOwn('/events/53', { method: 'OPTIONS' })).headers.get('allow')).toBe('GET');
    });

    it.each(['/nope', '/events/nope', '/categories/by-slug/a', '/events/1/2', '//events'])(
      '%s without a route returns []',
      async (path) => {
        const response = await getOwn(path, { method: 'OPTIONS' });
        expect(response.status).toBe(200);
        expect(response.headers.get('allow')).toBeNull();
        expect(await response.json()).toEqual([]);
      },
    );

    it('rejects wrong credentials with 401', async () => {
      const headers = { Authorization: `Basic ${Buffer.from('admin:wrong').toString('base64')}` };
      expect((await getOwn('/events', { method: 'OPTIONS', headers })).status).toBe(401);
    });

    it('allows cross-origin requests', async () => {
      const { headers } = await getOwn('/tags', {
        method: 'OPTIONS',
        headers: { Origin: 'https://app.test' },
      });
      expect(headers.get('access-control-allow-origin')).toBe('https://app.test');
      expect(headers.get('access-control-allow-methods')).toBe('OPTIONS, GET, POST, PUT, PATCH, DELETE');
    });
  });

  it('HEAD returns the status of GET without a body', async () => {
    for (const path of ['', '/doc']) {
      const response = await getOwn(path, { method: 'HEAD' });
      expect([response.status, await response.text()]).toEqual([200, '']);
    }
  });

  it('/doc has the recorded paths, methods, parameters, responses and schemas', async () => {
    const expected = structuredClone(recordedDocument) as unknown as Record<string, unknown>;
    const response = await getRest(`/${PLUGIN_NAMESPACE}/doc`);
    const found = (await response.json()) as ApiDocument;
    expect(response.headers.get('allow')).toBe('GET');
    expect(Object.keys(found)).toEqual(['openapi', 'info', 'components', 'servers', 'paths']);
    expect(found.info).toMatchObject({ version: '1.0.0' });
    expect(found.servers).toEqual([{ url: `${REST_BASE_URL}/${PLUGIN_NAMESPACE}/` }]);
    const { '/halls/{id}/seats': plugin, ...paths } = found.paths;
    expect(Object.keys(paths)).toEqual(Object.keys(recordedDocument.paths));
    expect(plugin?.['get']?.parameters?.map(({ name }) => name)).toEqual(['id', 'row']);
    expect(withoutProse(found.components)).toEqual(expected['components']);
    expect(comparable(withoutProse(paths))).toEqual(comparable(expected['paths']));
    expect(fieldsOf(paths)).toEqual(fieldsOf(expected['paths'] as ApiDocument['paths']));
  });

  it('/doc names its server without port and site folder', async () => {
    const home = 'https://example.org:8443/town';
    const moved = await openWriteFixture(
      'SQLite',
      async (sql) => {
        await sql(`UPDATE wp_options SET option_value = '${home}' WHERE option_name IN ('home', 'siteurl')`);
      },
      { REST_BASE_URL: `${home}/wp-json` },
    );
    const { servers } = await json<ApiDocument>(fetch(`${moved.app.url}/${OWN_NAMESPACE}/doc`));
    expect(servers).toEqual([{ url: `https://example.org/wp-json/${OWN_NAMESPACE}/` }]);
    await moved.close();
  });

  describe('outside the namespaces', () => {
    it('/openapi.json has every route with every method', async () => {
      const { routes } = await json(getOwn(''));
      const document = await json<ApiDocument>(fetch(`${app.url}/openapi.json`));
      const methods = Object.entries(routes).map(([pattern, route]) => [
        pattern.slice(OWN_NAMESPACE.length + 1).replace(/\(\?P<(\w+)>[^)]*\)/g, '{$1}') || '/',
        route.methods.map((method) => method.toLowerCase()).sort(),
      ]);
      // Feeds, changes that are not journaled, and webhooks for them appear in this document only.
      const isFeed = (path: string) => /\.(ics|rss|atom|feed\.json)$|^\/(changes$|webhooks)/.test(path);
      const documented = Object.entries(document.paths)
        .filter(([path]) => !isFeed(path))
        .map(([path, item]) => [path, Object.keys(item).sort()]);
      // Resources come first, in the order of the tables of README.md and ARCHITECTURE.md.
      const resources = ['events', 'venues', 'organizers', 'categories', 'tags'];
      const resourceRank = (path: unknown) => (resources.indexOf(String(path).split('/')[1] ?? '') + 6) % 6;
      expect(documented).toEqual(methods.toSorted(([a], [b]) => resourceRank(a) - resourceRank(b)));
      const feeds = Object.entries(document.paths).filter(
        ([path]) => isFeed(path) && !path.startsWith('/webhooks'),
      );
      const ends = ['.ics', '/{id}.ics', '/by-slug/{slug}.ics', '.rss', '.atom', '.feed.json'];
      expect(feeds.map(([path, item]) => [path, Object.keys(item)]).toSorted()).toEqual(
        ['/changes', ...ends.map((end) => `/events${end}`)].map((path) => [path, ['get']]).toSorted(),
      );
    });
  });
});

/** Argument names of a route with their member names, by endpoint and in order. */
function argumentsOf({ endpoints }: Route): string[][] {
  return endpoints.map(({ args }) =>
    Object.entries(args).map(([name, arg]) => `${name}: ${Object.keys(arg).join(' ')}`),
  );
}

/** Input names of each operation in order: parameters, then body members. */
function fieldsOf(paths: ApiDocument['paths']): string[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { parameters = [], requestBody }]) => {
      const bodies = Object.values(requestBody?.content ?? {});
      const names = bodies.flatMap(({ schema }) => Object.keys(schema.properties));
      return [method, path, ...parameters.map(({ name }) => name), ...names].join(' ');
    }),
  );
}

/** Paths with parameters by name, as their order may differ from the recorded one. */
function comparable(paths: unknown): unknown {
  return JSON.parse(JSON.stringify(paths), (key, value: unknown) =>
    key === 'parameters' && Array.isArray(value)
      ? Object.fromEntries(value.map((parameter) => [parameter.name, parameter]))
      : value,
  );
}
