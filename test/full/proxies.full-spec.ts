import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'node:tls';
import { readEnvironment } from '../../src/config/env.js';
import { MAX_UPLOAD } from '../../src/http/params/limits.js';
import { type BuiltServer, startBuilt } from '../support/built-server.js';
import { basic, credentials } from '../support/calendar-client.js';
import { blocksOf } from '../support/doc-blocks.js';
import {
  type Change,
  type OwnProxy,
  type PhpStandIn,
  type ProxyName,
  proxiesMissing,
  startPhp,
  startProxy,
  takeIn,
} from '../support/own-proxies.js';
import { type RawAnswer, type RawRequest, rawRequest } from '../support/raw-request.js';
import { makeSite, type Site } from '../support/sites.js';

const ROOT = '/wp-json/tribe/events/v1';
const LIST = `${ROOT}/events?start_date=2020-01-01&per_page=30`;
const JSON_BODY = { 'Content-Type': 'application/json' };

/** Requests that must reach Almanac unchanged, including `%` and slashes. */
const SENT_ON = [
  `${ROOT}/events/74`,
  LIST,
  '/wp-json/cal/events/v1/tags',
  `/index.php${ROOT}/events/74`,
  '/?rest_route=/tribe/events/v1/events/74',
  '/index.php?x=1&rest_route=%2Ftribe%2Fevents%2Fv1%2Fevents%2F74&y=2',
  `${ROOT}/events/by-slug/emoji-%f0%9f%8e%89-fest-62`,
  `${ROOT}/events/by-slug/a%2Fb%252F%25%3Fc%23`,
  `${ROOT}/events//74`,
  `${ROOT}/../../../wp/v2/posts`,
  `${ROOT}/events?search=100%25%26%2B+a%2Fb|"<>^{}&per_page=1`,
  `${ROOT}/tags?search=a%&x=${'y'.repeat(7000)}`,
  `${ROOT}/events.ics?start_date=2020-01-01`,
  `${ROOT}/events.rss`,
  `${ROOT}/events.feed.json`,
  `${ROOT}/nothing`,
  '/docs',
  '/docs/style.css',
  '/openapi.json',
];

/** Requests that stay with PHP, unchanged. */
const LEFT = [
  '/',
  '/?p=1',
  '/wp-json/',
  '/wp-json/wp/v2/posts',
  '/?rest_route=/wp/v2/posts',
  `${ROOT}0/events`,
  '/docsy',
  '/livez',
  '/tea%2Fcake%25/?s=a%2Fb',
];

/** Requests that go to either, by a commented line. */
const AT_WILL = [
  '/calendar',
  '/calendar?embed=1',
  '/editor',
  '/events/?ical=1',
  '/?post_type=tribe_events&ical=1',
  '/events/feed/',
  '/?post_type=tribe_events&feed=rss2',
];

const OPTIONAL = takeIn('calendar|editor', 'ical=1', 'feed(?:/', 'feed=');

