import type { AddressInfo } from 'node:net';
import {
  type ArgumentsHost,
  type CallHandler,
  type CanActivate,
  Catch,
  Controller,
  type ExecutionContext,
  Get,
  HttpException,
  Module,
  NotFoundException,
  UseGuards,
} from '@nestjs/common';
import { APP_FILTER, APP_INTERCEPTOR, BaseExceptionFilter } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { createServer, forbidden, OWN_NAMESPACE, type Plugin, RateLimiter, readEnvironment } from 'almanac';
import type { Response } from 'express';
import { catchError, type Observable } from 'rxjs';
import { makeSite, type Site } from './support/sites.js';

class Closed implements CanActivate {
  canActivate(): boolean {
    throw forbidden('The hall is closed.', 'hall_closed');
  }
}

@Controller('halls')
class HallsController {
  @Get('none')
  none() {
    throw new NotFoundException('No such hall.');
  }

  @Get('closed')
  @UseGuards(Closed)
  closed() {}

  @Get('fire')
  fire() {
    throw new Error('fire');
  }
}

const seen: unknown[] = [];

/** Records the exception and leaves the response to Nest, as error reporters do. */
@Catch()
class ReportingFilter extends BaseExceptionFilter {
  override catch(thrown: unknown, host: ArgumentsHost): void {
    seen.push(thrown);
    super.catch(thrown, host);
  }
}

/** Filters HttpException as Nest's documentation shows. */
@Catch(HttpException)
class WrappingFilter {
  catch(thrown: HttpException, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<Response>();
    response.status(thrown.getStatus()).json({ failed: thrown.getResponse() });
  }
}

class RecordingInterceptor {
  intercept(_: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(
      catchError((thrown) => {
        seen.push(thrown);
        throw thrown;
      }),
    );
  }
}

/** Redirects every 404 to one page. */
@Catch(NotFoundException)
class RedirectingFilter {
  catch(_: NotFoundException, host: ArgumentsHost): void {
    host.switchToHttp().getResponse<Response>().redirect('/elsewhere');
  }
}

@Controller(`${OWN_NAMESPACE}/halls`)
class OurHallsController {
  @Get('till')
  till() {
    throw new HttpException(Object.assign(new Error('refused'), { config: { key: 'secret' } }), 502);
  }

  @Get('round')
  round() {
    const body = { body: {} };
    throw new HttpException(Object.assign(body, { body }), 400);
  }
}

@Module({ controllers: [HallsController, OurHallsController] })
class HallsModule {}

/** Replaces the rate limiter by a fixed wait or error. */
class FixedRateLimiter {
  static fault?: Error;
  static readonly replaces = [
    {
      provide: RateLimiter,
      useValue: {
        begin: async () => {
          if (FixedRateLimiter.fault) throw FixedRateLimiter.fault;
          return { secondsToWait: 30, forgive: async () => undefined };
        },
      },
    },
  ];
}

const withProvider = (provide: string, useClass: Plugin): Plugin => ({
  module: class Further {},
  providers: [{ provide, useClass: useClass as never }],
});

const WRONG = { Authorization: `Basic ${btoa('nobody:wrong')}` };
const REJECTED_REQUESTS: [path: string, init?: RequestInit][] = [
  [`/${OWN_NAMESPACE}/events?per_page=x`],
  [`/${OWN_NAMESPACE}/events/999999`],
  [`/${OWN_NAMESPACE}/events`, { method: 'POST' }],
  [`/${OWN_NAMESPACE}/events/1`, { method: 'DELETE' }],
  [`/${OWN_NAMESPACE}/none`],
  [`/${OWN_NAMESPACE}/events`, { headers: WRONG }],
  [`/${OWN_NAMESPACE}/events?_jsonp=a-b`],
  ['/wp/v2/users/me', { headers: { Origin: 'https://example.org' } }],
];

