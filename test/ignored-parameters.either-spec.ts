import { startApp, type TestApp } from './support/app.js';
import { type Ask, askOf } from './support/protocol-client.js';
import { describeEither, makeSite, type Site } from './support/sites.js';

const BASE = '/cal/events/v1';
const ALL_DATES = 'start_date=2000-01-01&end_date=2099-12-31';
const HEADER = 'x-almanac-ignored';

/** Requests of old clients, the names of their ignored parameters, and the equivalent request. */
const IGNORED: readonly [path: string, names: string, equivalent: string][] = [
  ['/events?orderby=rand', 'orderby', '/events'],
  ['/events?orderby=menu_order&per_page=3', 'orderby', '/events?per_page=3'],
  ['/events?orderby=rand&order=DESC', 'order, orderby', '/events'],
  ['/events?orderby[]=title&order=desc', 'order, orderby', '/events'],
  ['/events?orderby=', 'orderby', '/events'],
  ['/events?orderby=distance', 'orderby', '/events'],
  [`/events?orderby=${'x'.repeat(2001)}`, 'orderby', '/events'],
  ['/events?order=up', 'order', '/events'],
  ['/organizers?orderby=distance', 'orderby', '/organizers'],
  ['/organizers?order[]=asc', 'order', '/organizers'],
  ['/venues?orderby=name', 'orderby', '/venues'],
  ['/venues?orderby=event_date', 'orderby', '/venues'],
  ['/venues?order=', 'order', '/venues'],
  ['/events?modified_after=', 'modified_after', '/events'],
  ['/events?modified_after=x&modified_before=1700000000', 'modified_after, modified_before', '/events'],
  ['/venues?modified_after=2026-02-30', 'modified_after', '/venues'],
  ['/organizers?modified_before[]=2026-01-01', 'modified_before', '/organizers'],
  ['/events?cursor=abc', 'cursor', '/events'],
  ['/events?cursor=abc&page=2', 'cursor', '/events?page=2'],
  ['/events?cursor=', 'cursor', '/events'],
  ['/venues?cursor[]=*', 'cursor', '/venues'],
  [`/events?orderby=title&cursor=${btoa('["title ASC","A"]')}`, 'cursor', '/events?orderby=title'],
  [`/events?orderby=title&cursor=${btoa('["title ASC","A","1"]')}`, 'cursor', '/events?orderby=title'],
  [`/events?cursor=${'W'.repeat(3000)}`, 'cursor', '/events'],
  ['/events?_format=json', '_format', '/events'],
  ['/events?_format=json&per_page=100', '_format', '/events?per_page=100'],
  ['/events/53?_format=', '_format', '/events/53'],
  ['/events/by-slug/opening-night?_format=xml', '_format', '/events/53'],
  ['/venues?_format[]=clean', '_format', '/venues'],
  ['/tags?_format=CLEAN', '_format', '/tags'],
  ['/categories/2?_format=x', '_format', '/categories/2'],
  ['/venues/9?_raw=maybe', '_raw', '/venues/9'],
  ['/events?with_hidden=perhaps', 'with_hidden', '/events'],
  ['/venues?geoloc=near', 'geoloc', '/venues'],
  ['/events?geoloc_radius=x', 'geoloc_radius', '/events'],
  ['/events?geoloc_radius=5&orderby=distance', 'geoloc_radius, orderby', '/events'],
  ['/events?geoloc_lat=52.5&geoloc_lng=13.4', 'geoloc_lat, geoloc_lng', '/events'],
  [
    '/events?geoloc_lat=0&geoloc_lng=north&geoloc_radius=5',
    'geoloc_lat, geoloc_lng, geoloc_radius',
    '/events',
  ],
  [
    '/venues?geoloc_lat=90.1&geoloc_lng=0&geoloc_radius=5&orderby=distance&order=desc',
    'geoloc_lat, geoloc_lng, geoloc_radius, order, orderby',
    '/venues',
  ],
  ['/events?geoloc_lat[]=0&geoloc_lng=0', 'geoloc_lat, geoloc_lng', '/events'],
];

