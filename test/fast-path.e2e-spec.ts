import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ArgumentsHost,
  Catch,
  Controller,
  type ExceptionFilter,
  Get,
  HttpCode,
  Injectable,
  Module,
  Next,
  Param,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, HttpAdapterHost, RouterModule } from '@nestjs/core';
import type { NextFunction, Request, Response } from 'express';
import { OWN_NAMESPACE } from '../src/config/env.js';
import { Cacheable } from '../src/http/response-cache/cacheable.decorator.js';
import { Metrics } from '../src/observability/metrics/metrics.service.js';
import type { Plugin } from '../src/plugins/plugin.js';
import { startApp, type TestApp } from './support/app.js';
import { rawRequest } from './support/raw-request.js';
import { makeSite, type Site } from './support/sites.js';

/** Anonymous reads that succeed or fail. */
const READS = [
  '/events',
  '/events?start_date=2000-01-01&per_page=3&page=2',
  '/events?page=999',
  '/events?per_page=x&page=0',
  '/events?_fields=total&_envelope',
  '/events?_jsonp=call',
  '/events/?search=a',
  '/events/999999',
  '/events/00000000000000000000000000000000053',
  '/events/by-slug/no-such-event',
  '/venues?per_page=2',
  '/venues/999999?_pretty',
  '/organizers?orderby=title',
  '/categories',
  '/categories/999999',
  '/tags?per_page=1',
  '/doc',
];

@Injectable()
class AllowAllGuard {
  canActivate(): boolean {
    return true;
  }
}

@Module({ providers: [{ provide: APP_GUARD, useClass: AllowAllGuard }] })
class WithGuard {}
@Controller()
class Elsewhere {
  @Get('elsewhere') get() {
    return { elsewhere: true };
  }
  @Get(`${OWN_NAMESPACE}/events/today`) today() {
    return { today: true };
  }
}
@Module({ controllers: [Elsewhere] })
class WithRoutes {}

/** Counts requests to the routes of its module and passes them on. */
@Controller()
class PassingController {
  static calls = 0;

  @Get('{*path}') pass(@Next() next: NextFunction) {
    PassingController.calls += 1;
    next();
  }
}
@Cacheable()
@Controller(`${OWN_NAMESPACE}/halls`)
class Halls {
  @Get() list() {
    return { halls: [] };
  }
}
@Module({ controllers: [PassingController, Halls] })
class WithPassing {}

const traced: MethodDecorator = (_, __, descriptor: PropertyDescriptor) => {
  const { value } = descriptor;
  descriptor.value = function (...args: unknown[]) {
    return Reflect.apply(value, this, args);
  };
};

/** Cacheable, with the paths of a resource. */
@Cacheable()
@Controller(`${OWN_NAMESPACE}/seats`)
class Seats {
  @Get() @HttpCode(203) list() {
    return { seats: [] };
  }
  @Get(':id') get(@Param() params: object) {
    return { params };
  }
  @Get('by-slug/:slug') @traced bySlug(@Param('slug') slug: string) {
    return { slug };
  }
}
@Module({ controllers: [Seats] })
class WithSeats {}

/** Routes at built-in URLs, registered after the built-in ones. */
@Cacheable()
@Controller(`${OWN_NAMESPACE}/events`)
class LateEvents {
  @Get() list() {
    return { late: true };
  }
}
@Module({ controllers: [LateEvents] })
class WithLateRoutes {}
@Module({ imports: [RouterModule.register([{ path: 'elsewhere', module: WithLateRoutes }]), WithLateRoutes] })
class WithRoutesElsewhere {}

/** Routes at built-in URLs, registered before the built-in ones. */
@Module({})
class WithEarlyRoutes {
  constructor(private readonly host: HttpAdapterHost) {}

  configure(): void {
    const { httpAdapter } = this.host;
    const early = (_: Request, response: Response) => response.set('X-Early', 'yes').json({ early: true });
    httpAdapter.get(`/${OWN_NAMESPACE}/tags`, early);
    httpAdapter.all(`/${OWN_NAMESPACE}/venues`, early);
  }
}

@Catch()
class Teapot implements ExceptionFilter {
  catch(_: unknown, host: ArgumentsHost): void {
    const { params, route } = host.switchToHttp().getRequest<Request>();
    host.switchToHttp().getResponse<Response>().status(418).json({ params, path: route?.path });
  }
}
@Module({ providers: [{ provide: APP_FILTER, useClass: Teapot }] })
class WithFilter {}

