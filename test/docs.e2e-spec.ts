import { get, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { localAddress } from '../src/app/local-address.js';
import { readEnvironment } from '../src/config/env.js';
import { REST_BASE_URL, startApp, type TestApp } from './support/app.js';
import { startProxy } from './support/prefix-proxy.js';
import { makeSite, type Site } from './support/sites.js';
import { needPages } from './support/web-pages.js';

interface Document {
  servers: { url: string; description: string }[];
}

/** Fetches a body without decompressing it, which `fetch` would do. */
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
    // Indexes contain the current second.
    app = await startApp({ databaseUrl: site.url, env, clockStands: true });
    proxy = await startProxy(app.url, '/staging/almanac');
  });
  afterAll(async () => {
    await proxy?.close();
    await app?.close();
    await site?.drop();
  });

  it('the URL printed at start responds', async () => {
    const address = localAddress(readEnvironment(env), Number(new URL(app.url).port));
    const response = await fetch(`${address}/events`);
    expect(response.status).toBe(200);
    expect(await response.json()).toHaveProperty('events');
  });

  it('requests of /docs go to the serving host first, then to REST_BASE_URL', async () => {
    for (const root of [app.url, proxy.url]) {
      const script = await fetch(`${root}/docs/start.js`);
      const path = /new URL\('([^']+)', document\.currentScript\.src\)/.exec(await script.text())?.[1] ?? '';
      const from = new URL(path, script.url);
      const { servers } = (await (await fetch(from)).json()) as Document;
      // Browsers resolve relative servers against the document's URL.
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

  it('large responses are compressed and revalidated with 304', async () => {
    const base = `${prefix}/${name}`;
    const [script] =
      /assets\/calendar-[^"]+\.js/.exec(await (await fetch(`${app.url}/calendar`)).text()) ?? [];
    const requested = ['/', base, `${base}/doc`, '/openapi.json', '/docs', '/docs/start.js', `/${script}`];
    const found = [];
    for (const path of requested) {
      const uncompressed = await requestRaw(`${app.url}${path}`, 'identity');
      expect([path, uncompressed.status]).toEqual([path, 200]);
      let compressed = uncompressed;
      // Compression runs in the background of the first responses.
      while (compressed.headers['content-encoding'] === undefined)
        compressed = await requestRaw(`${app.url}${path}`, 'gzip');
      const revalidated = await requestRaw(`${app.url}${path}`, 'gzip', compressed.headers['etag']);
      found.push({
        path,
        same: gunzipSync(compressed.body).equals(uncompressed.body),
        half: compressed.body.length * 2 < uncompressed.body.length,
        known: [revalidated.status, revalidated.body.length],
        control: [uncompressed, compressed, revalidated].map(({ headers }) => headers['cache-control']),
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

  it.each(['/docs', '/docs/'])('%s loads only files of this server', async (path) => {
    for (const root of [app.url, proxy.url]) {
      const response = await fetch(root + path);
      const page = await response.text();
      const policy = response.headers.get('content-security-policy') ?? '';
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(policy).toContain("default-src 'none'; script-src 'self';");
      expect(policy).toContain(`connect-src 'self' ${new URL(REST_BASE_URL).origin};`);
      expect(policy).not.toContain('unsafe');
      expect(page).not.toMatch(/(?:src|href)="(?:https?:|\/)|<script>|style=/);
      expect(page).toMatch(/<title>[^<]+: calendar interface \d+\.\d+\.\d+<\/title>/);
      const files = [...page.matchAll(/<(?:script|link)[^>]+(?:src|href)="([^"]+)"/g)].map(
        ([, file]) => file ?? '',
      );
      expect(files).toHaveLength(2);
      const links = [...page.matchAll(/<a href="([^"#]+)"/g)].map(
        ([, link]) => new URL(link ?? '', root + path).href,
      );
      expect([...new Set(links)]).toEqual([`${root}/calendar`, `${root}/openapi.json`]);
      for (const file of files) {
        const asset = await fetch(new URL(file, root + path));
        expect([file, asset.status]).toEqual([file, 200]);
        expect(asset.headers.get('content-type')).toMatch(/css|javascript/);
        expect(asset.headers.get('x-content-type-options')).toBe('nosniff');
        await asset.arrayBuffer();
      }
    }
  });

  it.each(['package.json', 'index.html', '..%2fpackage.json', '%2e%2e/package.json'])(
    '/docs returns 404 for other files: %s',
    async (file) => {
      expect((await fetch(`${app.url}/docs/${file}`)).status).toBe(404);
    },
  );
});

it.each([
  [{ DATABASE_URL: 'sqlite:site.db' }, 'http://localhost:4100/cal/events/v1'],
  // Without DATABASE_URL the demo listens on the loopback address only.
  [{}, 'http://127.0.0.1:4100/cal/events/v1'],
  [{ HOST: '::' }, 'http://localhost:4100/cal/events/v1'],
  [{ HOST: '::1' }, 'http://[::1]:4100/cal/events/v1'],
  [{ HOST: '192.0.2.7', API_NAMESPACES: 'b/v2,cal/events/v1' }, 'http://192.0.2.7:4100/b/v2'],
])('localAddress for %j is %s', (env: Record<string, string>, address) => {
  expect(localAddress(readEnvironment(env), 4100)).toBe(address);
});
