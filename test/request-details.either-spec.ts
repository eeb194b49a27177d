import { startApp, type TestApp } from './support/app.js';
import { type Ask, askOf, type ProtocolResponse } from './support/protocol-client.js';
import { describeEither, makeSite, type Site } from './support/sites.js';

const BASE = '/cal/events/v1';
const EVER = 'start_date=2000-01-01&end_date=2099-12-31';

const paramsOf = ({ status, body }: ProtocolResponse) => {
  const { params = {}, details = {} } = (body['data'] ?? {}) as { params?: object; details?: object };
  const codes = Object.values(details as Record<string, { code: string }>).map(({ code }) => code);
  return [status, body['code'], ...Object.keys(params), ...codes];
};

describeEither('request details', (database) => {
  let site: Site;
  let app: TestApp;
  let askRoot: Ask;
  let ask: Ask;

  beforeAll(async () => {
    site = await makeSite(database);
    app = await startApp({ databaseUrl: site.url, clockStands: true, env: { RATE_LIMIT: 'off' } });
    askRoot = askOf(app.url);
    ask = (path, request) => askRoot(`${BASE}${path}`, request);
  });
  afterAll(async () => {
    await app?.close();
    await site?.drop();
  });

  describe('statuses', () => {
    it.each(['events', 'venues', 'organizers'])(
      'of %s accept blanks around commas and are decoded a second time (R23)',
      async (plural) => {
        const total = async (query: string) => {
          const { status, body } = await ask(`/${plural}?${EVER}&${query}`, { as: 'editor' });
          return [status, body['total']];
        };
        const both = await total('status=publish,draft');
        expect(both[0]).toBe(200);
        for (const sent of [
          'status=publish,%20draft',
          'status=publish%20,%09draft%20,',
          'status=publish%252Cdraft',
        ])
          expect([sent, await total(sent)]).toEqual([sent, both]);
        for (const sent of ['status=%20', 'status=%20publish', 'status=publish,%20draft'])
          expect(paramsOf(await ask(`/${plural}?${sent}`))).toEqual([400, 'rest_invalid_param', 'status']);
      },
    );
  });

  describe('checks', () => {
    it.each(['yes', 'ON', 'y', 'enable', 'Enabled', 'true', '1'])(
      'reject ticketed=%s with 400 event-tickets-not-active together with other errors',
      async (value) => {
        const tickets = 'event-tickets-not-active';
        const bad = [400, 'rest_invalid_param'];
        expect(paramsOf(await ask(`/events?ticketed=${value}`))).toEqual([...bad, 'ticketed', tickets]);
        expect(paramsOf(await ask(`/events?ticketed=${value}&include=abc`))).toEqual([
          ...bad,
          'include',
          'ticketed',
          tickets,
        ]);
      },
    );

    it.each(['no', '2', 'x', ''])('reject ticketed=%s with 400 rest_invalid_type', async (value) => {
      const rejection = paramsOf(await ask(`/events?ticketed=${value}`));
      expect(rejection).toEqual([400, 'rest_invalid_param', 'ticketed', 'rest_invalid_type']);
    });

    it.each([
      ['tags=-20', 0],
      ['tags=20.0', 5],
      ['tags=2e1', 5],
      ['tags=20', 5],
      ['categories=-2', 0],
    ])('look up the absolute value of a term id and filter by the signed one: %s', async (filter, total) => {
      const found = (await ask(`/events?${EVER}&tags=20`)).body['total'];
      const { status, body } = await ask(`/events?${EVER}&${filter}`);
      expect([status, body['total']]).toEqual([200, total === 0 ? 0 : found]);
    });

    it.each(['tags=-99999', 'tags=20x', 'tags=-0', 'categories=-20'])(
      'reject the id of an unknown term with 400 rest_invalid_param: %s',
      async (filter) => {
        const [name] = filter.split('=');
        expect(paramsOf(await ask(`/events?${filter}`))).toEqual([400, 'rest_invalid_param', name]);
      },
    );

    it.each(['start_date', 'end_date', 'starts_before', 'starts_after', 'ends_before', 'ends_after'])(
      'reject blanks as %s with 400 rest_invalid_param',
      async (name) => {
        for (const blank of ['%20', '+', '%09%0A', '%0D', '%00', '%20%00'])
          expect(paramsOf(await ask(`/events?${name}=${blank}`))).toEqual([400, 'rest_invalid_param', name]);
      },
    );

    it('reject blank dates of a write with 400 rest_invalid_param and write nothing', async () => {
      const count = async () => (await app.dataSource.query('SELECT COUNT(*) AS n FROM wp_posts'))[0].n;
      const before = await count();
      const dates = { start_date: '2091-04-01 10:00', end_date: '2091-04-01 11:00' };
      for (const name of ['start_date', 'end_date', 'date', 'date_utc']) {
        const json = { title: 'x', ...dates, [name]: ' ' };
        const rejection = paramsOf(await ask('/events', { method: 'POST', as: 'editor', json }));
        expect(rejection).toEqual([400, 'rest_invalid_param', name]);
      }
      expect(await count()).toBe(before);
    });

    it.each(['5.4e1', '54.0', '%2054'])(
      'accept an integer in any notation as post_parent: %s',
      async (id) => {
        const { status, body } = await ask(`/events?${EVER}&post_parent=${id}`);
        expect([status, body['total']]).toEqual([200, 4]);
        expect(body['rest_url']).toMatch(/&post_parent=54$/);
      },
    );
  });

  describe('Allow', () => {
    it.each([
      ['/venues/9999999', 'GET'],
      ['/organizers/9999999', 'GET'],
      ['/organizers/53', 'GET, POST, PUT, PATCH'],
      ['/venues/53', 'GET, POST, PUT, PATCH'],
      ['/events/9999999', 'GET, DELETE, POST, PUT, PATCH'],
      ['/events/9', 'GET, DELETE, POST, PUT, PATCH'],
      ['/venues/9', 'GET, DELETE, POST, PUT, PATCH'],
    ])('of %s lists the methods that an editor may use', async (path, allow) => {
      expect((await ask(path, { as: 'editor' })).headers['allow']).toBe(allow);
      expect((await ask(path)).headers['allow']).toBe('GET');
    });
  });

  describe('slugs', () => {
    it.each(['.', '-', '--', '%20', '!!!', '%2E%2E'])(
      'that are empty after sanitizing get 403 for venues and organizers and 400 for events: %s',
      async (slug) => {
        for (const as of ['anonymous', 'editor'] as const) {
          expect(paramsOf(await ask(`/venues/by-slug/${slug}`, { as }))).toEqual([
            403,
            'venue-not-accessible',
          ]);
          expect(paramsOf(await ask(`/organizers/by-slug/${slug}`, { as }))).toEqual([
            403,
            'organizer-not-accessible',
          ]);
        }
        expect(paramsOf(await ask(`/events/by-slug/${slug}`))).toEqual([400, 'rest_invalid_param', 'slug']);
      },
    );

    it('that are encoded twice get 400 rest_invalid_param', async () => {
      for (const [plural, slug] of [
        ['organizers', '%D1%81%D1%82%D0%B0%D1%81'],
        ['events', '%d9%85%d9%87%d8%b1%d8%ac%d8%a7%d9%86'],
      ] as const) {
        expect((await ask(`/${plural}/by-slug/${slug}`, { as: 'editor' })).status).toBe(200);
        const twice = `/${plural}/by-slug/${slug.replaceAll('%', '%25')}`;
        for (const method of ['GET', 'DELETE'])
          expect(paramsOf(await ask(twice, { method, as: 'editor' }))).toEqual([
            400,
            'rest_invalid_param',
            'slug',
          ]);
      }
    });
  });

  describe('paths', () => {
    it('match in any letter case and with trailing slashes, as recorded', async () => {
      const plain = await ask('/events?per_page=2');
      for (const path of ['/Events', '/events//', '/EVENTS///', '/eVents/'])
        expect((await ask(`${path}?per_page=2`)).text).toBe(plain.text);
      expect((await ask('/VENUES/9//')).body['id']).toBe(9);
      for (const path of ['//events', '/venues//9', '/events//by-slug/opening-night'])
        expect(paramsOf(await ask(path))).toEqual([404, 'rest_no_route']);
    });

    it('are overridden by rest_route in the query', async () => {
      const index = await askRoot('/?rest_route=/');
      for (const path of ['/events', '/doc', '/venues/9', '', '/nope']) {
        const { status, body } = await ask(`${path}?rest_route=/`);
        expect([path, status, Object.keys(body)]).toEqual([path, 200, Object.keys(index.body)]);
      }
      expect((await ask(`/venues/9?rest_route=${BASE}/tags/20`)).body['taxonomy']).toBe('post_tag');
      expect(paramsOf(await ask('/events?rest_route=/nope'))).toEqual([404, 'rest_no_route']);
      expect(paramsOf(await ask('/events?rest_route[]=/'))).toEqual([400, 'rest_path_invalid_type']);
      expect((await ask('/events?rest_route=&per_page=1')).body['events']).toHaveLength(1);
      expect((await askRoot(`/livez?rest_route=${BASE}/events`)).body['events']).toBeUndefined();
    });
  });

  describe('responses', () => {
    it('are JSON when _jsonp is empty', async () => {
      const response = await ask('/tags/20?_jsonp=');
      expect([response.status, response.headers['content-type']]).toEqual([
        200,
        'application/json; charset=UTF-8',
      ]);
      expect(response.text).toBe((await ask('/tags/20')).text);
    });

    it('contain Vary: Origin when the sent method is GET, whatever overrides it', async () => {
      const vary = async (path: string, request: Parameters<Ask>[1]) =>
        (await ask(path, request)).headers['vary'];
      expect(await vary('/events/53?_method=DELETE', {})).toBe('Origin');
      expect(await vary('/events?_method=POST', {})).toBe('Origin');
      const override = { headers: { 'X-HTTP-Method-Override': 'PUT' } };
      expect(await vary('/events/53', override)).toBe('Origin');
      expect(await vary('/nope', override)).toBe('Origin');
      expect(await vary('/nope', { method: 'POST', ...override })).toBeUndefined();
    });
  });
});
