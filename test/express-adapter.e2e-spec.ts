import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Controller, Get, Module, Req } from '@nestjs/common';
import type { Request } from 'express';
import { startApp, type TestApp } from './support/app.js';
import { makeSite, type Site } from './support/sites.js';

@Controller('asked')
class EchoController {
  @Get()
  reportRequest(@Req() request: Request) {
    return {
      ip: request.ip,
      type: request.accepts(['html', 'json']),
      isOfApp: request.app === request.res?.app,
    };
  }
}

@Module({ controllers: [EchoController] })
class EchoPlugin {}

describe('the Express adapter', () => {
  let site: Site;
  let app: TestApp;

  beforeAll(async () => {
    site = await makeSite('SQLite');
    app = await startApp({ databaseUrl: site.url, plugins: [EchoPlugin] });
  });
  afterAll(async () => {
    await app?.close();
    await site?.drop();
  });

  it("creates requests and responses with Express's prototypes", async () => {
    const express = app.nest.getHttpAdapter().getInstance();
    const hasExpressPrototype: unknown[] = [];
    const inspect = (request: IncomingMessage, response: ServerResponse) => {
      const [first, second] = [request, response].map((one) => Object.getPrototypeOf(one));
      hasExpressPrototype.push(first === express.request, second === express.response);
    };
    const server: Server = app.nest.getHttpServer();
    server.prependListener('request', inspect);
    const { status } = await fetch(`${app.url}/cal/events/v1/venues?per_page=3`);
    server.off('request', inspect);
    expect([status, ...hasExpressPrototype]).toEqual([200, true, true]);
  });

  it("preserves Express's request API", async () => {
    const reply = await fetch(`${app.url}/asked`, { headers: { Accept: 'application/json' } });
    expect(await reply.json()).toEqual({ ip: '127.0.0.1', type: 'json', isOfApp: true });
  });
});