describeEither('parameters that the calendar plugin ignores', (database) => {
  let site: Site;
  let app: TestApp;
  let ask: Ask;

  beforeAll(async () => {
    site = await makeSite(database);
    app = await startApp({ databaseUrl: site.url, clockStands: true, env: { RATE_LIMIT: 'off' } });
    const rooted = askOf(app.url);
    ask = (path, request) => rooted(`${BASE}${path}`, request);
  });
  afterAll(async () => {
    await app?.close();
    await site?.drop();
  });

  const sortedNames = (header: unknown) => String(header).split(', ').toSorted().join(', ');

  it('are ignored and named in X-Almanac-Ignored when their value is invalid', async () => {
    for (const [path, names, equivalent] of IGNORED) {
      const [response, plain] = [await ask(path), await ask(equivalent)];
      expect([path, response.status, sortedNames(response.headers[HEADER])]).toEqual([path, 200, names]);
      expect([path, response.text]).toEqual([path, plain.text]);
      expect([path, plain.headers[HEADER]]).toEqual([path, undefined]);
    }
  });

  it('are named in cached, HEAD, authenticated, 304, enveloped, feed and past-the-end responses', async () => {
    const path = '/events?orderby=popularity&_format=json';
    for (const request of [{}, {}, {}, { method: 'HEAD' }, { as: 'editor' }] as const) {
      const { status, headers } = await ask(path, request);
      expect([status, sortedNames(headers[HEADER])]).toEqual([200, '_format, orderby']);
    }
    const cached = await ask(path);
    const repeated = await ask(path, { headers: { 'If-None-Match': String(cached.headers['etag']) } });
    expect([repeated.status, sortedNames(repeated.headers[HEADER])]).toEqual([304, '_format, orderby']);
    const envelope = await ask('/venues?orderby=rand&_envelope');
    expect(envelope.body['headers']).toMatchObject({ 'X-Almanac-Ignored': 'orderby' });
    const pastEnd = await ask('/events?orderby=rand&page=99');
    expect([pastEnd.status, pastEnd.headers[HEADER]]).toEqual([404, 'orderby']);
    const feed = await ask('/events.ics?orderby=rand');
    expect([feed.status, feed.headers[HEADER]]).toEqual([200, 'orderby']);
  });

  it('are exposed to scripts of other origins', async () => {
    const request = { headers: { Origin: 'https://elsewhere.example' } };
    for (let nth = 0; nth < 2; nth++) {
      const { headers } = await ask('/events?orderby=rand', request);
      expect(headers[HEADER]).toBe('orderby');
      expect(String(headers['access-control-expose-headers']).split(', ')).toContain('X-Almanac-Ignored');
    }
  });

  it('sort in any letter case and by event_date when valid', async () => {
    for (const [path, equivalent] of [
      [`/events?${ALL_DATES}&order=DESC`, `/events?${ALL_DATES}&order=desc`],
      [
        `/events?${ALL_DATES}&orderby=event_date&order=Desc`,
        `/events?${ALL_DATES}&orderby=start_date&order=desc`,
      ],
      [`/events?${ALL_DATES}&orderby=Event_Date`, `/events?${ALL_DATES}&orderby=start_date`],
      ['/venues?orderby=TITLE', '/venues?orderby=title'],
      ['/organizers?orderby=ID&order=DESC', '/organizers?orderby=id&order=desc'],
    ] as const) {
      const [response, plain] = [await ask(path), await ask(equivalent)];
      expect([path, response.status, response.headers[HEADER]]).toEqual([path, 200, undefined]);
      const plural = path.slice(1).split('?')[0] ?? '';
      expect([path, response.body[plural]]).toEqual([path, plain.body[plural]]);
    }
  });

  it('are omitted from paging links and cursors when ignored', async () => {
    const { body } = await ask(`/venues?orderby=TITLE&per_page=3&cursor=*&_format=json`);
    const next = String(body['next_rest_url']).split(BASE)[1]?.replace('/?', '?') ?? '';
    expect(next).toMatch(/^\/venues\?(?!.*_format).*cursor=/);
    const second = await ask(next);
    expect([second.status, second.headers[HEADER]]).toEqual([200, undefined]);
    expect((await ask(next.replace('orderby=TITLE', 'orderby=title'))).status).toBe(200);
  });

  it('of geolocation are repeated in links as the calendar plugin repeats them', async () => {
    for (const [sent, rendered] of [
      ['geoloc=true&geoloc_lat=52.50&geoloc_lng=13.4', 'geoloc=1&geoloc_lat=52.50&geoloc_lng=13.4'],
      ['geoloc=1&geoloc_lat=abc', 'geoloc=1&geoloc_lat=abc&geoloc_lng'],
      ['geoloc=1&geoloc_lat[]=1', 'geoloc=1&geoloc_lat&geoloc_lng'],
    ]) {
      const { status, body } = await ask(`/events?${sent}`);
      expect([status, body['rest_url']]).toEqual([200, expect.stringContaining(`&${rendered}&status=`)]);
    }
  });

  it('do not hide errors in other parameters', async () => {
    const { status, body } = await ask('/events?orderby=rand&include=x&featured=x');
    expect([status, body['code'], Object.keys((body['data'] as { params: object }).params)]).toEqual([
      400,
      'rest_invalid_param',
      ['include'],
    ]);
  });

  it('do not include a valid cursor with a page, which returns 400', async () => {
    const { status, body } = await ask('/venues?cursor=*&page=1');
    expect([status, Object.keys((body['data'] as { params: object }).params)]).toEqual([400, ['cursor']]);
  });
});
