import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fetchFeed } from '../../src/imports/feed-fetch.js';
import { SafeFetch } from '../../src/wordpress/media/safe-fetch.js';

let server: Server;
let origin: string;
let fetcher: SafeFetch;
let paths: string[] = [];
/** What the server responds to requests of a path. */
let answers: Record<string, (response: ServerResponse) => void> = {};

beforeAll(async () => {
  server = createServer(({ url = '' }: IncomingMessage, response) => {
    paths.push(url);
    const answer = answers[url.split('?', 1)[0] ?? ''];
    if (answer) answer(response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  origin = `http://127.0.0.1:${port}`;
  fetcher = new SafeFetch({ alsoAllow: (address, to) => address === '127.0.0.1' && to === port });
});
beforeEach(() => {
  paths = [];
  answers = {};
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const fetched = () => fetchFeed(fetcher, `${origin}/a.ics`);

describe('a feed', () => {
  it('is not requested where robots.txt cannot be read, which the error says', async () => {
    answers['/robots.txt'] = (response) => response.end('#'.repeat(600 * 1024));
    await expect(fetched()).rejects.toThrow(
      `may not be fetched: robots.txt of ${origin.slice(7)} is larger than 0.5 MB.`,
    );
    answers['/robots.txt'] = (response) => response.destroy();
    await expect(fetched()).rejects.toThrow(
      `may not be fetched: robots.txt of ${origin.slice(7)} could not be downloaded.`,
    );
    expect(paths).toEqual(['/robots.txt', '/robots.txt']);
  });

  it('is not followed to an address whose comparison with robots.txt may take long', async () => {
    const location = `/b.ics?${'a'.repeat(2000)}`;
    answers['/a.ics'] = (response) => response.writeHead(302, { Location: location }).end();
    await expect(fetched()).rejects.toThrow('is redirected to an address of more than 2000 characters.');
    expect(paths).toEqual(['/robots.txt', '/a.ics']);
  });

  it('is not waited for once its signal ends it', async () => {
    const ended = new AbortController();
    answers['/a.ics'] = (response) => {
      response.writeHead(200).write('BEGIN:VCALENDAR');
      setTimeout(() => ended.abort(), 50);
    };
    const { signal } = ended;
    await expect(fetchFeed(fetcher, `${origin}/a.ics`, {}, { signal })).rejects.toThrow('did not arrive');
  });

  it('has the validators of its response, unless they are too long', async () => {
    answers['/a.ics'] = (response) =>
      response.writeHead(200, { ETag: '"one"', 'Last-Modified': 'x'.repeat(501) }).end('text');
    expect(await fetched()).toEqual({ body: Buffer.from('text'), etag: '"one"' });
  });
});
