import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ArgumentsHost,
  Catch,
  Controller,
  type ExceptionFilter,
  Get,
  HttpCode,
  Injectable,
  type MiddlewareConsumer,
  Module,
  Param,
  type PipeTransform,
} from '@nestjs/common';
import {
  APP_FILTER,
  APP_GUARD,
  APP_INTERCEPTOR,
  APP_PIPE,
  HttpAdapterHost,
  RouterModule,
} from '@nestjs/core';
import type { NextFunction, Request, Response } from 'express';
import { OWN_NAMESPACE } from '../src/config/env.js';
import { Cacheable } from '../src/http/response-cache/cacheable.decorator.js';
import { RestInterceptor } from '../src/http/rest.interceptor.js';
import { Metrics } from '../src/observability/metrics/metrics.service.js';
import type { Plugin } from '../src/plugins/plugin.js';
import { startApp, type TestApp } from './support/app.js';
import { credentials } from './support/calendar-client.js';
import { rawRequest } from './support/raw-request.js';
import { makeSite, type Site } from './support/sites.js';

/** What anybody may ask, found or refused. */
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

/** What has to go the way of all others, whoever asks. */
const OTHERS = ['/EVENTS', '/events/by-slug/%C3%A9t%C3%A9', '/events/1x'];

@Injectable()
class Anybody {
  canActivate(): boolean {
    return true;
  }
}

@Injectable()
class Unchanged implements PipeTransform {
  transform(value: unknown): unknown {
    return value;
  }
}

@Injectable()
class PassingOn {
  intercept(_: unknown, next: { handle(): unknown }): unknown {
    return next.handle();
  }
}

@Module({ providers: [{ provide: APP_GUARD, useClass: Anybody }] })
class WithGuard {}
@Module({ providers: [{ provide: APP_PIPE, useClass: Unchanged }] })
class WithPipe {}
@Module({ providers: [{ provide: APP_INTERCEPTOR, useClass: PassingOn }] })
class WithInterceptor {}
@Module({})
class WithMiddleware {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply((_: Request, __: Response, next: NextFunction) => next()).forRoutes('elsewhere');
  }
}

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

const traced: MethodDecorator = (_, __, descriptor: PropertyDescriptor) => {
  const { value } = descriptor;
  descriptor.value = function (...args: unknown[]) {
    return Reflect.apply(value, this, args);
  };
};

/** Kept, by the paths of a resource. */
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

/** At addresses of ours, behind ours. */
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

/** At addresses of ours, before ours. */
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

