import { createServer, request, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { Controller, Get, Module } from '@nestjs/common';
import { OWN_NAMESPACE } from '../src/config/env.js';
import { SettingsService } from '../src/wordpress/options/settings.service.js';
import { startApp, type TestApp } from './support/app.js';
import { credentials } from './support/calendar-client.js';
import { type Ask, askOf } from './support/protocol-client.js';
import { loadRecording } from './support/replay.js';
import { makeSite, type Site } from './support/sites.js';

/** The part of `wpapi`, a client of WordPress's REST API, that these tests use. */
interface Wpapi {
  discover(url: string): Promise<DiscoveredSite>;
}
interface DiscoveredSite {
  namespace(name: string): Record<string, (() => Query) | undefined>;
  auth(credentials: { username: string; password: string }): DiscoveredSite;
}
interface Query {
  id(id: number): Query;
  get(): Promise<Record<string, unknown>>;
  me(): Query;
}

const WPAPI: Wpapi = createRequire(__filename)('wpapi');

/** Accept header of browsers. */
const BROWSER = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

@Controller()
class FrontController {
  @Get()
  page() {
    return '<p>my own page</p>';
  }
}

@Module({ controllers: [FrontController] })
class FrontPlugin {}

/** Starts a server behind a reverse proxy, whose public address is known before the start. */
async function startBehindProxy(site: Site, prefix: string) {
  const upstream = { target: '' };
  const server: Server = createServer(({ url = '', method, headers }, response) => {
    request(upstream.target + url, { method, headers }, (incoming) => {
      response.writeHead(incoming.statusCode ?? 502, incoming.headers);
      incoming.pipe(response);
    }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = {
    PATH_PREFIX: prefix,
    REST_BASE_URL: url + prefix,
    API_NAMESPACES: `${OWN_NAMESPACE},tribe/events/v1`,
  };
  const app = await startApp({ databaseUrl: site.url, env });
  upstream.target = app.url;
  const close = async () => {
    await app.close();
    server.closeAllConnections();
    server.close();
  };
  return { app, url, close };
}

describe.each(['', '/wp-json'])('the REST root below "%s"', (prefix) => {
  let site: Site;
  let app: TestApp;
  let url: string;
  let ask: Ask;
  let close: (() => Promise<void>) | undefined;

  beforeAll(async () => {
    site = await makeSite('SQLite');
    ({ app, url, close } = await startBehindProxy(site, prefix));
    ask = askOf(app.url);
  });
  afterAll(async () => {
    await close?.();
    await site?.drop();
  });

  const setOption = async (name: string, value: string) => {
    await app.dataSource.query(
      `UPDATE wp_options SET option_value = '${value}' WHERE option_name = '${name}'`,
    );
    app.nest.get(SettingsService).forget();
  };

  it('describes the site, its namespaces and its routes', async () => {
    const { status, headers, body } = await ask(`${prefix}/`);
    expect([status, headers['allow'], headers['content-type']]).toEqual([
      200,
      'GET',
      'application/json; charset=UTF-8',
    ]);
    const { routes, ...rest } = body as { routes: Record<string, unknown> };
    expect(rest).toEqual({
      name: 'Corpus &amp; Calendar',
      description: '',
      url: 'http://calendar.example.org',
      home: 'http://calendar.example.org',
      gmt_offset: -5,
      timezone_string: 'America/New_York',
      namespaces: [OWN_NAMESPACE, 'tribe/events/v1', 'wp/v2'],
      authentication: { 'application-passwords': { endpoints: {} } },
      _links: { help: [{ href: expect.stringMatching(/^https:/) }] },
    });
    expect(routes['/']).toMatchObject({
      namespace: '',
      methods: ['GET'],
      _links: { self: [{ href: `${url}${prefix}/` }] },
    });
    for (const namespace of [OWN_NAMESPACE, 'tribe/events/v1', 'wp/v2']) {
      const index = await ask(`${prefix}/${namespace}`);
      expect(index.body['namespace']).toBe(namespace);
      const own = Object.entries(routes).filter(([path]) => path.startsWith(`/${namespace}`));
      expect(Object.keys(index.body['routes'] as object)).toEqual(own.map(([path]) => path));
      expect(own.length).toBeGreaterThan(5);
    }
  });

  it('is linked by every response and served under each of its URLs', async () => {
    const link = `<${url}${prefix}/>; rel="https://api.w.org/"`;
    for (const path of [
      '/',
      '/index.php',
      '/?rest_route=/',
      '/index.php?rest_route=/',
      `${prefix}/`,
      prefix || '/',
    ]) {
      const { headers, body } = await ask(path);
      expect([path, headers['link'], body['name']]).toEqual([path, link, 'Corpus &amp; Calendar']);
    }
    expect((await ask(`${prefix}/wp/v2/posts`)).headers['link']).toBe(link);
  });

  it('contains a manual gmt_offset as a string', async () => {
    await setOption('timezone_string', '');
    await setOption('gmt_offset', '5.5');
    expect((await ask(`${prefix}/`)).body).toMatchObject({ gmt_offset: '5.5', timezone_string: '' });
    await setOption('gmt_offset', '');
    expect((await ask(`${prefix}/`)).body).toMatchObject({ gmt_offset: '0' });
    await setOption('timezone_string', 'America/New_York');
  });

  it('accepts _fields, _envelope, HEAD and OPTIONS, and rejects wrong credentials and other methods', async () => {
    const nameOnly = { name: 'Corpus &amp; Calendar', _links: { help: [expect.anything()] } };
    expect((await ask(`${prefix}/?_fields=name`)).body).toEqual(nameOnly);
    expect((await ask(`${prefix}/?_fields=name&_envelope`)).body).toMatchObject({
      body: nameOnly,
      status: 200,
    });
    const head = await ask(`${prefix}/`, { method: 'HEAD' });
    expect([head.status, head.text]).toEqual([200, '']);
    const options = await ask(`${prefix}/`, { method: 'OPTIONS' });
    expect([options.status, options.headers['allow'], options.body['methods']]).toEqual([
      200,
      'GET',
      ['GET'],
    ]);
    const wrong = { Authorization: `Basic ${Buffer.from('admin:wrong').toString('base64')}` };
    expect((await ask(`${prefix}/`, { headers: wrong })).body['code']).toBe('incorrect_password');
    for (const method of ['POST', 'PUT', 'DELETE'])
      expect((await ask(`${prefix}/`, { method, as: 'admin' })).body['code']).toBe('rest_no_route');
  });

  it('allows wpapi to discover routes, read records and authenticate', async () => {
    const discovered = await WPAPI.discover(url);
    const events = await discovered.namespace(OWN_NAMESPACE)['events']?.().get();
    expect(events?.['total']).toBe(41);
    const event = await discovered.namespace('tribe/events/v1')['events']?.().id(53).get();
    expect(event).toMatchObject({ id: 53, rest_url: `${url}${prefix}/tribe/events/v1/events/53` });
    expect(await discovered.namespace('wp/v2')['types']?.().get()).toHaveProperty('tribe_events');
    const { users } = loadRecording('site-a/read');
    const { login = '', password = '' } = users['editor'] ?? {};
    const signedIn = discovered.auth({ username: login, password });
    expect(await signedIn.namespace('wp/v2')['users']?.().me().get()).toMatchObject({
      id: 2,
      slug: 'editor1',
    });
  });

  it('serves browsers a page without subresources at /', async () => {
    // The JSON under the same URL is cached.
    for (const _ of [1, 2]) expect((await ask('/')).body['namespaces']).toBeDefined();
    const { status, headers, text } = await ask('/', { headers: BROWSER });
    expect([status, headers['content-type'], headers['vary']]).toEqual([
      200,
      'text/html; charset=utf-8',
      'Accept',
    ]);
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'/,
    );
    expect(headers['link']).toContain('rel="https://api.w.org/"');
    expect(text).toContain('<h1>Corpus &amp; Calendar</h1>');
    for (const name of [OWN_NAMESPACE, 'tribe/events/v1'])
      expect(text).toContain(`href="${url}${prefix}/${name}"`);
    for (const path of ['./docs', './openapi.json', './livez', './readyz'])
      expect(text).toContain(`href="${path}"`);
    expect(text).not.toMatch(/<(script|link|img|iframe|form)|src=|@import|url\(/i);
    const head = await ask('/', { headers: BROWSER, method: 'HEAD' });
    expect([head.status, head.headers['content-type'], head.text]).toEqual([
      200,
      'text/html; charset=utf-8',
      '',
    ]);
  });

  it('serves JSON to other clients and under other URLs', async () => {
    for (const accept of ['application/json', '*/*', 'application/json, text/html', ''])
      expect((await ask('/', { headers: { Accept: accept } })).body['namespaces']).toBeDefined();
    for (const path of ['/?rest_route=/', `/?rest_route=/${OWN_NAMESPACE}/events/53`])
      expect((await ask(path, { headers: BROWSER })).headers['content-type']).toMatch(/^application\/json/);
    if (prefix !== '')
      expect((await ask(`${prefix}/`, { headers: BROWSER })).body['namespaces']).toBeDefined();
    const written = await ask('/', { headers: BROWSER, method: 'POST' });
    expect(written.body['code']).toBe('rest_no_route');
  });

  it('escapes markup from the database in the page', async () => {
    await setOption('blogname', '</title><script>alert(1)</script>"&quot;');
    await setOption('home', 'javascript:alert(1)//');
    const { text } = await ask('/', { headers: BROWSER });
    expect(text).toContain('<h1>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;&quot;&quot;</h1>');
    expect(text).not.toMatch(/<script|href="javascript/i);
    const docs = await (await fetch(`${app.url}/docs`)).text();
    expect(docs).toContain('<h1>&lt;/title&gt;&lt;script&gt;');
    await setOption('home', 'http://calendar.example.org');
    await setOption('blogname', '');
    expect((await ask('/', { headers: BROWSER })).text).toContain('<h1>Calendar</h1>');
    await setOption('blogname', 'Corpus &amp; Calendar');
  });

  it('is in the language of the site for browsers at / and at unknown addresses, and in English without a translation', async () => {
    const before = (await ask('/', { headers: BROWSER })).text;
    expect(before).toContain('<html lang="en-US" dir="ltr">');
    await app.dataSource.query(
      "INSERT INTO wp_options (option_name, option_value, autoload) VALUES ('WPLANG', '', 'yes')",
    );
    try {
      for (const [locale, root, heading, missing] of [
        ['de_DE_formal', 'lang="de-DE" dir="ltr"', 'Die Schnittstelle', 'Diese Seite gibt es nicht.'],
        ['ar', 'lang="ar" dir="rtl"', 'الواجهة البرمجية', 'هذه الصفحة غير موجودة.'],
        ['sv_SE', 'lang="en" dir="ltr"', 'The interface', 'This page does not exist.'],
      ] as const) {
        await setOption('WPLANG', locale);
        const home = await ask('/', { headers: BROWSER });
        const lost = await ask('/no-such-page', { headers: BROWSER });
        expect(home.text).toContain(`<html ${root}>`);
        // The calendar's frame has dates and records in the language of the site.
        expect(lost.text).toContain(`<html ${locale === 'sv_SE' ? 'lang="sv-SE" dir="ltr"' : root}>`);
        expect(home.text).toContain(`<dt>${heading}</dt>`);
        expect([lost.status, lost.text]).toEqual([404, expect.stringContaining(`<h1>${missing}</h1>`)]);
      }
    } finally {
      await app.dataSource.query("DELETE FROM wp_options WHERE option_name = 'WPLANG'");
      app.nest.get(SettingsService).forget();
    }
  });

  it('omits the calendar while its REST API is disabled', async () => {
    const [{ old }] = await app.dataSource.query(
      `SELECT option_value AS old FROM wp_options WHERE option_name = 'tribe_events_calendar_options'`,
    );
    await setOption('tribe_events_calendar_options', 'a:1:{s:16:"rest-v1-disabled";b:1;}');
    const { body } = await ask(`${prefix}/`);
    expect(body['namespaces']).toEqual(['wp/v2']);
    expect(Object.keys(body['routes'] as object).filter((path) => !path.startsWith('/wp/v2'))).toEqual(['/']);
    expect((await ask(`${prefix}/wp/v2/types`)).status).toBe(200);
    expect((await ask(`${prefix}/${OWN_NAMESPACE}/events`)).status).toBe(404);
    await setOption('tribe_events_calendar_options', old);
  });
});

describe('the page of a plugin at /', () => {
  let site: Site;
  let app: TestApp;
  beforeAll(async () => {
    site = await makeSite('SQLite');
    app = await startApp({ databaseUrl: site.url, plugins: [FrontPlugin] });
  });
  afterAll(async () => {
    await app?.close();
    await site?.drop();
  });

  it('is served to all clients, while rest_route=/ serves the REST root', async () => {
    const ask = askOf(app.url);
    for (const headers of [BROWSER, credentials('admin')])
      expect((await ask('/', { headers })).text).toContain('my own page');
    expect((await ask('/?rest_route=/')).body['namespaces']).toEqual([OWN_NAMESPACE, 'wp/v2']);
  });
});
