import { REST_BASE_URL, startApp, type TestApp } from './support/app.js';
import { type Ask, askOf } from './support/protocol-client.js';
import { rawRequest } from './support/raw-request.js';
import { describeEither, makeSite, type Site } from './support/sites.js';

const BASE = '/cal/events/v1';
const ALIAS = '/tribe/events/v1';

const statusAndCode = ({ status, body }: { status: number; body: Record<string, unknown> }) => [
  status,
  body['code'],
];

describeEither('request parsing', (database) => {
  let site: Site;
  let app: TestApp;
  let ask: Ask;

  beforeAll(async () => {
    site = await makeSite(database);
    const env = { API_NAMESPACES: 'cal/events/v1,tribe/events/v1', RATE_LIMIT: 'off' };
    app = await startApp({ databaseUrl: site.url, env });
    ask = askOf(app.url);
  });
  afterAll(async () => {
    await app?.close();
    await site?.drop();
  });

  const status = async (id: unknown) => {
    const [row] = await app.dataSource.query(`SELECT post_status AS s FROM wp_posts WHERE ID = ${id}`);
    return row.s as string;
  };
  const makeVenue = async (venue: string) => {
    const { body } = await ask(`${BASE}/venues`, { method: 'POST', as: 'editor', json: { venue } });
    return body['id'] as number;
  };

  describe('routes', () => {
    it.each([
      `${BASE}/venues/9/`,
      `${BASE}/venues/9//`,
      `/CAL/Events/V1/VENUES/9`,
      `/index.php${BASE}/venues/9`,
      `/?rest_route=${BASE}/venues/9`,
      `/?rest_route=${encodeURIComponent(`${BASE}/Venues/9/`)}`,
      `/?rest_route=cal/events/v1/venues/9`,
      `/index.php?rest_route=${BASE}/venues/9`,
      // The query is decoded once before routing.
      `/?rest_route=${BASE}/%76enues/%39`,
      `/?rest_route=${BASE}/venues/by-slug/town%2Dhall`,
      `${BASE}/venues/by-slug/town%2Dh%61ll`,
      `/index.php/?rest_route=${BASE}/venues/9`,
      `${BASE}/venues/by-slug/town-hall`,
      `${BASE}/venues/By-Slug/TOWN-HALL/`,
      `${BASE}/venues/009`,
    ])('%s addresses the venue', async (path) => {
      const { status, body, headers } = await ask(path, { as: 'editor' });
      expect([status, body['id']]).toEqual([200, 9]);
      expect(body['json_ld']).toBeDefined();
      expect(headers['allow']).toBe('GET, DELETE, POST, PUT, PATCH');
    });

    it('accept an absolute request target, whose cached response the relative one shares', async () => {
      const get = async (path: string) => {
        const { status, headers, text } = await rawRequest(app.url, { path });
        return [status, headers['etag'], text];
      };
      for (const path of [
        `${BASE}/tags?per_page=2`,
        '/',
        '/livez',
        '/calendar?date=2091-03-01',
        '/nowhere',
      ]) {
        // The first request may fill the cache for the next ones.
        const responses = [await get(`HTTPS://elsewhere.example:8080${path}`), await get(path)];
        const again = await get(`http://calendar.example.org${path}`);
        expect([responses[0], again]).toEqual([responses[1], responses[1]]);
        expect(responses[1]?.[0]).toBe(path === '/nowhere' ? 404 : 200);
      }
      expect(await get('http://calendar.example.org')).toEqual(await get('/'));
      const route = `rest_route=${BASE}/tags/20`;
      expect(await get(`http://calendar.example.org?${route}`)).toEqual(await get(`/?${route}`));
    });

    it.each([
      ['GET', '/nope'],
      ['GET', '/wp/v2/posts'],
      ['GET', `${BASE}x`],
      ['GET', `${BASE}//venues`],
      ['GET', `${BASE}/venues//9`],
      ['GET', `${BASE}/venues/abc`],
      ['GET', `${BASE}/venues/-1`],
      ['GET', `${BASE}/venues/1.0`],
      ['GET', `${BASE}/venues/by-slug/`],
      ['GET', `${BASE}/tags/by-slug/outdoor`],
      ['GET', '/?rest_route=/nope'],
      // Paths are matched as sent (R17).
      ['GET', `${BASE}/%76enues/9`],
      ['GET', `${BASE}/venues/%39`],
      ['GET', `${BASE}/venues%2F9`],
      ['GET', `${BASE}%2Fvenues/9`],
      ['GET', `/%63al/events/v1/venues/9`],
      ['GET', `${BASE}/venues/by%2Dslug/town-hall`],
      ['GET', `/index%2Ephp${BASE}/venues/9`],
      ['GET', `/%69ndex.php?rest_route=${BASE}/venues/9`],
      ['GET', `/?rest_route=${BASE}/%2576enues/9`],
      ['GET', `/?rest_route=${BASE}/venues/%2539`],
      ['GET', '/%64ocs'],
      ['DELETE', `${BASE}/venues/%39`],
      ['DELETE', `${BASE}/events`],
      ['PATCH', `${BASE}/events`],
      ['PUT', `${BASE}/venues`],
      ['POST', `${BASE}/doc`],
      ['DELETE', BASE],
      ['PROPFIND', `${BASE}/venues/9`],
      ['TRACE', `${BASE}/venues`],
    ])('%s %s responds 404 rest_no_route', async (method, path) => {
      const response = await ask(path, { method, as: 'admin' });
      expect(statusAndCode(response)).toEqual([404, 'rest_no_route']);
      expect(response.body['data']).toEqual({ status: 404 });
      expect(response.headers['allow']).toBeUndefined();
    });

    it.each([
      `${BASE}/venues/by-slug/town%2Fhall`,
      `${BASE}/venues/by-slug/town%252Dhall`,
      `/?rest_route=${BASE}/venues/by-slug/town%252Dhall`,
    ])('%s names no venue and responds 400 rest_invalid_param', async (path) => {
      expect(statusAndCode(await ask(path))).toEqual([400, 'rest_invalid_param']);
    });

    it('reject a rest_route that is not a string with 400 rest_path_invalid_type', async () => {
      for (const path of ['/', '/index.php'])
        expect(statusAndCode(await ask(`${path}?rest_route[]=${BASE}/venues`))).toEqual([
          400,
          'rest_path_invalid_type',
        ]);
    });

    it.each([BASE, ALIAS])('below %s link to the same namespace', async (base) => {
      const root = `${REST_BASE_URL}${base}`;
      const events = await ask(`${base.toUpperCase()}/events?per_page=1`);
      expect(events.body['rest_url']).toMatch(new RegExp(`^${root}/events/\\?`));
      expect(events.body['next_rest_url']).toMatch(new RegExp(`^${root}/events/\\?`));
      const event = await ask(`/?rest_route=${base}/events/53`);
      expect(event.body['rest_url']).toBe(`${root}/events/53`);
      const other = base === BASE ? ALIAS : BASE;
      for (const path of ['', '/events/53', '/tags', '/categories/4?_embed', '/doc'])
        expect((await ask(base + path)).text.replaceAll('\\/', '/')).not.toContain(`${other}/`);
    });
  });

  describe('methods', () => {
    it.each([
      ['GET', '?_method=DELETE', {}],
      ['GET', '?_method=delete', {}],
      ['POST', '', { 'X-HTTP-Method-Override': 'delete' }],
      ['PATCH', '?_method=DELETE', { 'X-HTTP-Method-Override': 'GET' }],
    ])('%s %s with headers %j moves the venue to the trash', async (method, query, headers) => {
      const id = await makeVenue(`Deleted by ${method}${query}`);
      const rejected = await ask(`${BASE}/venues/${id}${query}`, { method, headers });
      expect(statusAndCode(rejected)).toEqual([401, 'rest_forbidden']);
      const { status: response } = await ask(`${BASE}/venues/${id}${query}`, {
        method,
        headers,
        as: 'editor',
      });
      expect([response, await status(id)]).toEqual([200, 'trash']);
    });

    it('_method=GET turns POST into a read, and an unknown method responds 404 rest_no_route', async () => {
      const read = await ask(`${BASE}/venues/9?_method=GET`, {
        method: 'POST',
        as: 'editor',
        json: { venue: 'x' },
      });
      expect([read.status, read.body['slug']]).toEqual([200, 'town-hall']);
      expect(statusAndCode(await ask(`${BASE}/venues/9?_method=PAINT`))).toEqual([404, 'rest_no_route']);
    });

    it('POST, PUT and PATCH perform the same update', async () => {
      const id = await makeVenue('Three verbs');
      for (const method of ['POST', 'PUT', 'PATCH']) {
        const { status, body } = await ask(`${BASE}/venues/${id}`, {
          method,
          as: 'editor',
          form: `city=${method}`,
        });
        expect([status, body['city'], body['venue']]).toEqual([200, method, 'Three verbs']);
      }
    });
  });

  describe('parameters', () => {
    const create = (name: string, more: Parameters<Ask>[1], query = '') =>
      ask(`${BASE}/tags${query}`, { method: 'POST', as: 'editor', ...more }).then(({ status, body }) => [
        status,
        body['name'] ?? (body['data'] as { params: unknown }).params,
        name,
      ]);
    const multipart = {
      headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
      body: '--b\r\nContent-Disposition: form-data; name="name"\r\n\r\nMulti\r\n--b--\r\n',
    };

    it.each<[string, string, Parameters<Ask>[1], string]>([
      ['JSON', 'In JSON', { json: { name: 'In JSON' } }, ''],
      [
        'JSON with a vendor type',
        'Kind',
        { body: '{"name":"Kind"}', headers: { 'Content-Type': 'application/vnd.x+json' } },
        '',
      ],
      [
        'JSON under a text type',
        'Text',
        { body: '{"name":"Text"}', headers: { 'Content-Type': 'text/x+json;a=b' } },
        '',
      ],
      ['a form', 'a b+c', { form: 'name=a+b%2Bc' }, ''],
      ['the last of a form', 'second', { form: 'name=first&name=second' }, ''],
      ['the query', 'Asked', {}, '?name=Asked'],
      ['multipart', 'Multi', multipart, ''],
      ['JSON before the query', 'Body', { json: { name: 'Body' } }, '?name=Query'],
      ['a form before the query', 'Form', { form: 'name=Form' }, '?name=Query2'],
      ['the query when JSON contains null', 'Null', { json: { name: null } }, '?name=Null'],
      ['the query when JSON is a list', 'Listed', { json: [] }, '?name=Listed'],
      ['the query when JSON is a number', 'Numbered', { json: 7 }, '?name=Numbered'],
      [
        'the query when the body is text/plain',
        'Plain',
        { body: 'name=x', headers: { 'Content-Type': 'text/plain' } },
        '?name=Plain',
      ],
    ])('are read from %s', async (_, name, more, query) => {
      expect(await create(name, more, query)).toEqual([201, name, name]);
    });

    it('are read from a PUT form without Content-Type, and from multipart only when sent as POST', async () => {
      const path = `${BASE}/tags/38`;
      const put = (more: Parameters<Ask>[1], query = '') =>
        ask(path + query, { method: 'PUT', as: 'editor', ...more }).then(({ body }) => body['name']);
      expect(await put({ body: 'name=Bare' })).toBe('Bare');
      expect(await put(multipart)).toBe('Bare');
      expect(await put({ ...multipart, method: 'POST' }, '?_method=PUT')).toBe('Multi');
    });

    it('are read from the JSON body of GET and not from its form', async () => {
      const total = ({ body }: { body: Record<string, unknown> }) => (body['tags'] as unknown[]).length;
      expect(total(await ask(`${BASE}/tags?per_page=5`, { json: { per_page: 2 } }))).toBe(2);
      expect(total(await ask(`${BASE}/tags?per_page=5`, { form: 'per_page=2' }))).toBe(5);
    });

    it('have brackets, blanks and dots in their names parsed as in PHP', async () => {
      const ids = async (query: string) =>
        ((await ask(`${BASE}/tags?${query}`)).body['tags'] as { id: number }[]).map(({ id }) => id).sort();
      for (const query of ['include[]=20&include[]=21', 'include[a]=20&include[b]=21', 'include=20,21'])
        expect(await ids(query)).toEqual([20, 21]);
      for (const name of ['per.page', 'per+page', 'per%20page', '%20per_page'])
        expect(await ids(`${name}=2`)).toHaveLength(2);
    });

    it('named id and slug do not override the record in the path', async () => {
      expect((await ask(`${BASE}/venues/9?id=10`)).body['id']).toBe(9);
      expect((await ask(`${BASE}/venues/9`, { json: { id: 10 } })).body['id']).toBe(9);
      expect((await ask(`${BASE}/venues/by-slug/town-hall?slug=omalleys-pub&id=10`)).body['id']).toBe(9);
      expect((await ask(`${BASE}/tags/20?id=21`)).body['id']).toBe(20);
      const [one, other] = [await makeVenue('Named by path'), await makeVenue('Named by id')];
      const change = { json: { id: other, city: 'Moved' }, as: 'editor' } as const;
      const changed = await ask(`${BASE}/venues/${one}?id=${other}`, { method: 'PUT', ...change });
      expect(changed.body).toMatchObject({ id: one, city: 'Moved' });
      const renamed = await ask(`${BASE}/venues/by-slug/named-by-path`, {
        method: 'PATCH',
        as: 'editor',
        json: { slug: 'new-name', id: other },
      });
      expect(renamed.body).toMatchObject({ id: one, slug: 'new-name' });
      expect(
        (await ask(`${BASE}/venues/${one}?id=${other}`, { method: 'DELETE', as: 'editor' })).status,
      ).toBe(200);
      expect([await status(one), await status(other)]).toEqual(['trash', 'publish']);
    });
  });
});

