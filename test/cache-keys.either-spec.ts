import { setTimeout as sleep } from 'node:timers/promises';
import { Module } from '@nestjs/common';
import { Hooks } from '../src/common/hooks/hooks.js';
import { OWN_NAMESPACE } from '../src/config/env.js';
import { startApp, type TestApp } from './support/app.js';
import { credentials } from './support/calendar-client.js';
import { type RawRequest, rawRequest } from './support/raw-request.js';
import { retry } from './support/retry.js';
import { describeEither, makeSite, type Site } from './support/sites.js';

const LIST = '/events?start_date=2000-01-01&per_page=5';
const JSON_TYPE = { 'Content-Type': 'application/json' };
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

describeEither('the response cache', (database) => {
  let site: Site;
  let app: TestApp;

  beforeAll(async () => {
    site = await makeSite(database);
    app = await startApp({ databaseUrl: site.url, env: { RATE_LIMIT: 'off' } });
    await sleep(database !== 'SQLite' ? 3200 : 950);
  });
  afterAll(async () => {
    await app?.close();
    await site?.drop();
  });

  const send = ({ path, ...request }: RawRequest) =>
    rawRequest(app.url, { path: `/${OWN_NAMESPACE}${path}`, ...request });
  /** Content statements, without the poll for existing passwords. */
  const statements = () => app.statements().sql.filter((text) => !text.includes('DISTINCT post_password'));

  it.each(['/events?per_page=5&', '/venues?'])(
    'runs no statement for a password or context that is not a string: %s',
    async (path) => {
      await retry(async () => {
        await send({ path });
        app.statements();
        for (const more of ['password[]=1', 'password[a]=', 'context[]=edit', 'password[]=2&password[]=3'])
          expect([more, (await send({ path: path + more })).status]).toEqual([more, 200]);
        expect(statements()).toEqual([]);
      });
    },
  );

  it.each([
    ['/events?per_page=5&orderby=', 'orderby'],
    ['/events?order=', 'order'],
    ['/events?cursor=', 'cursor'],
    ['/events?modified_after=', 'modified_after'],
    ['/venues?_format=', '_format'],
    ['/events?geoloc_radius=', 'geoloc_radius'],
  ])('serves one entry for all ignored values: %s', async (path, name) => {
    await retry(async () => {
      await send({ path: `${path}junk` });
      app.statements();
      for (const junk of ['x', 'y0', '%20', 'a,b', '[]']) {
        const { status, headers } = await send({ path: path + junk });
        expect([junk, status, headers['x-almanac-ignored']]).toEqual([junk, 200, name]);
      }
      expect(statements()).toEqual([]);
    });
  });

  it('serves one entry for a number with and without leading zeros', async () => {
    await retry(async () => {
      const { text } = await send({ path: '/events?per_page=5&page=1' });
      app.statements();
      for (const zeros of ['per_page=05&page=1', 'per_page=0005&page=001'])
        expect((await send({ path: `/events?${zeros}` })).text).toBe(text);
      expect(statements()).toEqual([]);
    });
  });

  it('serves one entry for any password of an event without one, in wp/v2 too', async () => {
    await retry(async () => {
      await rawRequest(app.url, { path: '/wp/v2/tribe_events/53?password=first' });
      app.statements();
      for (const guess of ['second', 'third', '4'])
        expect((await rawRequest(app.url, { path: `/wp/v2/tribe_events/53?password=${guess}` })).status).toBe(
          200,
        );
      expect(statements()).toEqual([]);
    });
  });

  /** Requests equivalent to GET `path`, with other spellings or ignored parts. */
  const equivalentRequests = (path: string): RawRequest[] => {
    const and = path.includes('?') ? '&' : '?';
    return [
      ...['context=view', 'context=edit', 'context=junk', 'password=x', 'password=y&context=embed'],
      ...['_method=GET', '_method=', '_method[]=x', '_locale=user', '_embed=1', 'madeup=1', 'rest_route='],
    ]
      .map((more): RawRequest => ({ path: `${path}${and}${more}` }))
      .concat([
        ...['Bearer x', 'Basic', 'Basic !', 'Basic eDo=', 'Negotiate abc', ''].map((value) => ({
          path,
          headers: { Authorization: value },
        })),
        { path, headers: { Cookie: 'wordpress_logged_in_x=admin%7C1%7C2%7C3' } },
        { path, headers: { 'X-HTTP-Method-Override': 'GET' } },
        { path, headers: { 'Transfer-Encoding': 'chunked' } },
        { path, headers: { 'Content-Length': '0' } },
        { path, headers: { 'Content-Type': 'text/plain' }, body: 'x' },
        { path, headers: JSON_TYPE, body: '{"madeup":1,"context":"edit","password":"z"}' },
        { path, headers: FORM, body: 'per_page=1' },
        { path, method: 'POST', headers: { 'X-HTTP-Method-Override': 'GET', ...FORM }, body: 'per_page=1' },
        { path: `${path}${and}_method=GET`, method: 'POST' },
        { path, headers: { Accept: 'text/calendar;q=0.1, application/json' } },
        { path, headers: { Range: 'bytes=0-1' } },
      ]);
  };

  it.each([
    LIST,
    '/venues?per_page=3',
    '/events/53',
    '/venues/9',
    '/tags',
    '/categories?per_page=4',
    '',
    '/doc',
  ])('serves a request equivalent to a cached one without statements: %s', async (path) => {
    // Terms declare `context`; it opens nothing there, but other values are cached separately.
    const isOfTerms = /^\/(tags|categories)/.test(path);
    for (const request of equivalentRequests(path).filter(
      (one) => !isOfTerms || !/context(=(?!view)|":"edit)/.test(`${one.path}${one.body}`),
    ))
      await retry(async () => {
        const { text } = await send({ path });
        app.statements();
        const response = await send(request);
        expect([request, statements(), response.status, response.text]).toEqual([request, [], 200, text]);
      });
  });

  it.each([
    ['/events/053', '/events/53'],
    ['/events/00000053', '/events/53'],
    ['/Events/53', '/events/53'],
    [`${LIST}&_pretty=1`, `${LIST}&_pretty=2`],
    [`${LIST}&_envelope=1`, `${LIST}&_envelope=x`],
    [`${LIST}&_fields=total,rest_url`, `${LIST}&_fields=rest_url,%20total,total`],
    [`${LIST}&_fields[]=total`, `${LIST}&_fields=total`],
  ])(
    'serves another spelling of a path or of an output parameter from the same entry: %s',
    async (path, other) => {
      await retry(async () => {
        const { text } = await send({ path: other });
        app.statements();
        const response = await send({ path });
        expect([statements(), response.status, response.text]).toEqual([[], 200, text]);
      });
    },
  );

  it('leaves calendar files and feeds as they are under _jsonp', async () => {
    for (const path of ['/events.ics', '/events.rss', '/events.atom']) {
      const plain = await send({ path });
      const called = await send({ path: `${path}?_jsonp=call` });
      expect([path, called.status, called.headers['content-type']]).toEqual([
        path,
        200,
        plain.headers['content-type'],
      ]);
      expect(called.text).not.toContain('call(');
    }
  });

  it('wraps a cached response in the requested _jsonp callback', async () => {
    await retry(async () => {
      const { text } = await send({ path: LIST });
      app.statements();
      const [one, two] = await Promise.all(
        ['a.b', 'jQuery_1'].map((name) => send({ path: `${LIST}&_jsonp=${name}` })),
      );
      expect(statements()).toEqual([]);
      expect([one?.text, two?.text]).toEqual([`/**/a.b(${text})`, `/**/jQuery_1(${text})`]);
      expect(one?.headers['content-type']).toBe('application/javascript; charset=UTF-8');
      expect(one?.headers.etag).not.toBe(two?.headers.etag);
      expect((await send({ path: LIST })).text).toBe(text);
    });
  });

  it('computes concurrent equivalent requests once', async () => {
    let day = 0;
    await retry(async () => {
      const path = `/events?start_date=2001-03-0${++day}&per_page=20`;
      const all = Array.from({ length: 10 }, () => equivalentRequests(path)).flat();
      app.statements();
      const responses = await Promise.all(all.map(send));
      expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
      expect(statements().length).toBeLessThan(30);
    });
  });

  describe('a password', () => {
    const protect = (password: string) =>
      app.dataSource.query('UPDATE wp_posts SET post_password = ? WHERE ID = 9', [password]);
    afterAll(() => protect(''));

    it('returns the unlocked record for the right password only', async () => {
      const path = '/venues/9';
      const masked = async (more: string, body?: string) => {
        const { text } = await send({ path: `${path}${more}`, body, headers: body ? JSON_TYPE : {} });
        return (JSON.parse(text) as { description?: string }).description;
      };
      const open = await masked('?password=Secret');
      await send({ path: `${path}?password=Secret` });
      await protect('Secret');
      await sleep(database !== 'SQLite' ? 3200 : 1100);
      const closed = await masked('');
      expect(closed).not.toBe(open);
      for (let time = 0; time < 2; time++) {
        expect(await masked('?password=Secret')).toBe(open);
        expect(await masked('', '{"password":"Secret"}')).toBe(open);
        expect(await masked('?password=secret')).toBe(closed);
        expect(await masked('')).toBe(closed);
      }
    });
  });

  it('keys responses by values of a JSON body', async () => {
    const ask = (body: string) => send({ path: '/events?start_date=2000-01-01', headers: JSON_TYPE, body });
    for (let time = 0; time < 2; time++) {
      const [one, two] = [await ask('{"per_page":1}'), await ask('{"per_page":2}')];
      const counts = [one, two].map(({ text }) => (JSON.parse(text) as { events: unknown[] }).events.length);
      expect(counts).toEqual([1, 2]);
    }
  });

  it('drops lists that depend on the present when the clock is set back', async () => {
    const ids = async () => (await send({ path: '/events?per_page=5' })).text;
    const before = await ids();
    const year = 366 * 86_400_000;
    app.clock.pass(year);
    const later = await ids();
    expect(later).not.toBe(before);
    app.clock.pass(-year);
    expect(await ids()).toBe(before);
  });
});

