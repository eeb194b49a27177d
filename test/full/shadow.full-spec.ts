import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { ComparisonThread } from '../../src/cli/verify/comparison-thread.js';
import type { Report } from '../../src/cli/verify/report.js';
import { type ShadowOptions, shadow } from '../../src/cli/verify/shadow.js';
import { startApp, type TestApp } from '../support/app.js';
import { compiledWorker } from '../support/compiled-worker.js';
import { type OldServer, startOldServer } from '../support/old-server.js';
import { describeDatabases, makeSite, type Site } from '../support/sites.js';
import { testFolder } from '../support/test-folder.js';

interface Shadowed {
  url: string;
  report: string;
  end(): Promise<Report>;
}

describeDatabases('almanac shadow', (database) => {
  const worker = compiledWorker('cli/verify/compare-raw');
  let site: Site;
  let app: TestApp;
  const open: { close(): Promise<void> }[] = [];
  let runs = 0;
  beforeAll(async () => {
    site = await makeSite(database);
    app = await startApp({ databaseUrl: site.url });
  });
  afterEach(async () => {
    for (const one of open.splice(0)) await one.close();
  });
  afterAll(async () => {
    await app?.close();
    await site?.drop();
  });

  const oldServer = async (
    plant?: Parameters<typeof startOldServer>[1],
    handle?: Parameters<typeof startOldServer>[2],
  ): Promise<OldServer> => {
    const server = await startOldServer(app.url, plant, handle);
    open.push(server);
    return server;
  };

  const shadowed = async (against: string, options: Partial<ShadowOptions> = {}): Promise<Shadowed> => {
    const end = new AbortController();
    const report = join(testFolder(), `shadow-${database}-${++runs}`);
    let running: Promise<Report> | undefined;
    const address = await new Promise<string>((resolve, reject) => {
      running = shadow({
        against,
        with: `${app.url}/cal/events/v1`,
        host: '127.0.0.1',
        port: 0,
        concurrency: 2,
        queue: 100,
        withCredentials: false,
        keepHost: false,
        report,
        every: 3600,
        signal: end.signal,
        listening: resolve,
        ...options,
      });
      running.catch(reject);
    });
    const ended = () => {
      end.abort();
      return running as Promise<Report>;
    };
    open.unshift({ close: () => ended().then(() => {}) });
    return { url: `${address}${new URL(against).pathname}`, report, end: ended };
  };

  /** Ends it once a number of responses was compared. */
  const afterComparing = async (one: Shadowed, many: number, report = () => one.end()) => {
    for (; ; await sleep(50)) {
      const compared = existsSync(`${one.report}.json`)
        ? Object.values((JSON.parse(readFileSync(`${one.report}.json`, 'utf8')) as Report).kinds)
        : [];
      if (compared.reduce((sum, { asked: requests }) => sum + requests, 0) >= many) return report();
    }
  };

  it('responds from the old server, compares, and reports the seeded differences', async () => {
    const old = await oldServer(({ path, json }) => {
      if (path === '/tags/20') json.name = 'indoor';
    });
    const one = await shadowed(old.url, { every: 0.05 });
    const paths = [
      '/events?per_page=5',
      '/tags/20',
      '/tags/27',
      '/events/by-slug/concert-special',
      '/events/9999999',
    ];
    for (const path of paths) {
      const [through, direct] = await Promise.all([
        fetch(one.url + path, { headers: { Cookie: '_ga=1' } }),
        fetch(old.url + path),
      ]);
      expect([path, through.status, await through.text()]).toEqual([
        path,
        direct.status,
        await direct.text(),
      ]);
    }
    const report = await afterComparing(one, paths.length);
    expect(report.differences.map(({ cause, count }) => [cause, count])).toEqual([
      ['tag · name: another text', 1],
    ]);
    expect(report.known).toEqual([]);
    expect(report.readiness).toBe(80);
    expect(report.counts).toMatchObject({ 'passed on': 5, 'not compared: no reads': 0 });
    expect(readFileSync(`${one.report}.html`, 'utf8')).toContain('indoor');
  });

  it('forwards all other requests, and never sends them to Almanac', async () => {
    const heard: string[] = [];
    const almanac = await listening((incoming, answer) => {
      heard.push(`${incoming.method} ${incoming.url}`);
      answer
        .writeHead(200, { 'Content-Type': 'application/json' })
        .end('{"namespace":"cal/events/v1","routes":{}}');
    });
    const seen: { method?: string | undefined; raw: string[]; body: string }[] = [];
    const bytes = gzipSync(Buffer.from('{"id":5}'));
    const target = await listening((incoming, answer) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        const { method, rawHeaders: raw, url = '' } = incoming;
        if (!url.includes('v1?') && !/v1$|_fields/.test(url))
          seen.push({ method, raw, body: Buffer.concat(chunks).toString() });
        answer.writeHead(url.endsWith('v1') ? 200 : 207, 'As It Is', [
          ...[
            'Set-Cookie',
            'a=1',
            'Set-Cookie',
            'b=2',
            'X-CaSe',
            'kept',
            'Connection',
            'x-hop',
            'X-Hop',
            'gone',
          ],
          ...['Content-Type', 'application/json'],
          ...(url.includes('zipped') ? ['Content-Encoding', 'gzip'] : []),
        ]);
        answer.end(method === 'HEAD' ? '' : url.includes('zipped') ? bytes : '{}');
      });
    });
    const one = await shadowed(`${target}/wp-json/tribe/events/v1`, { with: `${almanac}/cal/events/v1` });
    const requests = heard.length;
    const send = (
      method: string,
      path: string,
      headers: Record<string, string | string[]> = {},
      body?: string[],
    ) => sent(one.url + path, method, headers, body);
    const zipped = await send('POST', '/events/zipped', { Authorization: 'Basic c2VjcmV0', TE: 'trailers' }, [
      '{"ti',
      'tle":1}',
    ]);
    expect(zipped.body).toEqual(bytes);
    expect([zipped.status, zipped.message]).toEqual([207, 'As It Is']);
    expect(zipped.raw.join('|')).toContain('Set-Cookie|a=1|Set-Cookie|b=2|X-CaSe|kept|');
    expect(zipped.raw.join('|')).not.toMatch(/x-hop|gone/i);
    await send(
      'PUT',
      '/events/5',
      { 'Content-Length': '2', 'X-Forwarded-For': '203.0.113.9', 'X-Forwarded-Proto': 'https' },
      ['{}'],
    );
    await send('DELETE', '/events/5?force=1', { Connection: 'Content-Length', 'Content-Length': '7' }, [
      '{"a":1}',
    ]);
    await send('HEAD', '/events');
    await send('GET', '/events', { Authorization: 'Basic c2VjcmV0' });
    await send('GET', '/events/5?password=sesame');
    await send('GET', '/events', { 'X-HTTP-Method-Override': 'DELETE' });
    const outside = await sent(`${new URL(one.url).origin}/wp-login.php`, 'GET', {});
    expect(outside.status).toBe(207);
    expect(seen.map(({ method, body }) => [method, body])).toEqual([
      ['POST', '{"title":1}'],
      ['PUT', '{}'],
      ['DELETE', '{"a":1}'],
      ['HEAD', ''],
      ['GET', ''],
      ['GET', ''],
      ['GET', ''],
      ['GET', ''],
    ]);
    const [post, put] = seen.map(({ raw }) => raw.join('|'));
    expect(post).toContain(`Host|${new URL(target).host}|`);
    expect(post).toMatch(/\|Authorization\|Basic c2VjcmV0\|/);
    expect(post).toMatch(/\|X-Forwarded-For\|127\.0\.0\.1\|/);
    expect(post).not.toMatch(/\|TE\|/);
    expect(put).toMatch(/\|X-Forwarded-For\|203\.0\.113\.9, 127\.0\.0\.1\|.*\|X-Forwarded-Proto\|https/);
    const { counts, kinds } = await one.end();
    expect(heard.slice(requests)).toEqual([]);
    expect(kinds).toEqual({});
    expect(counts).toEqual({
      'passed on': 8,
      'not compared: no reads': 5,
      'not compared: outside of the interface': 1,
      'not compared: with credentials': 2,
      'not compared: too many at a time': 0,
      'not compared: answers too large, broken off or unreadable': 0,
    });
    for (const type of ['html', 'json'])
      expect(readFileSync(`${one.report}.${type}`, 'utf8')).not.toMatch(/c2VjcmV0|sesame/);
  });

  it('keeps forwarding when Almanac is gone or hangs, and counts what it could not compare', async () => {
    let isGone = false;
    const almanac = await listening((incoming, answer) => {
      if (isGone) return void (incoming.url?.includes('hang') || incoming.socket.destroy());
      answer
        .writeHead(200, { 'Content-Type': 'application/json' })
        .end('{"namespace":"cal/events/v1","routes":{}}');
    });
    const old = await oldServer();
    const one = await shadowed(old.url, {
      with: `${almanac}/cal/events/v1`,
      every: 0.05,
      concurrency: 1,
      queue: 2,
    });
    isGone = true;
    expect((await fetch(`${one.url}/tags/20`)).status).toBe(200);
    await afterComparing(one, 1, async () => ({}) as Report);
    for (let at = 0; at < 8; at++) expect((await fetch(`${one.url}/tags/20?hang=${at}`)).status).toBe(200);
    const { differences, counts } = await one.end();
    expect(differences.map(({ cause }) => cause)).toContain('tag: no answer from Almanac');
    expect(counts?.['not compared: too many at a time']).toBeGreaterThanOrEqual(5);
  });

  it('does not start where its report cannot be written', async () => {
    const old = await oldServer();
    const report = join(testFolder(), 'nowhere', 'report');
    await expect(shadowed(old.url, { report })).rejects.toThrow(
      `${report}.running cannot be written: there is no such file or folder.`,
    );
  });

  it('serves clients and keeps comparing when a response inflates to 16 MB of nesting or values', async () => {
    const bodies = ['['.repeat(16_000_000), `[${'0,'.repeat(8_000_000)}0]`, `"${' '.repeat(15_000_000)}"`];
    const packed = bodies.map((body) => gzipSync(Buffer.from(body)));
    const old = await oldServer(undefined, (request, answer) => {
      const at = /packed=(\d)/.exec(request.url ?? '')?.[1];
      if (at === undefined) return false;
      answer.writeHead(200, { 'Content-Encoding': 'gzip' }).end(packed[Number(at)]);
      return true;
    });
    const thread = new ComparisonThread(worker);
    const one = await shadowed(old.url, { every: 0.05, thread });
    const inThread = jest.spyOn(thread, 'run');
    for (const [at, body] of bodies.entries())
      expect((await (await fetch(`${one.url}/tags?packed=${at}`)).text()).length).toBe(body.length);
    expect((await fetch(`${one.url}/tags/20`)).status).toBe(200);
    const { counts, differences } = await afterComparing(one, 2);
    expect(counts?.['not compared: answers too large, broken off or unreadable']).toBe(2);
    expect(differences.map(({ cause }) => cause)).not.toContain('tag: another text');
    expect(inThread.mock.calls.length).toBeGreaterThanOrEqual(4);
  });

  it('retries once where the old server closes a keep-alive connection', async () => {
    const known = new Set<unknown>();
    let isClosing = false;
    const old = await oldServer(undefined, ({ socket }) => {
      if (isClosing && known.has(socket)) socket.destroy();
      known.add(socket);
      return socket.destroyed;
    });
    const one = await shadowed(old.url);
    const statuses: number[] = [];
    for (let at = 0; at < 6; at++) {
      isClosing = at > 1;
      const answer = await fetch(`${one.url}/tags/20`);
      await answer.text();
      statuses.push(answer.status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200]);
    isClosing = false;
    const { counts } = await one.end();
    expect(counts?.['not compared: answers too large, broken off or unreadable']).toBe(0);
  });

  it('survives protocol violations of the old server', async () => {
    const lines = ['101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade', '200 F\x01ine\x7f'];
    let line: string | undefined;
    const old = await oldServer(undefined, ({ socket }) => {
      if (line === undefined) return false;
      socket.end(`HTTP/1.1 ${line}\r\nContent-Length: 2\r\n\r\n{}`);
      return true;
    });
    const one = await shadowed(old.url);
    const said: unknown[] = [];
    for (line of lines) {
      const answer = await fetch(`${one.url}/events`);
      said.push([answer.status, answer.statusText]);
    }
    expect(said).toEqual([
      [502, 'Bad Gateway'],
      [200, 'Fine'],
    ]);
    line = undefined;
  });

  it('answers 502 when the old server is gone, and aborts responses that it aborts', async () => {
    let breaks = false;
    const old = await oldServer(undefined, (_, answer) => {
      if (!breaks) return false;
      answer.writeHead(200, { 'Content-Length': '100' });
      answer.write('half', () => answer.destroy());
      return true;
    });
    const one = await shadowed(old.url);
    breaks = true;
    await expect(fetch(`${one.url}/events`).then((answer) => answer.text())).rejects.toThrow();
    await old.close();
    const answer = await fetch(`${one.url}/events`);
    expect([answer.status, await answer.json()]).toEqual([
      502,
      expect.objectContaining({ code: 'old_server_silent' }),
    ]);
    const { counts, kinds } = await one.end();
    expect(kinds).toEqual({});
    expect(counts?.['not compared: answers too large, broken off or unreadable']).toBe(2);
  });

  /** A server of one function; returns its URL. */
  async function listening(answer: Parameters<typeof createServer>[1]): Promise<string> {
    const server: Server = createServer(answer as (incoming: IncomingMessage) => void);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    open.push({
      close: async () => {
        server.closeAllConnections();
        server.close();
      },
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
});

interface Reply {
  status?: number | undefined;
  message?: string | undefined;
  raw: string[];
  body: Buffer;
}

/** Sends a request unchanged, a body in chunks, and returns the raw response. */
async function sent(
  url: string,
  method: string,
  headers: Record<string, string | string[]>,
  body: string[] = [],
): Promise<Reply> {
  const outgoing = request(url, { method, headers });
  for (const piece of body) outgoing.write(piece);
  outgoing.end();
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  return {
    status: answer.statusCode,
    message: answer.statusMessage,
    raw: answer.rawHeaders,
    body: Buffer.concat(chunks),
  };
}