describe('PATH_PREFIX', () => {
  let site: Site;
  let app: TestApp;

  beforeAll(async () => {
    site = await makeSite('SQLite');
    app = await startApp({ databaseUrl: site.url, env: { PATH_PREFIX: '/blog/wp-json' } });
  });
  afterAll(async () => {
    await app?.close();
    await site?.drop();
  });

  it.each([
    [`/blog/wp-json${BASE}/tags/20`, 200],
    [`/blog/wp%2Djson${BASE}/tags/20`, 404],
    [`/blog/wp-json${BASE}/tags/%320`, 404],
    [`/index.php/blog%2Fwp-json${BASE}/tags/20`, 404],
    [`/BLOG/WP-JSON${BASE}/tags/20/`, 200],
    [`/index.php/blog/wp-json${BASE}/tags/20`, 200],
    [`/?rest_route=${BASE}/tags/20`, 200],
    [`${BASE}/tags/20`, 404],
    [`/wp-json${BASE}/tags/20`, 404],
    [`/blog/wp-jsonx${BASE}/tags/20`, 404],
    [`/blog/wp-jso`, 404],
    [`/blog/wp%2Djson/`, 404],
  ])('%s responds %d', async (path, status) => {
    const response = await askOf(app.url)(path);
    expect(response.status).toBe(status);
    if (status === 200)
      expect(response.body['urls']).toMatchObject({ self: `${REST_BASE_URL}${BASE}/tags/20` });
  });
});