describe('reads that nobody else has a say in', () => {
  let site: Site;
  let app: TestApp | undefined;
  let usual: jest.SpyInstance;

  beforeAll(async () => {
    site = await makeSite('SQLite');
  });
  afterAll(() => site.drop());

  const start = async (plugins: Plugin[] = [], env: Record<string, string> = {}) => {
    app = await startApp({ databaseUrl: site.url, plugins, env, clockStands: true });
    usual = jest.spyOn(RestInterceptor.prototype, 'intercept');
    return app;
  };
  afterEach(async () => {
    jest.restoreAllMocks();
    await app?.close();
    app = undefined;
  });

  /** Answers, and whether they went the way of all others. */
  const ask = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
    usual.mockClear();
    const sent = { method, path: `/${OWN_NAMESPACE}${path}`, headers };
    const { status, headers: all, text } = await rawRequest(app?.url ?? '', sent);
    const { 'x-request-id': _, date: __, ...others } = all;
    return {
      isUsual: usual.mock.calls.length > 0,
      answer: { path, method, status, headers: others, text },
    };
  };

  /** Answers to GET and HEAD of a server with these plugins. */
  const all = async (paths: readonly string[], plugins: Plugin[]) => {
    await start(plugins);
    const found: Awaited<ReturnType<typeof ask>>[] = [];
    for (const path of paths) for (const method of ['GET', 'HEAD']) found.push(await ask(path, {}, method));
    await app?.close();
    return found;
  };

  it('are answered as others are, from the first time on', async () => {
    const direct = await all(READS, []);
    const guarded = await all(READS, [WithGuard]);
    expect(direct.filter(({ isUsual }) => isUsual)).toEqual([]);
    expect(direct.map(({ answer }) => answer)).toEqual(guarded.map(({ answer }) => answer));
    expect(new Set(direct.map(({ answer }) => answer.status))).toEqual(new Set([200, 400, 404]));
  });

  it('go the usual way where they say who asks, or are no plain paths', async () => {
    await start();
    for (const path of OTHERS) expect([path, (await ask(path)).isUsual]).toEqual([path, true]);
    expect((await ask('/events?per_page=1', credentials('admin'))).isUsual).toBe(true);
    expect((await ask('/events?_wpnonce=0')).answer).toMatchObject({ status: 403 });
  });

  it.each([
    ['a guard', WithGuard],
    ['a pipe', WithPipe],
    ['an interceptor', WithInterceptor],
    ['middleware, wherever it is', WithMiddleware],
  ])('go the usual way where a plugin has %s', async (_, plugin) => {
    await start([plugin]);
    const { isUsual, answer } = await ask('/events?per_page=1');
    expect([isUsual, answer.status]).toEqual([true, 200]);
  });

  it('are what they were beside routes of plugins, which answer where they did', async () => {
    await start([WithRoutes]);
    const [list, today] = [await ask('/events?per_page=1'), await ask('/events/today')];
    expect([list.isUsual, list.answer.status]).toEqual([false, 200]);
    // Ours stand before it.
    expect([today.isUsual, today.answer.status]).toEqual([true, 404]);
  });

  it.each([
    ['of its own', WithSeats, ['/seats', '/seats/5', '/seats/by-slug/a1']],
    ['at addresses of ours, behind ours', WithLateRoutes, ['/events?_fields=total']],
    ['elsewhere, by the words of ours', WithRoutesElsewhere, ['/events?_fields=total']],
    ['at addresses of ours, before ours', WithEarlyRoutes, ['/venues', '/tags']],
  ])('are what they are the usual way where a plugin has routes %s', async (_, plugin, paths) => {
    const [direct, guarded] = [await all(paths, [plugin]), await all(paths, [plugin, WithGuard])];
    expect(direct.map(({ answer }) => answer)).toEqual(guarded.map(({ answer }) => answer));
  });

  it('are counted by the routes that others are counted by, also while the interface is switched off', async () => {
    const option = "option_name = 'tribe_events_calendar_options'";
    const counted = async (plugins: Plugin[], options?: string) => {
      const { nest, dataSource } = await start(plugins);
      const [{ value }] = await dataSource.query(
        `SELECT option_value AS value FROM wp_options WHERE ${option}`,
      );
      const set = (to: string) =>
        dataSource.query(`UPDATE wp_options SET option_value = ? WHERE ${option}`, [to]);
      if (options !== undefined) {
        await set(options);
        while ((await ask('/events')).answer.status !== 404) await sleep(20);
      }
      const count = jest.spyOn(nest.get(Metrics), 'countRequest');
      for (const path of READS) await ask(path);
      await set(value);
      await app?.close();
      return count.mock.calls.map(([method, route, status]) => [method, route, status]);
    };
    for (const options of [undefined, 'a:1:{s:16:"rest-v1-disabled";b:1;}'])
      expect(await counted([], options)).toEqual(await counted([WithGuard], options));
  });

  it('are refused by the filters that there are', async () => {
    const refused = ['/events/999999', '/events/by-slug/none-such', '/events?page=99', '/events/nothing'];
    const [direct, guarded] = [await all(refused, [WithFilter]), await all(refused, [WithFilter, WithGuard])];
    expect(direct.map(({ answer }) => answer)).toEqual(guarded.map(({ answer }) => answer));
    expect(new Set(direct.map(({ answer }) => answer.status))).toEqual(new Set([418]));
  });

  it('go the usual way where nothing is kept', async () => {
    await start([], { CACHE: 'off' });
    const { isUsual, answer } = await ask('/events?per_page=1');
    expect([isUsual, answer.status]).toEqual([true, 200]);
  });
});