describe('exceptions in filters and interceptors of a plugin', () => {
  let site: Site;
  const servers: NestExpressApplication[] = [];
  beforeAll(async () => {
    site = await makeSite('SQLite');
  });
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close();
  });
  afterAll(() => site?.drop());

  async function start(...plugins: Plugin[]) {
    const env = readEnvironment({ DATABASE_URL: site.url, SCHEDULER: 'off' });
    const app = await createServer({ env, plugins: [HallsModule, ...plugins], logger: false });
    servers.push(app);
    await app.listen(0, '127.0.0.1');
    const { port } = app.getHttpServer().address() as AddressInfo;
    return async (path: string, init?: RequestInit) => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
      const { 'x-request-id': _, date: __, ...headers } = Object.fromEntries(response.headers);
      return { status: response.status, headers, text: await response.text() };
    };
  }

  it('get the same response from a filter that extends BaseExceptionFilter', async () => {
    const [plain, filtered] = [
      await start(),
      await start(withProvider(APP_FILTER, ReportingFilter as never)),
    ];
    seen.length = 0;
    for (const [path, init] of REJECTED_REQUESTS)
      expect([path, await filtered(path, init)]).toEqual([path, await plain(path, init)]);
    expect(seen).toHaveLength(REJECTED_REQUESTS.length);
    for (const thrown of seen) expect(thrown).toBeInstanceOf(HttpException);
    const exceptions = seen as HttpException[];
    expect(exceptions.map((one) => one.getStatus())).toEqual([400, 404, 400, 401, 404, 401, 400, 401]);
    expect((await filtered('/halls/none')).text).toBe(
      '{"message":"No such hall.","error":"Not Found","statusCode":404}',
    );
    expect((await filtered('/halls/fire')).text).toBe('{"statusCode":500,"message":"Internal server error"}');
    expect(await filtered('/nowhere')).toMatchObject({ status: 404 });
  });

  it('get the same headers from such a filter when thrown before any handler', async () => {
    const ask = await start(FixedRateLimiter);
    const filtered = await start(FixedRateLimiter, withProvider(APP_FILTER, ReportingFilter as never));
    const list = `/${OWN_NAMESPACE}/events`;
    for (const [fault, status, wait] of [
      [undefined, 429, '30'],
      [Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }), 503, '1'],
    ] as const) {
      FixedRateLimiter.fault = fault;
      const reply = await filtered(list, { headers: WRONG });
      expect([reply.status, reply.headers['retry-after']]).toEqual([status, wait]);
      expect(reply).toEqual(await ask(list, { headers: WRONG }));
    }
  });

  it('with an Error or a cycle as their body reveal no secret and leave the server running', async () => {
    const filtered = await start(withProvider(APP_FILTER, ReportingFilter as never));
    const till = await filtered(`/${OWN_NAMESPACE}/halls/till`);
    expect([till.status, till.text.includes('secret')]).toEqual([502, false]);
    expect(await filtered(`/${OWN_NAMESPACE}/halls/round`)).toMatchObject({ status: 500 });
  });

  it('reach a NotFoundException filter for paths without a route', async () => {
    const ask = await start(withProvider(APP_FILTER, RedirectingFilter as never));
    for (const path of ['/nowhere', `/${OWN_NAMESPACE}/nowhere`])
      expect(await ask(path, { redirect: 'manual' })).toMatchObject({
        status: 302,
        headers: { location: '/elsewhere' },
      });
    expect(await ask(`/${OWN_NAMESPACE}/events/999999`)).toMatchObject({ status: 404 });
  });

  it('reach an HttpException filter with status and recorded body', async () => {
    const ask = await start(withProvider(APP_FILTER, WrappingFilter as never));
    const missing = await ask(`/${OWN_NAMESPACE}/events/999999`);
    expect([missing.status, JSON.parse(missing.text)]).toEqual([
      404,
      { failed: { code: 'rest-event-not-found', message: expect.any(String), data: { status: 404 } } },
    ]);
    const closed = await ask('/halls/closed');
    expect([closed.status, JSON.parse(closed.text)]).toEqual([
      401,
      { failed: { code: 'hall_closed', message: 'The hall is closed.', data: { status: 401 } } },
    ]);
    const nowhere = await ask('/nowhere');
    expect([nowhere.status, JSON.parse(nowhere.text).failed.code]).toEqual([404, 'rest_no_route']);
  });

  it('reach an interceptor with the recorded body', async () => {
    const ask = await start(withProvider(APP_INTERCEPTOR, RecordingInterceptor as never));
    seen.length = 0;
    const { text } = await ask(`/${OWN_NAMESPACE}/events`, { method: 'POST' });
    const [thrown] = seen as HttpException[];
    expect(seen).toHaveLength(1);
    expect(thrown).toBeInstanceOf(HttpException);
    expect(thrown?.getResponse()).toEqual(JSON.parse(text));
  });
});
