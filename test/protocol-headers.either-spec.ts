import { startApp, type TestApp } from './support/app.js';
import { CALLERS } from './support/calendar-client.js';
import { type Ask, askOf, type ProtocolResponse } from './support/protocol-client.js';
import { describeEither, makeSite, type Site } from './support/sites.js';

const BASE = '/cal/events/v1';
const ORIGIN = { Origin: 'https://app.test' };

const ALWAYS = {
  'content-type': 'application/json; charset=UTF-8',
  'x-robots-tag': 'noindex',
  link: '<http://calendar.example.org/wp-json/>; rel="https://api.w.org/"',
  'x-content-type-options': 'nosniff',
  'access-control-expose-headers':
    'X-WP-Total, X-WP-TotalPages, Link, X-Almanac-Ignored, X-TEC-Total, X-TEC-TotalPages, ETag, Retry-After, Idempotency-Replayed',
  'access-control-allow-headers':
    'Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type, If-None-Match, If-Match, If-Unmodified-Since, Idempotency-Key',
};
const UNCACHED = {
  expires: 'Wed, 11 Jan 1984 05:00:00 GMT',
  'cache-control': 'no-cache, must-revalidate, max-age=0, no-store, private',
};
const TAGGED = { etag: expect.stringMatching(/^"[\w-]{27}"$/) };
/** Headers of responses that caches may store and must revalidate. */
const CACHEABLE = {
  'cache-control': 'no-cache',
  ...TAGGED,
  vary: 'Origin, Accept-Encoding',
};
const CROSS_ORIGIN = {
  'access-control-allow-origin': 'https://app.test',
  'access-control-allow-methods': 'OPTIONS, GET, POST, PUT, PATCH, DELETE',
  'access-control-allow-credentials': 'true',
  vary: 'Origin',
};
/** Opaque origins may read public responses, without credentials. */
const { 'access-control-allow-credentials': _credentials, ...OPAQUE_ORIGIN } = CROSS_ORIGIN;

/** Removes the headers of the connection and the request, and Last-Modified. */
function apiHeaders({ headers }: ProtocolResponse): Record<string, unknown> {
  const { date: _d, connection: _c, 'keep-alive': _k, 'content-length': _l, ...sent } = headers;
  const { 'last-modified': _m, 'x-request-id': _r, ...rest } = sent;
  return rest;
}

