import { METHODS } from 'node:http';
import { startApp, type TestApp } from './support/app.js';
import { credentials } from './support/calendar-client.js';
import { exchange, head } from './support/raw-socket.js';
import { describeEither, makeSite, type Site } from './support/sites.js';

const BASE = '/cal/events/v1';
const TIMEOUT_MS = 30_000;

/** Request targets that parsers interpret differently. */
const AMBIGUOUS = [
  '/cal\\events/v1/events#',
  '/cal\\events/v1/doc#',
  `${BASE}#x`,
  `${BASE}/doc#`,
  `${BASE}/doc?x#y`,
  `${BASE}\\doc`,
  `\\${BASE}/doc`,
  '/\\evil.example/cal/events/v1/doc',
  '/wp\\v2/users/me#',
  '/wp/v2/types?context=view#x',
  '/#/cal/events/v1/doc',
  '/?rest_route=/cal/events/v1/doc#',
  '/?rest_route=\\cal\\events\\v1\\doc',
  '/calendar#x',
  '/livez#',
  '/openapi.json\\',
  `${BASE}/events?search=m\xfcnchen`,
  `${BASE}/events?search=m\xc3\xbcnchen`,
  `${BASE}/events/by-slug/caf\xc3\xa9`,
  `${BASE}/events\x7f`,
  `ws://h${BASE}`,
  `WSS://h${BASE}/events`,
  `ftp://h${BASE}/doc`,
  `x://${BASE}/doc`,
  `http://u:secret@h${BASE}/doc`,
  `http://${BASE}/doc`,
  `http://h\\${BASE}/doc`,
  `http://h#${BASE}/doc`,
  `http://h${BASE}/doc#`,
  '*',
  'cal/events/v1',
];

describeEither('requests that parsers interpret differently', (database) => {
  let site: Site;
  let app: TestApp;
  const ask = (method: string, target: string, lines: readonly string[] = ['Host: localhost']) =>
    exchange(
      app.url,
      Buffer.from(
        [`${method} ${target} HTTP/1.1`, 'Connection: close', ...lines, '', ''].join('\r\n'),
        'latin1',
      ),
      TIMEOUT_MS,
    );

  beforeAll(async () => {
    site = await makeSite(database);
    app = await startApp({ databaseUrl: site.url, env: { RATE_LIMIT: 'off' } });
    app.nest.useLogger(false);
  });
  afterAll(async () => {
    await app?.close();
    await site?.drop();
  });

  it('with an ambiguous target get 400, whatever the method', async () => {
    // CONNECT opens a tunnel; Node closes the connection.
    for (const method of METHODS.filter((one) => one !== 'CONNECT'))
      for (const target of AMBIGUOUS) {
        const { status, text } = await ask(method, target);
        const error = method === 'HEAD' ? undefined : (JSON.parse(text) as { code: string; data: unknown });
        expect([method, target, status, error?.code]).toEqual([
          method,
          target,
          400,
          error && 'rest_bad_request',
        ]);
        expect([undefined, { status: 400 }]).toContainEqual(error?.data);
      }
  });

  it('with an absolute http or https URL are served by its path', async () => {
    const { text } = await ask('GET', `${BASE}/doc`);
    for (const origin of ['http://h', 'HTTPS://other.example:8443', 'http://[::1]:80'])
      expect(await ask('GET', `${origin}${BASE}/doc`)).toMatchObject({ status: 200, text });
    const root = await ask('GET', '/');
    // Default dates name the present.
    const timeless = (text: string) => text.replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, 'a time');
    for (const target of ['http://h', 'http://h/', 'http://h?']) {
      const { status, text } = await ask('GET', target);
      expect([status, timeless(text)]).toEqual([200, timeless(root.text)]);
    }
  });

  it('with a rejected target leave the connection usable', async () => {
    const first = head('POST', `${BASE}/tags#`, { 'Content-Length': '3', Connection: 'keep-alive' });
    const { text } = await exchange(app.url, `${first}a=b${head('GET', `${BASE}/doc`, {})}`, TIMEOUT_MS);
    expect(text).toMatch(/rest_bad_request.*HTTP\/1\.1 200 OK/s);
  });

  it.each([
    ['Host', 'Host: localhost', 'Host: evil.example'],
    ['Host, the same twice', 'Host: localhost', 'HOST: localhost'],
    ['Host, joined by a proxy', 'Host: localhost, evil.example'],
    ['Host, with a path', 'Host: localhost/x'],
    ['Host, with a user', 'Host: user@localhost'],
    [
      'Authorization',
      'Host: h',
      `Authorization: ${credentials('admin')['Authorization']}`,
      'authorization: x',
    ],
    ['Content-Type', 'Host: h', 'Content-Type: text/plain', 'Content-Type: application/json'],
    ['Content-Length', 'Host: h', 'Content-Length: 0', 'Content-Length: 0'],
    ['Origin', 'Host: h', 'Origin: https://a.example', 'Origin: https://b.example'],
    ['X-WP-Nonce', 'Host: h', 'X-WP-Nonce: a', 'X-WP-Nonce: b'],
    ['X-HTTP-Method-Override', 'Host: h', 'X-HTTP-Method-Override: GET', 'X-HTTP-Method-Override: DELETE'],
  ])('with %s that is repeated or ambiguous get 400 and write nothing', async (_, ...lines) => {
    const before = await app.dataSource.query('SELECT COUNT(*) AS n FROM wp_terms');
    for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS']) {
      const { status, text } = await ask(method, `${BASE}/tags?name=Twice`, lines);
      expect([method, status, text]).toEqual([method, 400, expect.stringContaining('rest_bad_request')]);
    }
    expect(await app.dataSource.query('SELECT COUNT(*) AS n FROM wp_terms')).toEqual(before);
  });

  it('with repeated list headers are accepted', async () => {
    const lines = ['Host: h', 'If-None-Match: "a"', 'If-None-Match: "b"', 'Accept: a/b', 'Accept: */*'];
    expect((await ask('GET', `${BASE}/doc`, lines)).status).toBe(200);
  });
});
