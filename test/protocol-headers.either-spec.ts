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
    'X-WP-Total, X-WP-TotalPages, Link, X-Almanac-Ignored, X-TEC-Total, X-TEC-TotalPages, ETag, Retry-After',
  'access-control-allow-headers':
    'Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type, If-None-Match',
};
const UNCACHED = {
  expires: 'Wed, 11 Jan 1984 05:00:00 GMT',
  'cache-control': 'no-cache, must-revalidate, max-age=0, no-store, private',
};
/** What anybody may keep, and ask about again. */
const KEPT = {
  'cache-control': 'no-cache',
  etag: expect.stringMatching(/^"[\w-]{27}"$/),
  vary: 'Origin, Accept-Encoding',
};
const ELSEWHERE = {
  'access-control-allow-origin': 'https://app.test',
  'access-control-allow-methods': 'OPTIONS, GET, POST, PUT, PATCH, DELETE',
  'access-control-allow-credentials': 'true',
  vary: 'Origin',
};
/** An origin that any page can have may read what anybody may, and is no reason to send credentials. */
const { 'access-control-allow-credentials': _credentials, ...UNNAMED } = ELSEWHERE;

/** The headers that the interface sets: all but those of the connection and the request, and the time of a change where it is known. */
function own({ headers }: ProtocolResponse): Record<string, unknown> {
  const { date: _d, connection: _c, 'keep-alive': _k, 'content-length': _l, ...sent } = headers;
  const { 'last-modified': _m, 'x-request-id': _r, ...rest } = sent;
  return rest;
}