const IN_BLOG: Record<ProxyName, Change> = {
  nginx: (text) => text.replace(/("~\*?\^)/g, '$1/blog'),
  apache: (text) => text.replaceAll('\\ (/', '\\ /blog(/'),
};

/** The edits that the files suggest for a site without PHP. */
const ALONE: Record<ProxyName, Change> = {
  nginx: (text) =>
    text
      .replace(/^map \$request_uri [\s\S]*?^\}\n/m, '')
      .replace(/^# map [\s\S]*?^# \}\n/m, (block) => block.replace(/^# /gm, ''))
      .replace(/ {4}location \/ \{[\s\S]*?fastcgi_pass[\s\S]*?\}\n/, 'location / { try_files $uri =404; }\n'),
  apache: (text) => takeIn('"!^/wp-content', '(/[^?\\s]*)?"')(text.replace(/^ *RewriteCond .*\n/gm, '')),
};

/** Headers that proxies change, or that differ between responses. */
const PASSING = [
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'server',
  'transfer-encoding',
  'x-request-id',
];

/** Headers of Almanac's responses. */
const said = ({ status, headers, text }: RawAnswer) => {
  const own = Object.entries(headers).filter(([name]) => !PASSING.includes(name));
  // A server that may compress sends Vary.
  const vary = [...new Set(['Accept-Encoding', ...(headers.vary?.split(/, */) ?? [])])].sort();
  // The index names default dates: now, to the second.
  return { status, headers: { ...Object.fromEntries(own), vary }, text: text.replace(/\d\d:\d\d:\d\d/g, '') };
};

const byPhp = ({ headers }: RawAnswer) => headers['x-powered-by'] === 'PHP';

(proxiesMissing() ? describe.skip : describe)('deploy/', () => {
  let site: Site;
  let server: BuiltServer;
  let php: PhpStandIn;

  beforeAll(async () => {
    site = await makeSite('SQLite');
    php = await startPhp();
    server = await startBuilt(site.url, [], {
      env: {
        PATH_PREFIX: '/wp-json',
        API_NAMESPACES: 'cal/events/v1,tribe/events/v1',
        REST_BASE_URL: 'https://example.org/wp-json',
        // `loopback`, as in the files, includes this test's clients.
        TRUST_PROXY: '127.0.0.1',
        LOG_LEVEL: 'warn',
      },
    });
  });
  afterAll(async () => {
    await server?.kill();
    await php?.stop();
    await site?.drop();
  });

  /** Almanac's direct response to a proxy's request. */
  const direct = (path: string) =>
    rawRequest(server.url, { path, headers: { Host: 'example.org', 'X-Forwarded-Proto': 'https' } });

  describe.each<ProxyName>(['nginx', 'apache'])('%s', (name) => {
    let proxy: OwnProxy;
    // From an address other than the proxy's.
    const agent = new Agent({
      rejectUnauthorized: false,
      servername: 'example.org',
      keepAlive: true,
      localAddress: '127.0.0.2',
    });
    const started: OwnProxy[] = [];
    const startWith = async (change?: Change) => {
      const one = await startProxy(name, { almanac: server.url, php: php.url }, change);
      started.push(one);
      return one;
    };
    const ask = (path: string, { headers, ...more }: Partial<RawRequest> = {}, by = proxy) =>
      rawRequest(by.url, { path, headers: { Host: 'example.org', ...headers }, ...more }, agent);
    const asAdmin = (path: string, method: string, body = '', headers = {}) =>
      ask(path, { method, body, headers: { ...credentials('admin'), ...JSON_BODY, ...headers } });
    const tags = async () =>
      JSON.parse((await direct(`${ROOT}/tags?per_page=50&hide_empty=false`)).text).total as number;

    beforeAll(async () => {
      proxy = await startWith();
    });
    afterAll(async () => {
      agent.destroy();
      await Promise.all(started.map((one) => one.stop()));
    });

    it('forwards Almanac’s paths to Almanac and all others to PHP, unchanged', async () => {
      for (const path of SENT_ON)
        expect([path, said(await ask(path))]).toEqual([path, said(await direct(path))]);
      for (const path of [...LEFT, ...AT_WILL]) {
        const answer = await ask(path, { headers: credentials('editor') });
        expect([path, byPhp(answer), byPhp(answer) && JSON.parse(answer.text).url]).toEqual([
          path,
          true,
          path,
        ]);
      }
    });

    it('forwards pages and calendar files where their lines are enabled, also below a sub-directory', async () => {
      const all = await startWith(OPTIONAL);
      const blog = await startWith((text) => IN_BLOG[name](OPTIONAL(text)));
      for (const path of AT_WILL) {
        const { status, text } = await direct(path);
        expect([path, await ask(path, {}, all)]).toEqual([path, expect.objectContaining({ status, text })]);
      }
      for (const path of [...SENT_ON, ...AT_WILL]) {
        const { status } = await direct(path);
        const below = await ask(`/blog${path}`, {}, blog);
        expect([path, byPhp(below), below.status]).toEqual([path, false, status]);
        expect([path, byPhp(await ask(path, {}, blog))]).toEqual([path, true]);
      }
      for (const path of LEFT)
        expect([path, byPhp(await ask(`/blog${path}`, {}, blog))]).toEqual([path, true]);
    });

    it('leaves /docs to PHP where its line is removed', async () => {
      const without = await startWith((text) => text.replace(/^.*openapi.*\n/m, ''));
      expect(byPhp(await ask(`${ROOT}/events/74`, {}, without))).toBe(false);
      for (const path of ['/docs', '/openapi.json', ...LEFT])
        expect([path, byPhp(await ask(path, {}, without))]).toEqual([path, true]);
    });

    if (name === 'nginx')
      it('forwards the interface with the block of docs/migrating.md, and leaves all else to PHP', async () => {
        const [block = ''] = blocksOf('docs/migrating.md').flatMap(({ kind, text }) =>
          kind === 'nginx' ? [text] : [],
        );
        const led = await startWith((text) =>
          text.replace(
            / {4}if \(\$almanac_uri[\s\S]*?\n {4}\}\n[\s\S]*?\n {4}\}\n/,
            block.replace(/http:\/\/127\.0\.0\.1:\d+/, server.url),
          ),
        );
        for (const path of SENT_ON.filter((one) => /^\/wp-json\/(?!.*\.\.)/.test(one)))
          expect([path, said(await ask(path, {}, led))]).toEqual([path, said(await direct(path))]);
        for (const path of [...LEFT, ...AT_WILL])
          expect([path, byPhp(await ask(path, {}, led))]).toEqual([path, true]);
      });

    it('serves only uploads of the site where PHP is gone', async () => {
      const alone = await startWith(ALONE[name]);
      rmSync(join(alone.root, '.htaccess'), { force: true });
      const uploads = join(alone.root, 'wp-content', 'uploads');
      mkdirSync(uploads, { recursive: true });
      writeFileSync(join(uploads, 'a picture.jpg'), 'picture');
      writeFileSync(join(alone.root, 'wp-config.php'), 'secret');
      expect(await ask('/wp-content/uploads/a%20picture.jpg', {}, alone)).toMatchObject({
        status: 200,
        text: 'picture',
      });
      expect(await ask('/wp-content/uploads/none.jpg', {}, alone)).toMatchObject({ status: 404 });
      for (const path of ['/', '/livez', ...SENT_ON, ...AT_WILL])
        expect([path, said(await ask(path, {}, alone))]).toEqual([path, said(await direct(path))]);
      const up = '/wp-content/uploads/';
      const ways = ['../../', '%2e%2e/%2E./', '..%2f..%2F', './/..//.././'].flatMap((way) => [
        up + way,
        `/x/..${up}${way}`,
      ]);
      for (const way of ['/', '//', '/./', 'http://example.org/', `http://example.org${up}../../`, ...ways]) {
        const path = `${way}wp-config.php`;
        const { status, text } = await ask(path, {}, alone);
        expect([path, status >= 400, text.includes('secret')]).toEqual([path, true, false]);
      }
    });

    it('forwards client address and TLS, and ignores what clients claim about them', async () => {
      const created = await asAdmin(`${ROOT}/tags`, 'POST', JSON.stringify({ name: `By ${name}` }));
      expect(created).toMatchObject({
        status: 201,
        text: expect.stringContaining('https:\\/\\/example.org\\/wp-json'),
      });
      const { id } = JSON.parse(created.text);
      expect((await asAdmin(`${ROOT}/tags/${id}`, 'PATCH', '{"description":"x"}')).status).toBe(200);
      expect((await asAdmin(`${ROOT}/tags/${id}`, 'DELETE')).status).toBe(200);
      const forged = ['1.2.3.4', '1.2.3.4, 127.0.0.1', ' , unknown'];
      for (const address of forged) {
        const headers = {
          ...basic('admin', 'wrong'),
          'X-Forwarded-For': address,
          Forwarded: `for=${address}`,
          'X-Real-IP': '1.2.3.4',
          Connection: 'close, X-Forwarded-For',
        };
        expect((await ask(`${ROOT}/tags`, { headers })).status).toBe(401);
      }
      while ((server.log().match(/Login failed/g) ?? []).length < forged.length * (name === 'nginx' ? 1 : 2))
        await sleep(20);
      expect(new Set(server.log().match(/Login failed from \S+/g))).toEqual(
        new Set(['Login failed from 127.0.0.2']),
      );
      const plain = await rawRequest(proxy.plainUrl, {
        path: ROOT,
        headers: { Host: 'example.org', 'X-Forwarded-Proto': 'https' },
      });
      expect([plain.status, plain.headers.location]).toEqual([301, `https://example.org${ROOT}`]);
    });

    it('compresses once, and supports 304 and HEAD', async () => {
      // Nothing is stored of the second address.
      for (const path of [LIST, `${ROOT}/doc`])
        for (const coding of ['gzip', 'gzip, br']) {
          const headers = { 'Accept-Encoding': coding };
          const { text } = await direct(path);
          const packed = await ask(path, { headers });
          expect(packed).toMatchObject({ status: 200, text });
          expect(['gzip', 'br']).toContain(packed.headers['content-encoding']);
          expect(packed.headers.vary).toContain('Accept-Encoding');
          const head = await ask(path, { method: 'HEAD', headers });
          expect(head).toMatchObject({ status: 200, text: '' });
          expect(head.headers['x-tec-total']).toBe(packed.headers['x-tec-total']);
          const { etag } = packed.headers;
          if (etag)
            expect(await ask(path, { headers: { ...headers, 'If-None-Match': etag } })).toMatchObject({
              status: 304,
              text: '',
            });
        }
      expect((await ask(LIST)).headers.etag).toBeDefined();
    });

    it('compresses the files that pages load', async () => {
      for (const path of ['/docs/style.css', '/docs/start.js']) {
        const packed = await ask(path, { headers: { 'Accept-Encoding': 'gzip' } });
        expect([path, packed.status, packed.headers['content-encoding']]).toEqual([path, 200, 'gzip']);
        expect(packed.text === (await direct(path)).text).toBe(true);
      }
    });

    it('lets Almanac reject a body that is too large', async () => {
      const before = await tags();
      const { bodyLimit } = readEnvironment({});
      const body = JSON.stringify({ name: `Large ${name}` });
      const rejected = await asAdmin(`${ROOT}/tags`, 'POST', body.padEnd(bodyLimit + 1));
      expect([rejected.status, JSON.parse(rejected.text).code]).toEqual([413, 'rest_content_too_large']);
      // As large as a file may be that is uploaded; nginx's own limit is slightly higher.
      for (const [size, isOurs] of [
        [MAX_UPLOAD, true],
        [1.2 * MAX_UPLOAD, name === 'apache'],
      ] as const) {
        const larger = await asAdmin(`${ROOT}/tags`, 'POST', body.padEnd(size));
        expect([size, larger.status, larger.text.startsWith('{')]).toEqual([size, 413, isOurs]);
      }
      expect(await tags()).toBe(before);
      expect((await asAdmin(`${ROOT}/tags`, 'POST', body.padEnd(bodyLimit))).status).toBe(201);
    });

    it('serves pipelined and slow requests on one connection', async () => {
      const socket = connect({
        host: '127.0.0.1',
        port: Number(new URL(proxy.url).port),
        rejectUnauthorized: false,
      });
      let answers = '';
      socket.setEncoding('latin1').on('data', (chunk) => {
        answers += chunk;
      });
      const ended = new Promise((resolve) => socket.once('close', resolve));
      const paths = [`${ROOT}/tags`, '/wp-json/', `${ROOT}/nothing`, '/openapi.json', LIST];
      socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: example.org\r\n\r\n`).join(''));
      const { Authorization } = credentials('admin');
      const body = JSON.stringify({ name: `Slowly ${name}` });
      socket.write(
        `POST ${ROOT}/tags HTTP/1.1\r\nHost: example.org\r\nConnection: close\r\nAuthorization: ${Authorization}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
      );
      for (const byte of body) {
        await sleep(5);
        socket.write(byte);
      }
      await ended;
      expect(answers.match(/(?<=HTTP\/1\.1 )\d+/g)).toEqual(['200', '200', '404', '200', '200', '201']);
    });

    it('loses no request when Almanac stops, leaves PHP running, and serves again once Almanac is back', async () => {
      const stored: string[] = [];
      const outcomes = new Set<number>();
      let ends = false;
      const clients = Array.from({ length: 6 }, async (_, client) => {
        for (let n = 0; !ends; n++) {
          const tag = `End ${name} ${client} ${n}`;
          const { status } = await asAdmin(`${ROOT}/tags`, 'POST', JSON.stringify({ name: tag }));
          outcomes.add(status);
          if (status === 201) stored.push(tag);
        }
      });
      while (stored.length < 10) await sleep(20);
      const gone = new Promise((resolve) => server.child()?.once('exit', resolve));
      server.child()?.kill('SIGTERM');
      expect(await gone).toBe(0);
      const away = name === 'nginx' ? 502 : 503;
      while (!outcomes.has(away)) await sleep(20);
      ends = true;
      await Promise.all(clients);
      expect([...outcomes].sort()).toEqual([201, away]);
      expect(byPhp(await ask('/wp-json/'))).toBe(true);
      await server.restart();
      const found = await ask(`/wp-json/cal/events/v1/tags?search=End+${name}&per_page=50&hide_empty=false`);
      expect(
        JSON.parse(found.text)
          .tags.map((tag: { name: string }) => tag.name)
          .sort(),
      ).toEqual(stored.sort());
    });
  });
});
