import { get, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { readEnvironment } from '../src/config/env.js';
import { localAddress } from '../src/app/local-address.js';
import { REST_BASE_URL, startApp, type TestApp } from './support/app.js';
import { startProxy } from './support/prefix-proxy.js';
import { makeSite, type Site } from './support/sites.js';
import { needPages } from './support/web-pages.js';

interface Document {
  servers: { url: string; description: string }[];
}

/** As it comes: `fetch` unpacks. */
const requestRaw = (url: string, encoding: string, etag?: string) =>
  new Promise<{ status?: number; headers: IncomingHttpHeaders; body: Buffer }>((resolve, reject) => {
    const headers = { 'Accept-Encoding': encoding, ...(etag !== undefined && { 'If-None-Match': etag }) };
    get(url, { headers }, (reply) => {
      const { statusCode: status, headers } = reply;
      buffer(reply).then((body) => resolve({ status, headers, body }), reject);
    }).on('error', reject);
  });

describe.each([
  ['', 'cal/events/v1'],
  ['/wp-json', 'tribe/events/v1'],
])('documents with PATH_PREFIX "%s" and the namespace %s', (prefix, name) => {
  const env = { PATH_PREFIX: prefix, API_NAMESPACES: `${name},other/v1`, HOST: '127.0.0.1' };
  let site: Site;
  let app: TestApp;
  let proxy: Awaited<ReturnType<typeof startProxy>>;

  beforeAll(async () => {
    await needPages();
    site = await makeSite('SQLite');
    // Indexes name the present second.
    app = await startApp({ databaseUrl: site.url, env, clockStands: true });
    proxy = await startProxy(app.url, '/staging/almanac');
  });
  afterAll(async () => {
    await proxy?.close();
    await app?.close();
    await site?.drop();
  });

  it('the line of the start names an address that answers', async () => {
    const address = localAddress(readEnvironment(env), Number(new URL(app.url).port));
    const response = await fetch(`${address}/events`);
    expect(response.status).toBe(200);
    expect(await response.json()).toHaveProperty('events');
  });

  it('requests go to the server that shows the page, then to the public address', async () => {
    for (const root of [app.url, proxy.url]) {
      const script = await fetch(`${root}/docs/start.js`);
      const path = /new URL\('([^']+)', document\.currentScript\.src\)/.exec(await script.text())?.[1] ?? '';
      const from = new URL(path, script.url);
      const { servers } = (await (await fetch(from)).json()) as Document;
      // A page resolves what is relative by the address of the document.
      const addresses = servers.map(({ url }) => new URL(url, from).href);
      expect(addresses).toEqual([
        `${root}${prefix}/${name}`,
        `${REST_BASE_URL}/${name}`,
        `${root}${prefix}/other/v1`,
        `${REST_BASE_URL}/other/v1`,
      ]);
      const tags = await fetch(`${addresses[0]}/tags?per_page=1`);
      expect([tags.status, await tags.json()]).toEqual([
        200,
        expect.objectContaining({ tags: [expect.anything()] }),
      ]);
    }
  });

  it('what is large is sent compressed, and not again to who has it', async () => {
    const base = `${prefix}/${name}`;
    const [script] =
      /assets\/calendar-[^"]+\.js/.exec(await (await fetch(`${app.url}/calendar`)).text()) ?? [];
    const requested = ['/', base, `${base}/doc`, '/openapi.json', '/docs/swagger-ui-bundle.js', `/${script}`];
    const found = [];
    for (const path of requested) {
      const plain = await requestRaw(`${app.url}${path}`, 'identity');
      expect([path, plain.status]).toEqual([path, 200]);
      let packed = plain;
      // It is compressed beside the answers to who asks first.
      while (packed.headers['content-encoding'] === undefined)
        packed = await requestRaw(`${app.url}${path}`, 'gzip');
      const known = await requestRaw(`${app.url}${path}`, 'gzip', packed.headers['etag']);
      found.push({
        path,
        same: gunzipSync(packed.body).equals(plain.body),
        half: packed.body.length * 2 < plain.body.length,
        known: [known.status, known.body.length],
        control: [plain, packed, known].map(({ headers }) => headers['cache-control']),
      });
    }
    const control = Array(3).fill('no-cache');
    expect(found).toEqual(
      requested.map((path) => ({
        path,
        same: true,
        half: true,
        known: [304, 0],
        control: path.startsWith('/assets') ? Array(3).fill('public, max-age=31536000, immutable') : control,
      })),
    );
  });

  it.each(['/docs', '/docs/'])('%s has files of this server only', async (path) => {
    for (const root of [app.url, proxy.url]) {
      const response = await fetch(root + path);
      const page = await response.text();
      const policy = response.headers.get('content-security-policy') ?? '';
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(policy).toContain("default-src 'none'; script-src 'self';");
      expect(policy).toContain(`connect-src 'self' ${new URL(REST_BASE_URL).origin};`);
      expect(policy).not.toContain('unsafe');
      expect(page).not.toMatch(/https?:|<script>|style=/);
      expect(page).toMatch(/<title>[^<]+: calendar interface \d+\.\d+\.\d+<\/title>/);
      const files = [...page.matchAll(/<(?:script|link)[^>]+(?:src|href)="([^"]+)"/g)].map(
        ([, file]) => file ?? '',
      );
      expect(files).toHaveLength(5);
      const links = [...page.matchAll(/<a href="([^"]+)"/g)].map(
        ([, link]) => new URL(link ?? '', root + path).href,
      );
      expect([...new Set(links)]).toEqual([`${root}/calendar`, `${root}/openapi.json`]);
      for (const file of files) {
        const asset = await fetch(new URL(file, root + path));
        expect([file, asset.status]).toEqual([file, 200]);
        expect(asset.headers.get('content-type')).toMatch(/css|javascript|png/);
        expect(asset.headers.get('x-content-type-options')).toBe('nosniff');
        await asset.arrayBuffer();
      }
    }
  });

  it.each(['package.json', 'index.html', '..%2fpackage.json', '%2e%2e/package.json'])(
    '/docs serves no other file: %s',
    async (file) => {
      expect((await fetch(`${app.url}/docs/${file}`)).status).toBe(404);
    },
  );
});

it.each([
  [{ DATABASE_URL: 'sqlite:site.db' }, 'http://localhost:4100/cal/events/v1'],
  // The demo listens on the loopback only.
  [{}, 'http://127.0.0.1:4100/cal/events/v1'],
  [{ HOST: '::' }, 'http://localhost:4100/cal/events/v1'],
  [{ HOST: '::1' }, 'http://[::1]:4100/cal/events/v1'],
  [{ HOST: '192.0.2.7', API_NAMESPACES: 'b/v2,cal/events/v1' }, 'http://192.0.2.7:4100/b/v2'],
])('with %j the server is at %s', (env: Record<string, string>, address) => {
  expect(localAddress(readEnvironment(env), 4100)).toBe(address);
});
