import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createRawServer, type Server as RawServer } from 'node:net';
import { SafeFetch, type SafeFetchOptions } from '../../src/wordpress/media/safe-fetch.js';

const open: RawServer[] = [];

/** A server on this machine that counts its connections. */
async function listen<T extends Server | RawServer>(
  server: T,
): Promise<{ port: number; connections: () => number }> {
  let count = 0;
  server.on('connection', () => count++);
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, connections: () => count };
}

const serve = (answer: RequestListener) => listen(createServer(answer));

/** The names of the tests lead to this machine, to the port that is allowed. */
const to = (port: number, options: Partial<SafeFetchOptions> = {}) =>
  new SafeFetch({
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    alsoAllow: (address, to) => address === '127.0.0.1' && to === port,
    ...options,
  });

afterEach(async () => {
  for (const server of open.splice(0)) {
    if ('closeAllConnections' in server) (server as Server).closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

describe('a download', () => {
  it('returns the body', async () => {
    const { port } = await serve((request, response) =>
      response.end(`${request.headers.host} ${request.url}`),
    );
    const body = await to(port).download(`http://images.test:${port}/a%20b?c=1#d`);
    expect(body.toString()).toBe(`images.test:${port} /a%20b?c=1`);
  });

  it.each([
    'http://127.0.0.1:PORT/',
    'http://localhost:PORT/',
    'http://localhost.:PORT/',
    'http://2130706433:PORT/',
    'http://0x7f.1:PORT/',
    'http://0177.0.0.1:PORT/',
    'http://①②⑦.0.0.1:PORT/',
    'http://[::1]:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://[64:ff9b::7f00:1]:PORT/',
    'http://0.0.0.0:PORT/',
    'https://127.0.0.1:PORT/',
  ])('from %s is rejected without a connection', async (url) => {
    const { port, connections } = await serve((_, response) => response.end('secret'));
    const download = new SafeFetch().download(url.replace('PORT', String(port)));
    await expect(download).rejects.toThrow('must be on a public address');
    expect(connections()).toBe(0);
  });

  it.each([
    'http://10.1.2.3/',
    'http://169.254.169.254/latest/meta-data/',
    'http://8.8.8.8:22/',
    'http://no-such-host.invalid/',
  ])('from %s is refused', async (url) => {
    await expect(new SafeFetch().download(url)).rejects.toThrow('must be on a public address');
  });

  it.each([
    ['ftp://images.test/a.png', 'http(s) URL'],
    ['file:///etc/passwd', 'http(s) URL'],
    ['data:image/png;base64,AAAA', 'http(s) URL'],
    ['//images.test/a.png', 'http(s) URL'],
    ['http://', 'http(s) URL'],
    ['http://user:pass@images.test/', 'credentials'],
  ])('from %s is rejected with its %s', async (url, why) => {
    await expect(to(80).download(url)).rejects.toThrow(why);
  });

  it('resolves a host once and connects to that address', async () => {
    const { port } = await serve((_, response) => response.end('here'));
    const answers = ['127.0.0.1', '127.0.0.99'];
    const resolve = async () => [{ address: answers.shift() ?? '', family: 4 }];
    const body = await to(port, { resolve }).download(`http://rebinding.test:${port}/`);
    expect([body.toString(), answers]).toEqual(['here', ['127.0.0.99']]);
  });

  it('rejects a host when one of its addresses is private', async () => {
    const { port, connections } = await serve((_, response) => response.end());
    const resolve = async () => ['127.0.0.1', '10.0.0.1'].map((address) => ({ address, family: 4 }));
    await expect(to(port, { resolve }).download(`http://mixed.test:${port}/`)).rejects.toThrow(
      'public address',
    );
    expect(connections()).toBe(0);
  });

  it('follows three redirects, not four', async () => {
    const { port } = await serve(({ url }, response) => {
      const left = Number(url?.slice(1));
      if (left === 0) response.end('arrived');
      else response.writeHead(302, { Location: `/${left - 1}` }).end();
    });
    expect((await to(port).download(`http://images.test:${port}/3`)).toString()).toBe('arrived');
    await expect(to(port).download(`http://images.test:${port}/4`)).rejects.toThrow('more than 3 times');
  });

  it.each([
    ['http://127.0.0.1:INNER/', 'public address'],
    ['http://inner.test:INNER/', 'public address'],
    ['http://169.254.169.254/', 'public address'],
    ['//[::1]:INNER/', 'public address'],
    ['file:///etc/passwd', 'http(s) URL'],
    ['http://a:b@images.test/', 'credentials'],
    ['http://[/', 'http(s) URL'],
  ])('checks a redirect to %s', async (location, why) => {
    const inner = await serve((_, response) => response.end('secret'));
    const outer = await serve((_, response) =>
      response.writeHead(301, { Location: location.replace('INNER', String(inner.port)) }).end(),
    );
    await expect(to(outer.port).download(`http://images.test:${outer.port}/`)).rejects.toThrow(why);
    expect(inner.connections()).toBe(0);
  });

  it('stops above its size limit', async () => {
    const { port } = await serve(({ url = '' }, response) => {
      const length = Number(url.slice(2));
      if (url[1] === 'c') response.writeHead(200, { 'Content-Length': length });
      // Without a length, in pieces.
      else response.write('x');
      response.end(Buffer.alloc(url[1] === 'c' ? length : length - 1));
    });
    const fetcher = to(port, { bytes: 1024 * 1024 });
    for (const kind of ['c', 'p']) {
      const at = (bytes: number) => fetcher.download(`http://images.test:${port}/${kind}${bytes}`);
      expect((await at(1024 * 1024)).length).toBe(1024 * 1024);
      await expect(at(1024 * 1024 + 1)).rejects.toThrow('is larger than 1 MB');
    }
  });

  it('stops at its time limit', async () => {
    const { port } = await serve(({ url }, response) => {
      if (url === '/silent') return;
      response.writeHead(200);
      const drip = setInterval(() => response.write('x'), 20);
      response.on('close', () => clearInterval(drip));
    });
    for (const path of ['silent', 'drip']) {
      const from = performance.now();
      const download = to(port, { milliseconds: 200 }).download(`http://images.test:${port}/${path}`);
      await expect(download).rejects.toThrow('within 0.2 seconds');
      expect(performance.now() - from).toBeLessThan(20_000);
    }
    const upgrade = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n';
    const raw = await listen(
      createRawServer((socket) =>
        socket
          .on('error', () => {})
          .resume()
          .write(upgrade),
      ),
    );
    const other = to(raw.port, { milliseconds: 200 }).download(`http://images.test:${raw.port}/`);
    await expect(other).rejects.toThrow('within 0.2 seconds');
    const never = to(port, { milliseconds: 100, resolve: () => new Promise(() => {}) });
    await expect(never.download('http://images.test/')).rejects.toThrow('within 0.1 seconds');
  });

  it.each([204, 206, 304, 401, 404, 500])('rejects the status %i', async (status) => {
    const { port } = await serve((_, response) => response.writeHead(status).end());
    await expect(to(port).download(`http://images.test:${port}/`)).rejects.toThrow(`the status ${status}`);
  });

  it('rejects compressed responses and redirects without a target', async () => {
    const { port } = await serve(({ url }, response) =>
      response.writeHead(url === '/zip' ? 200 : 302, { 'Content-Encoding': 'gzip' }).end('x'),
    );
    const fetcher = to(port);
    await expect(fetcher.download(`http://images.test:${port}/zip`)).rejects.toThrow('compressed');
    await expect(fetcher.download(`http://images.test:${port}/`)).rejects.toThrow('more than 3 times');
  });

  it.each([
    ['nothing', ''],
    ['no HTTP', 'SSH-2.0-OpenSSH_9\r\n'],
    ['half an answer', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort'],
    ['endless headers', `HTTP/1.1 200 OK\r\n${'X-A: b\r\n'.repeat(20_000)}`],
  ])('reports only that it failed after %s', async (_, answer) => {
    const { port } = await listen(
      createRawServer((socket) =>
        socket
          .on('error', () => {})
          .resume()
          .end(answer),
      ),
    );
    await expect(to(port).download(`http://images.test:${port}/`)).rejects.toThrow(
      /^could not be downloaded\.$/,
    );
    await expect(to(port).download(`https://images.test:${port}/`)).rejects.toThrow(
      /^could not be downloaded\.$/,
    );
  });
});