describeEither('responses', (database) => {
  let site: Site;
  let app: TestApp;
  let ask: Ask;

  beforeAll(async () => {
    site = await makeSite(database);
    app = await startApp({ databaseUrl: site.url, env: { RATE_LIMIT: 'off' } });
    ask = (path, request) => askOf(app.url)(BASE + path, request);
  });
  afterAll(async () => {
    await app?.close();
    await site?.drop();
  });

  describe('headers', () => {
    const vary = { vary: 'Origin' };
    const get = { allow: 'GET' };
    const wrong = { Authorization: 'Basic YWRtaW46YmFk' };
    it.each<[string, number, Parameters<Ask>[1], object]>([
      ['', 200, {}, { ...get, ...CACHEABLE }],
      ['/doc', 200, {}, { ...get, ...CACHEABLE }],
      ['/venues/9', 200, {}, { ...get, ...CACHEABLE }],
      ['/venues/9', 200, { as: 'subscriber' }, { ...get, ...UNCACHED }],
      ['/venues/9', 200, { headers: ORIGIN }, { ...get, ...CROSS_ORIGIN, ...CACHEABLE }],
      ['/venues/9', 200, { as: 'subscriber', headers: ORIGIN }, { ...get, ...CROSS_ORIGIN, ...UNCACHED }],
      [
        '/venues/9',
        200,
        { headers: { Origin: 'null' } },
        { ...get, ...OPAQUE_ORIGIN, ...CACHEABLE, 'access-control-allow-origin': 'null' },
      ],
      [
        '/venues/9',
        200,
        { headers: { Origin: 'file://' } },
        { ...get, ...OPAQUE_ORIGIN, ...CACHEABLE, 'access-control-allow-origin': 'file://' },
      ],
      [
        '/venues/9',
        200,
        { as: 'subscriber', headers: { Origin: 'null' } },
        { ...get, ...OPAQUE_ORIGIN, ...UNCACHED, 'access-control-allow-origin': 'null' },
      ],
      [
        '/venues/9',
        200,
        { method: 'OPTIONS', headers: { Origin: 'null' } },
        { ...get, ...OPAQUE_ORIGIN, 'access-control-allow-origin': 'null' },
      ],
      ['/venues/9', 200, { method: 'HEAD' }, { ...get, ...CACHEABLE, vary: 'Accept-Encoding' }],
      ['/venues/9', 200, { method: 'OPTIONS' }, get],
      ['/venues/9', 200, { method: 'OPTIONS', headers: ORIGIN }, { ...get, ...CROSS_ORIGIN }],
      ['/nope', 200, { method: 'OPTIONS' }, {}],
      [
        '/venues?per_page=1',
        200,
        {},
        { ...get, ...CACHEABLE, 'x-tec-total': '18', 'x-tec-totalpages': '18' },
      ],
      [
        '/tags?per_page=7&hide_empty=0',
        200,
        {},
        { ...get, ...CACHEABLE, 'x-tec-total': '20', 'x-tec-totalpages': '3' },
      ],
      ['/venues/999', 400, {}, { ...get, ...vary }],
      ['/venues/999', 400, { method: 'HEAD' }, get],
      ['/venues/19', 403, {}, { ...get, ...vary }],
      ['/venues?page=99', 404, {}, { ...get, ...vary }],
      ['?namespace=x', 404, {}, { ...get, ...vary }],
      ['/nope', 404, {}, vary],
      ['/nope', 404, { as: 'admin' }, UNCACHED],
      ['/nope', 401, { headers: wrong }, vary],
      ['/tags', 401, { headers: wrong, method: 'OPTIONS' }, {}],
      ['/tags', 401, { headers: { ...wrong, ...ORIGIN } }, CROSS_ORIGIN],
      ['/tags', 403, { headers: { 'X-WP-Nonce': 'bad' } }, { ...vary, ...UNCACHED }],
      ['/tags?_wpnonce=bad', 403, { method: 'HEAD' }, UNCACHED],
      ['/venues/9', 401, { method: 'DELETE' }, get],
      ['/venues/9?_method=DELETE', 401, { method: 'POST' }, get],
      [
        '/venues/9',
        401,
        { method: 'POST', headers: { 'X-HTTP-Method-Override': 'DELETE' } },
        { ...get, ...UNCACHED },
      ],
      [
        '/venues/9',
        200,
        { method: 'POST', headers: { 'X-HTTP-Method-Override': 'GET' } },
        { ...get, ...CACHEABLE },
      ],
      ['/venues', 401, { method: 'POST', form: 'venue=x' }, get],
      ['/venues/9', 403, { method: 'PUT', as: 'author' }, { ...get, ...UNCACHED }],
    ])('are complete for %s with status %d and request %j', async (path, status, request, more) => {
      const response = await ask(path, request);
      expect([response.status, apiHeaders(response)]).toEqual([status, { ...ALWAYS, ...more }]);
      if (request?.method === 'HEAD') expect(response.text).toBe('');
    });

    it('contain Location for a new term', async () => {
      const response = await ask('/tags', { method: 'POST', as: 'editor', form: 'name=Placed' });
      const location = `http://calendar.example.org/wp-json/wp/v2/tags/${response.body['id']}`;
      expect(apiHeaders(response)).toEqual({
        ...ALWAYS,
        ...UNCACHED,
        ...TAGGED,
        allow: 'GET, POST',
        location,
      });
    });

    it('are the same for HEAD as for GET', async () => {
      for (const path of [
        '',
        '/doc',
        '/events?page=2',
        '/events/53',
        '/categories',
        '/venues/by-slug/town-hall',
      ]) {
        const [read, head] = [await ask(path), await ask(path, { method: 'HEAD' })];
        expect(head.text).toBe('');
        const vary = ['Origin', head.headers.vary].filter(Boolean).join(', ');
        expect({ ...apiHeaders(head), vary, length: head.headers['content-length'] }).toEqual({
          ...apiHeaders(read),
          length: read.headers['content-length'],
        });
      }
    });
  });

  describe('formats', () => {
    it('encode JSON as PHP does', async () => {
      expect((await ask('/tags/26?_fields=name')).text).toBe('{"name":"caf\\u00e9"}');
      expect((await ask('/events/53?_fields=rest_url')).text).toBe(
        '{"rest_url":"http:\\/\\/calendar.example.org\\/wp-json\\/cal\\/events\\/v1\\/events\\/53"}',
      );
      expect((await ask('/tags/26?_fields=id,meta&_pretty')).text).toBe(
        '{\n    "id": 26,\n    "meta": []\n}',
      );
    });

    it.each([
      ['/venues/9?_fields=id,slug', { id: 9, slug: 'town-hall' }],
      ['/venues/9?_fields[]=id&_fields[]=slug', { id: 9, slug: 'town-hall' }],
      ['/venues/9?_fields=%20id%20,,slug', { id: 9, slug: 'town-hall' }],
      ['/events?_fields=events.id,total', { events: [], total: 41 }],
      ['/tags/20?_fields=id,url', { id: 20 }],
      ['/tags/20?_fields=name', { name: 'outdoor' }],
      ['/venues/9?_fields=nothing', []],
      ['/events/53?_fields=cost_details.nothing', { cost_details: [] }],
      [
        '/events/53?_fields=id,cost_details.x.y,utc_start_date_details.year',
        { id: 53, cost_details: [], utc_start_date_details: { year: '2090' } },
      ],
      ['?_fields=nothing', { _links: { up: [{ href: 'http://calendar.example.org/wp-json/' }] } }],
    ])('reduce the body by _fields for %s', async (path, body) => {
      expect((await ask(path)).body).toEqual(body);
    });

    it('reduce the terms of a list to [] for an unknown context', async () => {
      for (const list of ['categories', 'tags'])
        expect((await ask(`/${list}?context=nothing&per_page=2`)).body[list]).toEqual([[], []]);
      const { _links, ...rest } = (await ask('/tags/20?context=nothing')).body;
      expect([_links !== undefined, rest]).toEqual([true, {}]);
    });

    it('contain id and urls of listed terms, whole json_ld, whole errors and all members for an empty _fields', async () => {
      const { body } = await ask('/categories?_fields=categories,name&per_page=1');
      expect(Object.keys((body['categories'] as object[])[0] ?? {})).toEqual(['id', 'name', 'urls']);
      const bare = await ask('/categories?_fields=categories&per_page=1');
      expect(Object.keys((bare.body['categories'] as object[])[0] ?? {})).toEqual(['id', 'urls']);
      const whole = (await ask('/venues/9')).body;
      expect((await ask('/venues/9?_fields=json_ld.name')).body).toEqual({ json_ld: whole['json_ld'] });
      expect((await ask('/venues/9?_fields=')).body).toEqual(whole);
      expect(Object.keys((await ask('/venues/19?_fields=id')).body)).toEqual(['code', 'message', 'data']);
      expect((await ask('/tags/20?_fields=id,_links')).body['_links']).toBeDefined();
    });

    it.each<[string, number, object | []]>([
      ['/tags/20', 200, { Allow: 'GET' }],
      ['/venues?per_page=5', 200, { 'X-TEC-Total': 18, 'X-TEC-TotalPages': 4, Allow: 'GET' }],
      ['/venues/19', 403, { Allow: 'GET' }],
      ['/nope', 404, []],
      ['/tags?_wpnonce=bad', 403, []],
    ])('wrap body, status and headers of %s under _envelope', async (path, status, headers) => {
      const plain = await ask(path);
      const response = await ask(`${path}${path.includes('?') ? '&' : '?'}_envelope`);
      expect(response.status).toBe(200);
      expect(response.body).toEqual({ body: plain.body, status, headers });
      expect(Object.keys(response.body)).toEqual(['body', 'status', 'headers']);
      const { allow: _a, 'x-tec-total': _t, 'x-tec-totalpages': _p, ...left } = apiHeaders(plain);
      expect(apiHeaders(response)).toEqual({ ...left, ...(status === 200 && CACHEABLE) });
    });

    it('wrap bodies and errors in a function call under _jsonp', async () => {
      for (const [path, status] of [
        ['/tags/20?_fields=id', 200],
        ['/venues/19', 403],
        ['/nope', 404],
      ] as const) {
        const plain = await ask(path);
        const response = await ask(`${path}${path.includes('?') ? '&' : '?'}_jsonp=My.app_1`);
        expect([response.status, response.text]).toEqual([status, `/**/My.app_1(${plain.text})`]);
        expect(apiHeaders(response)).toEqual({
          ...apiHeaders(plain),
          ...(status === 200 && CACHEABLE),
          'content-type': 'application/javascript; charset=UTF-8',
        });
      }
    });

    it.each(['a-b', 'a(b)', ' ', 'a%0Ab', 'é'])(
      'reject _jsonp=%s with 400 rest_callback_invalid and write nothing',
      async (name) => {
        const request = { method: 'POST', as: 'editor', form: 'name=Never made', headers: ORIGIN } as const;
        const response = await ask(`/tags?_jsonp=${encodeURIComponent(name)}`, request);
        expect(response.status).toBe(400);
        expect(response.body).toEqual({ code: 'rest_callback_invalid', message: expect.any(String) });
        const { 'access-control-expose-headers': _e, 'access-control-allow-headers': _a, ...left } = ALWAYS;
        const script = { ...left, 'content-type': 'application/javascript; charset=UTF-8' };
        expect(apiHeaders(response)).toEqual(script);
        const rows = await app.dataSource.query("SELECT 1 FROM wp_terms WHERE name = 'Never made'");
        expect(rows).toEqual([]);
      },
    );

    it('embed the parent of a category under _embed and nothing for other records', async () => {
      const { body } = await ask('/categories/4?_embed');
      const [up] = (body['_embedded'] as { up: Record<string, unknown>[] }).up;
      expect(Object.keys(up ?? {})).toEqual(['id', 'link', 'name', 'slug', 'taxonomy', '_links']);
      expect(up).toMatchObject({ id: 3, slug: 'rock-roll' });
      for (const path of [
        '/categories/2?_embed',
        '/venues/9?_embed',
        '/events/53?_embed',
        '/categories?_embed',
      ])
        expect((await ask(path)).text).not.toContain('_embedded');
    });
  });

  // Rows of docs/behaviour/capabilities.md#rights-by-operation and docs/behaviour/capabilities.md#rights-on-a-record;
  // venue 9 is the contributor's, 10 the editor's, 13 the author's (pending), 23 the author's.
  describe('Allow', () => {
    const ITEM = 'GET, DELETE, POST, PUT, PATCH';
    const TERM = 'GET, POST, PUT, PATCH, DELETE';
    it.each<[string, ...string[]]>([
      ['', 'GET', 'GET', 'GET', 'GET', 'GET', 'GET'],
      ['/doc', 'GET', 'GET', 'GET', 'GET', 'GET', 'GET'],
      ['/events', 'GET', 'GET', 'GET, POST', 'GET, POST', 'GET, POST', 'GET, POST'],
      ['/venues', 'GET', 'GET', 'GET, POST', 'GET, POST', 'GET, POST', 'GET, POST'],
      ['/organizers/', 'GET', 'GET', 'GET, POST', 'GET, POST', 'GET, POST', 'GET, POST'],
      ['/categories', 'GET', 'GET', 'GET', 'GET, POST', 'GET, POST', 'GET, POST'],
      ['/tags', 'GET', 'GET', 'GET', 'GET', 'GET, POST', 'GET, POST'],
      ['/categories/3', 'GET', 'GET', 'GET', TERM, TERM, TERM],
      ['/tags/20', 'GET', 'GET', 'GET', 'GET', TERM, TERM],
      ['/events/53', 'GET', 'GET', 'GET', ITEM, ITEM, ITEM],
      ['/Events/By-Slug/opening-night/', 'GET', 'GET', 'GET', ITEM, ITEM, ITEM],
      ['/events/109', 'GET', 'GET', ITEM, 'GET', ITEM, ITEM],
      ['/events/83', 'GET', 'GET', 'GET', 'GET', ITEM, ITEM],
      ['/events/76', 'GET', 'GET', ITEM, 'GET', ITEM, ITEM],
      ['/events/100', 'GET', 'GET', 'GET', ITEM, ITEM, ITEM],
      ['/events/999', 'GET', 'GET', ITEM, ITEM, ITEM, ITEM],
      ['/venues/9', 'GET', 'GET', 'GET', 'GET', ITEM, ITEM],
      ['/venues/13', 'GET', 'GET', 'GET', ITEM, ITEM, ITEM],
      ['/venues/19', 'GET', 'GET', ITEM, 'GET', ITEM, ITEM],
      ['/venues/by-slug/omalleys-pub-14', 'GET', 'GET', 'GET', ITEM, ITEM, ITEM],
      ['/organizers/37', 'GET', 'GET', 'GET', ITEM, ITEM, ITEM],
      ['/organizers/by-slug/%D1%81%D1%82%D0%B0%D1%81', 'GET', 'GET', 'GET', ITEM, ITEM, ITEM],
      ['/nope', ...Array<string>(6).fill('none')],
      ['/categories/by-slug/music', ...Array<string>(6).fill('none')],
    ])('lists the permitted methods of %s for each role', async (path, ...expected) => {
      for (const method of ['GET', 'OPTIONS']) {
        const found: string[] = [];
        for (const as of CALLERS)
          found.push(String((await ask(path, { method, as })).headers['allow'] ?? 'none'));
        expect([method, found]).toEqual([method, expected]);
      }
    });
  });
});
