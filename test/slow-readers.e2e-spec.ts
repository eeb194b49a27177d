import { once } from 'node:events';
import type { Socket } from 'node:net';
import { Controller, Get, Header, Module } from '@nestjs/common';
import { startApp, type TestApp } from './support/app.js';
import { openRaw } from './support/raw-socket.js';
import { makeSite, type Site } from './support/sites.js';

const SIZE = 16 * 1024 ** 2;
let asked = 0;

@Controller('large')
class LargeController {
  @Get()
  @Header('Content-Type', 'application/octet-stream')
  large() {
    asked += 1;
    return Buffer.alloc(SIZE);
  }
}

@Module({ controllers: [LargeController] })
class LargePlugin {}

const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

describe('readers that are slow', () => {
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

  it('do not keep more than 128 MB: who is slow for longest is cut off', async () => {
    const first = ask(request('/large'));
    // Who has read nothing but the beginning.
    await once(first.socket, 'data');
    first.socket.pause();
    for (let others = 0; others < 8; others++) {
      const { socket } = ask(request('/large'));
      await once(socket, 'data');
      socket.pause();
    }
    first.socket.resume();
    const { status, text } = await first.answer;
    expect(status).toBe(200);
    expect(text.length).toBeLessThan(SIZE);
  });

  it('who sends many requests at once has one answered at a time, and no more than a hundred wait', async () => {
    asked = 0;
    const { socket } = ask(request('/large').repeat(20));
    await once(socket, 'data');
    socket.pause();
    await once(ask(request('/cal/events/v1/events/53')).socket, 'data');
    expect(asked).toBe(1);
    const many = ask(request('/cal/events/v1/events/53').repeat(102));
    expect((await many.answer).text.match(/"id":53,/g)?.length ?? 0).toBeLessThan(2);
  });
});
