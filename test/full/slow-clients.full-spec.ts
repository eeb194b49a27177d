import { once } from 'node:events';
import type { Socket } from 'node:net';
import { Controller, Get, Header, Module, Req } from '@nestjs/common';
import type { Request } from 'express';
import { startApp, type TestApp } from '../support/app.js';
import { openRaw } from '../support/raw-socket.js';
import { makeSite, type Site } from '../support/sites.js';

const SIZE = 16 * 1024 ** 2;
/** The server's sockets. */
let sockets: Socket[] = [];

@Controller('large')
class LargeController {
  @Get()
  @Header('Content-Type', 'application/octet-stream')
  large(@Req() { socket }: Request) {
    sockets.push(socket);
    return Buffer.alloc(SIZE);
  }
}

@Module({ controllers: [LargeController] })
class LargePlugin {}

const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

describe('slow clients', () => {
  let site: Site;
  let app: TestApp;
  const open: Socket[] = [];

  beforeAll(async () => {
    site = await makeSite('SQLite');
    app = await startApp({ databaseUrl: site.url, plugins: [LargePlugin] });
  });
  afterAll(async () => {
    for (const socket of open) socket.destroy();
    await app?.close();
    await site?.drop();
  });

  const ask = (text: string) => {
    const { socket, answer } = openRaw(app.url, text);
    open.push(socket);
    return { socket, answer };
  };

  // The number of responses comes from the limiter itself.
  it('are counted, and disconnected when they read nothing for a minute', async () => {
    const { socket } = ask(request('/large'));
    await once(socket, 'data');
    socket.pause();
    expect(sockets.map(({ timeout }) => timeout)).toEqual([60_000]);
  });

  it('get pipelined requests served one at a time, with at most a hundred waiting', async () => {
    sockets = [];
    const { socket } = ask(request('/large').repeat(20));
    await once(socket, 'data');
    socket.pause();
    await once(ask(request('/cal/events/v1/events/53')).socket, 'data');
    expect(sockets).toHaveLength(1);
    const many = ask(request('/cal/events/v1/events/53').repeat(102));
    expect((await many.answer).text.match(/"id":53,/g)?.length ?? 0).toBeLessThan(2);
  });
});
