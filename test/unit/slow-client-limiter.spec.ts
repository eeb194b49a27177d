import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { SlowClientLimiter } from '../../src/http/server/slow-client-limiter.js';

const SIZE = 16 * 1024 ** 2;

/** A server whose answers to `/own` are `SIZE` bytes each, and that sends the same ones to all who ask for anything else. */
async function serve(limits: { bytes: number; time: number }): Promise<Server> {
  const unread = new SlowClientLimiter(limits);
  const shared = Buffer.alloc(SIZE);
  const server = createServer(({ url }, response) => {
    const body = url === '/own' ? Buffer.alloc(SIZE) : shared;
    response.end(body);
    unread.add(body, body.length, response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server;
}

/** Asks, and reads nothing for now. */
async function ask(server: Server, path: string): Promise<Socket> {
  const answered = once(server, 'request');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
  socket.on('error', () => undefined);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
  await answered;
  return socket;
}

/** Reads what is left; how many bytes of a body came. */
async function received(socket: Socket): Promise<number> {
  let bytes = 0;
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  socket.resume();
  await once(socket, 'close');
  return bytes;
}

describe('responses that clients do not read', () => {
  let server: Server;
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  it('disconnect the slowest client when there are too many bytes of them', async () => {
    server = await serve({ bytes: 2 * SIZE, time: 0 });
    const readers = [await ask(server, '/own'), await ask(server, '/own'), await ask(server, '/own')];
    const [first = 0, ...others] = await Promise.all(readers.map(received));
    expect(first).toBeLessThan(SIZE);
    for (const bytes of others) expect(bytes).toBeGreaterThan(SIZE);
    // What was cut off or sent counts no more.
    const later = [await ask(server, '/own'), await ask(server, '/own')];
    for (const bytes of await Promise.all(later.map(received))) expect(bytes).toBeGreaterThan(SIZE);
  });

  it('count once when several clients share them', async () => {
    server = await serve({ bytes: SIZE, time: 0 });
    const readers: Socket[] = [];
    for (let at = 0; at < 5; at++) readers.push(await ask(server, '/'));
    for (const bytes of await Promise.all(readers.map(received))) expect(bytes).toBeGreaterThan(SIZE);
  });

  it('disconnect a client that reads nothing for long', async () => {
    server = await serve({ bytes: SIZE, time: 20 });
    const closed = new Promise<void>((resolve) => {
      server.once('connection', (socket) => socket.once('close', () => resolve()));
    });
    const socket = await ask(server, '/');
    await closed;
    expect(await received(socket)).toBeLessThan(SIZE);
  });
});