describeEither('answers', (database) => {
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

  describe('headers, all of them', () => {
    const vary = { vary: 'Origin' };
    const get = { allow: 'GET' };
    const wrong = { Authorization: 'Basic YWRtaW46YmFk' };
    it.each<[string, number, Parameters<Ask>[1], object]>([
      ['', 200, {}, { ...get, ...KEPT }],
      ['/doc', 200, {}, { ...get, ...KEPT }],
      ['/venues/9', 200, {}, { ...get, ...KEPT }],
      ['/venues/9', 200, { as: 'subscriber' }, { ...get, ...UNCACHED }],
      ['/venues/9', 200, { headers: ORIGIN }, { ...get, ...ELSEWHERE, ...KEPT }],
      ['/venues/9', 200, { as: 'subscriber', headers: ORIGIN }, { ...get, ...ELSEWHERE, ...UNCACHED }],
      [
        '/venues/9',
        200,
        { headers: { Origin: 'null' } },
        { ...get, ...UNNAMED, ...KEPT, 'access-control-allow-origin': 'null' },
      ],
      [
        '/venues/9',
        200,
        { headers: { Origin: 'file://' } },
        { ...get, ...UNNAMED, ...KEPT, 'access-control-allow-origin': 'file://' },
      ],
      [
        '/venues/9',
        200,
        { as: 'subscriber', headers: { Origin: 'null' } },
        { ...get, ...UNNAMED, ...UNCACHED, 'access-control-allow-origin': 'null' },
      ],
      [
        '/venues/9',
        200,
        { method: 'OPTIONS', headers: { Origin: 'null' } },
        { ...get, ...UNNAMED, 'access-control-allow-origin': 'null' },
      ],
      ['/venues/9', 200, { method: 'HEAD' }, { ...get, ...KEPT, vary: 'Accept-Encoding' }],
      ['/venues/9', 200, { method: 'OPTIONS' }, get],
      ['/venues/9', 200, { method: 'OPTIONS', headers: ORIGIN }, { ...get, ...ELSEWHERE }],
      ['/nope', 200, { method: 'OPTIONS' }, {}],
      ['/venues?per_page=1', 200, {}, { ...get, ...KEPT, 'x-tec-total': '18', 'x-tec-totalpages': '18' }],
      [
        '/tags?per_page=7&hide_empty=0',
        200,
        {},
        { ...get, ...KEPT, 'x-tec-total': '20', 'x-tec-totalpages': '3' },
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
      ['/tags', 401, { headers: { ...wrong, ...ORIGIN } }, ELSEWHERE],
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
        { ...get, ...KEPT },
      ],
      ['/venues', 401, { method: 'POST', form: 'venue=x' }, get],
      ['/venues/9', 403, { method: 'PUT', as: 'author' }, { ...get, ...UNCACHED }],
    ])('%s: %d %j', async (path, status, request, more) => {
      const answer = await ask(path, request);
      expect([answer.status, own(answer)]).toEqual([status, { ...ALWAYS, ...more }]);
      if (request?.method === 'HEAD') expect(answer.text).toBe('');
    });

    it('a new term says where it is', async () => {
      const answer = await ask('/tags', { method: 'POST', as: 'editor', form: 'name=Placed' });
      const location = `http://calendar.example.org/wp-json/wp/v2/tags/${answer.body['id']}`;
      expect(own(answer)).toEqual({ ...ALWAYS, ...UNCACHED, allow: 'GET, POST', location });
    });

    it('HEAD says what GET says', async () => {
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
        expect({ ...own(head), vary, length: head.headers['content-length'] }).toEqual({
          ...own(read),
          length: read.headers['content-length'],
        });
      }
    });
  });

  describe('forms', () => {
    it('JSON is as PHP writes it', async () => {
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
    ])('%s', async (path, body) => {
      expect((await ask(path)).body).toEqual(body);
    });

    it('a context that terms do not have leaves nothing of them, which is an empty list', async () => {
      for (const list of ['categories', 'tags'])
        expect((await ask(`/${list}?context=nothing&per_page=2`)).body[list]).toEqual([[], []]);
      const { _links, ...rest } = (await ask('/tags/20?context=nothing')).body;
      expect([_links !== undefined, rest]).toEqual([true, {}]);
    });

    it('_fields: items of term lists keep id and urls; json_ld stays whole; errors and nothing are not thinned', async () => {
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
    ])('_envelope of %s', async (path, status, headers) => {
      const plain = await ask(path);
      const answer = await ask(`${path}${path.includes('?') ? '&' : '?'}_envelope`);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({ body: plain.body, status, headers });
      expect(Object.keys(answer.body)).toEqual(['body', 'status', 'headers']);
      const { allow: _a, 'x-tec-total': _t, 'x-tec-totalpages': _p, ...left } = own(plain);
      expect(own(answer)).toEqual({ ...left, ...(status === 200 && KEPT) });
    });

    it('_jsonp calls the function, errors too', async () => {
      for (const [path, status] of [
        ['/tags/20?_fields=id', 200],
        ['/venues/19', 403],
        ['/nope', 404],
      ] as const) {
        const plain = await ask(path);
        const answer = await ask(`${path}${path.includes('?') ? '&' : '?'}_jsonp=My.app_1`);
        expect([answer.status, answer.text]).toEqual([status, `/**/My.app_1(${plain.text})`]);
        expect(own(answer)).toEqual({
          ...own(plain),
          ...(status === 200 && KEPT),
          'content-type': 'application/javascript; charset=UTF-8',
        });
      }
    });

    it.each(['a-b', 'a(b)', ' ', 'a%0Ab', 'é'])(
      '_jsonp=%s is refused before anything is done',
      async (name) => {
        const request = { method: 'POST', as: 'editor', form: 'name=Never made', headers: ORIGIN } as const;
        const answer = await ask(`/tags?_jsonp=${encodeURIComponent(name)}`, request);
        expect(answer.status).toBe(400);
        expect(answer.body).toEqual({ code: 'rest_callback_invalid', message: expect.any(String) });
        const { 'access-control-expose-headers': _e, 'access-control-allow-headers': _a, ...left } = ALWAYS;
        const script = { ...left, 'content-type': 'application/javascript; charset=UTF-8' };
        expect(own(answer)).toEqual(script);
        const rows = await app.dataSource.query("SELECT 1 FROM wp_terms WHERE name = 'Never made'");
        expect(rows).toEqual([]);
      },
    );

    it('_embed shows the parent of a category, and nothing elsewhere', async () => {
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
    ])('%s', async (path, ...wanted) => {
      for (const method of ['GET', 'OPTIONS']) {
        const found: string[] = [];
        for (const as of CALLERS)
          found.push(String((await ask(path, { method, as })).headers['allow'] ?? 'none'));
        expect([method, found]).toEqual([method, wanted]);
      }
    });
  });
});
