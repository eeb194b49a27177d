import {
  type ArgumentsHost,
  Catch,
  Controller,
  type ExceptionFilter,
  Get,
  Injectable,
  type MiddlewareConsumer,
  Module,
  type PipeTransform,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import type { NextFunction, Request, Response } from 'express';
import { OWN_NAMESPACE } from '../src/config/env.js';
import { RestInterceptor } from '../src/http/rest.interceptor.js';
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
const OTHERS = [
  '/events?context=edit',
  '/events?password=x',
  '/EVENTS',
  '/events/by-slug/%C3%A9t%C3%A9',
  '/events/1x',
];

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

@Catch()
class Teapot implements ExceptionFilter {
  catch(_: unknown, host: ArgumentsHost): void {
    host.switchToHttp().getResponse<Response>().status(418).json({ teapot: true });
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

  it('are answered as others are, from the first time on', async () => {
    const all = async (plugins: Plugin[]) => {
      await start(plugins);
      const found: Awaited<ReturnType<typeof ask>>[] = [];
      for (const path of READS) for (const method of ['GET', 'HEAD']) found.push(await ask(path, {}, method));
      await app?.close();
      return found;
    };
    const direct = await all([]);
    const guarded = await all([WithGuard]);
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

  it('are refused by the filters that there are', async () => {
    await start([WithFilter]);
    expect((await ask('/events/999999')).answer).toMatchObject({ status: 418 });
  });

  it('go the usual way where nothing is kept', async () => {
    await start([], { CACHE: 'off' });
    const { isUsual, answer } = await ask('/events?per_page=1');
    expect([isUsual, answer.status]).toEqual([true, 200]);
  });
});