let [runningFilters, maxRunning] = [0, 0];

/** Rendering a venue takes 20 ms. */
@Module({})
class SlowPlugin {
  constructor(hooks: Hooks) {
    hooks.addFilter('rest_prepare_tribe_venue', async (json: object) => {
      runningFilters += 1;
      maxRunning = Math.max(maxRunning, runningFilters);
      await sleep(20);
      runningFilters -= 1;
      return json;
    });
  }
}

describe('distinct anonymous requests', () => {
  let site: Site;
  let app: TestApp;

  beforeAll(async () => {
    site = await makeSite('SQLite');
  });
  afterEach(() => app?.close());
  afterAll(() => site?.drop());

  it.each(['CACHE=32mb', 'CACHE=off'])(
    'are computed at most three at a time and do not delay authenticated ones: %s',
    async (cache) => {
      const env = { DATABASE_POOL_SIZE: '3', RATE_LIMIT: 'off', CACHE: cache.slice('CACHE='.length) };
      app = await startApp({ databaseUrl: site.url, plugins: [SlowPlugin], env });
      maxRunning = 0;
      let responseCount = 0;
      const requested = Array.from({ length: 40 }, async (_, n) => {
        const { status } = await rawRequest(app.url, {
          path: `/${OWN_NAMESPACE}/venues?per_page=1&page=${1 + (n % 17)}&_fields=x${n}`,
        });
        responseCount += 1;
        return status;
      });
      while (maxRunning < 3) await sleep(5);
      const path = `/${OWN_NAMESPACE}/tags`;
      expect((await rawRequest(app.url, { path, headers: credentials('editor') })).status).toBe(200);
      expect(responseCount).toBeLessThan(40);
      const statuses = new Set(await Promise.all(requested));
      expect([...statuses].filter((status) => status !== 200 && status !== 404)).toEqual([]);
      expect(maxRunning).toBe(3);
    },
  );
});