describe('the fast path', () => {
  let site: Site;
  let app: TestApp | undefined;

  beforeAll(async () => {
    site = await makeSite('SQLite');
  });
  afterAll(() => site.drop());

  const start = async (plugins: Plugin[] = []) => {
    app = await startApp({ databaseUrl: site.url, plugins, clockStands: true });
    return app;
  };
  afterEach(async () => {
    jest.restoreAllMocks();
    await app?.close();
    app = undefined;
  });

  const fetchResponse = async (path: string, method = 'GET') => {
    const sent = { method, path: `/${OWN_NAMESPACE}${path}` };
    const { status, headers, text } = await rawRequest(app?.url ?? '', sent);
    const { 'x-request-id': _, date: __, ...others } = headers;
    return { path, method, status, headers: others, text };
  };

  /** Responses of a server with these plugins: first from Nest, then from the fast path where it applies. */
  const respondTwice = async (paths: readonly string[], plugins: Plugin[]) => {
    await start(plugins);
    const found: Awaited<ReturnType<typeof fetchResponse>>[] = [];
    for (const path of paths)
      for (const method of ['GET', 'HEAD', 'GET', 'HEAD']) found.push(await fetchResponse(path, method));
    await app?.close();
    return found;
  };

  it('sends the same responses as Nest', async () => {
    const [stock, guarded] = [await respondTwice(READS, []), await respondTwice(READS, [WithGuard])];
    expect(stock).toEqual(guarded);
    expect(new Set(stock.map(({ status }) => status))).toEqual(new Set([200, 400, 404]));
  });

  it.each([
    ['of its own', WithSeats, ['/seats', '/seats/5', '/seats/by-slug/a1']],
    ['at other URLs', WithRoutes, ['/events?per_page=1', '/events/today']],
    ['at built-in URLs, after the built-in ones', WithLateRoutes, ['/events?_fields=total']],
    ['at other URLs, also with built-in paths', WithRoutesElsewhere, ['/events?_fields=total']],
    ['at built-in URLs, before the built-in ones', WithEarlyRoutes, ['/venues', '/tags']],
  ])('sends the same responses as Nest when a plugin has routes %s', async (_, plugin, paths) => {
    expect(await respondTwice(paths, [plugin])).toEqual(await respondTwice(paths, [plugin, WithGuard]));
  });

  it("leaves URLs to a plugin's handler that calls next()", async () => {
    await start([WithPassing]);
    for (let calls = 1; calls <= 3; calls++) {
      expect((await fetchResponse('/halls')).text).toBe('{"halls":[]}');
      expect(PassingController.calls).toBe(calls);
    }
  });

  it('counts requests by the same routes as Nest, also while the REST interface is disabled', async () => {
    const option = "option_name = 'tribe_events_calendar_options'";
    const countedRoutes = async (plugins: Plugin[], options?: string) => {
      const { nest, dataSource } = await start(plugins);
      const [{ value }] = await dataSource.query(
        `SELECT option_value AS value FROM wp_options WHERE ${option}`,
      );
      const set = (to: string) =>
        dataSource.query(`UPDATE wp_options SET option_value = ? WHERE ${option}`, [to]);
      if (options !== undefined) {
        await set(options);
        while ((await fetchResponse('/events')).status !== 404) await sleep(20);
      }
      const count = jest.spyOn(nest.get(Metrics), 'countRequest');
      for (const path of [...READS, ...READS]) await fetchResponse(path);
      await set(value);
      await app?.close();
      return count.mock.calls.map(([method, route, status]) => [method, route, status]);
    };
    for (const options of [undefined, 'a:1:{s:16:"rest-v1-disabled";b:1;}'])
      expect(await countedRoutes([], options)).toEqual(await countedRoutes([WithGuard], options));
  });

  it('leaves exceptions to exception filters of plugins', async () => {
    const paths = ['/events/999999', '/events/by-slug/none-such', '/events?page=99', '/events/nothing'];
    const [stock, guarded] = [
      await respondTwice(paths, [WithFilter]),
      await respondTwice(paths, [WithFilter, WithGuard]),
    ];
    expect(stock).toEqual(guarded);
    expect(new Set(stock.map(({ status }) => status))).toEqual(new Set([418]));
  });
});
