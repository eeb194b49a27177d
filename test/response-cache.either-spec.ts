import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CallHandler,
  type CanActivate,
  type ExecutionContext,
  Injectable,
  type MiddlewareConsumer,
  Module,
  type NestInterceptor,
  RequestMethod,
} from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import type { NextFunction, Request, Response } from 'express';
import type { Observable } from 'rxjs';
import { Hooks } from '../src/common/hooks/hooks.js';
import { OWN_NAMESPACE } from '../src/config/env.js';
import type { Plugin } from '../src/plugins/plugin.js';
import { EventsController } from '../src/resources/events/events.controller.js';
import { startApp, type TestApp } from './support/app.js';
import { credentials } from './support/calendar-client.js';
import { rawRequest } from './support/raw-request.js';
import { retry } from './support/retry.js';
import { type DatabaseName, describeEither, makeSite, type Site } from './support/sites.js';

const ALL = '/events?start_date=2000-01-01&per_page=50';
/** Milliseconds after which a poll of the tables is no longer valid. */
const POLL_VALIDITY_MS = 950;

/** Number of calls of the plugin's guard, interceptor, middleware or filter. */
let callCount = 0;

@Injectable()
class HeaderGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    callCount += 1;
    return context.switchToHttp().getRequest<Request>().headers['x-blocked'] === undefined;
  }
}

@Injectable()
class CountingInterceptor implements NestInterceptor {
  intercept(_: ExecutionContext, next: CallHandler): Observable<unknown> {
    callCount += 1;
    return next.handle();
  }
}

@Module({ providers: [{ provide: APP_GUARD, useClass: HeaderGuard }] })
class GuardPlugin {}

@Module({ providers: [{ provide: APP_INTERCEPTOR, useClass: CountingInterceptor }] })
class InterceptorPlugin {}

function blocking(request: Request, response: Response, next: NextFunction): void {
  callCount += 1;
  if (request.headers['x-blocked'] === undefined) next();
  else response.status(418).end();
}

@Module({})
class MiddlewarePlugin {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(blocking).forRoutes('{*path}');
  }
}

/** Nest registers it among the routes. */
@Module({})
class MethodMiddlewarePlugin {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(blocking).forRoutes({ path: `${OWN_NAMESPACE}/*path`, method: RequestMethod.GET });
  }
}

@Module({})
class ControllerMiddlewarePlugin {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(blocking).forRoutes(EventsController);
  }
}

/** Its filter changes the venue with every call. */
@Module({})
class HookPlugin {
  constructor(hooks: Hooks) {
    hooks.addFilter('rest_prepare_tribe_venue', (json: object) => {
      callCount += 1;
      return { ...json, calls: callCount };
    });
  }
}

describeEither('cached responses', (database) => {
  let site: Site;
  let app: TestApp;

  const get = (path: string, headers: Record<string, string> = {}) =>
    rawRequest(app.url, { path: `/${OWN_NAMESPACE}${path}`, headers });
  /** Sends a request and counts its statements, without polls for changes. */
  const measure = async (path: string, headers?: Record<string, string>) => {
    app.statements();
    const reply = await get(path, headers);
    return { ...reply, statements: app.statements().sql.length };
  };
  /** Waits until successive polls agree that nothing has changed. */
  const settle = () => sleep(database !== 'SQLite' ? 3200 : POLL_VALIDITY_MS);

  beforeAll(async () => {
    site = await makeSite(database);
    app = await startApp({ databaseUrl: site.url });
    await settle();
  });
  afterAll(async () => {
    await app?.close();
    await site?.drop();
  });

  describe('while nothing changes', () => {
    it('are rendered once for all origins', async () => {
      await get(ALL, { origin: 'https://b.example' });
      const { first, again } = await retry(async () => {
        const first = await get(ALL);
        const again = await measure(ALL, { origin: 'https://a.example' });
        expect(again.statements).toBe(0);
        return { first, again };
      });
      expect(again.text).toBe(first.text);
      expect(again.headers.etag).toBe(first.headers.etag);
      expect(again.headers['access-control-allow-origin']).toBe('https://a.example');
      expect(first.headers['access-control-allow-origin']).toBeUndefined();
      expect([first.headers.vary, first.headers['cache-control']]).toEqual([
        'Origin, Accept-Encoding',
        'no-cache',
      ]);
    });

    it('are shared by URLs that differ only in unknown parameters or in order', async () => {
      const others = [
        '/events?start_date=2000-01-01&per_page=3&_=77',
        '/events?unknown[]=1&start_date=2000-01-01&per_page=3',
      ];
      for (const path of others)
        await retry(async () => {
          const { text } = await get('/events?per_page=3&start_date=2000-01-01');
          expect(await measure(path)).toMatchObject({ statements: 0, text });
        });
    });

    it('are separate for each format parameter', async () => {
      const shapes = ['_fields=events.id', '_envelope=1', '_pretty=1', '_jsonp=call', 'page=2', ''];
      const texts = [];
      for (const shape of shapes) {
        const path = `/events?start_date=2000-01-01&per_page=3&${shape}`;
        const { text } = await get(path);
        expect((await get(path)).text).toBe(text);
        texts.push(text);
      }
      expect(new Set(texts).size).toBe(shapes.length);
    });

    it.each(['GET', 'HEAD'])(
      'respond to GET with 304 for a known ETag and to HEAD with the same headers: %s',
      async (method) => {
        const { headers } = await get(ALL);
        const etag = String(headers.etag);
        expect(etag).toMatch(/^"[\w-]{27}"$/);
        if (method === 'HEAD') {
          const head = await rawRequest(app.url, { method, path: `/${OWN_NAMESPACE}${ALL}` });
          expect([head.status, head.text, head.headers['x-tec-total']]).toEqual([
            200,
            '',
            headers['x-tec-total'],
          ]);
          return;
        }
        for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*', etag.replace(/"$/, '-br"')]) {
          const reply = await get(ALL, { 'if-none-match': known });
          expect([known, reply.status, reply.text, reply.headers.etag]).toEqual([known, 304, '', etag]);
          expect(reply.headers.vary).toBe('Origin, Accept-Encoding');
        }
        expect((await get(ALL, { 'if-none-match': '"other"' })).status).toBe(200);
      },
    );

    it('are compressed by Accept-Encoding after repeated requests', async () => {
      const { text, headers } = await get(ALL);
      for (const [accepts, encoding] of [
        ['gzip, deflate, br', 'br'],
        ['gzip;q=0.5', 'gzip'],
        ['br;q=0, gzip', 'gzip'],
      ] as const) {
        let reply = await fetch(`${app.url}/${OWN_NAMESPACE}${ALL}`, {
          headers: { 'accept-encoding': accepts },
        });
        while (!reply.headers.has('content-encoding')) {
          await reply.arrayBuffer();
          await sleep(20);
          reply = await fetch(reply.url, { headers: { 'accept-encoding': accepts } });
        }
        expect(reply.headers.get('content-encoding')).toBe(encoding);
        expect(reply.headers.get('etag')).toBe(String(headers.etag).replace(/"$/, `-${encoding}"`));
        expect(Number(reply.headers.get('content-length'))).toBeLessThan(text.length / 3);
        expect(await reply.text()).toBe(text);
      }
      const plain = await get(ALL, { 'accept-encoding': 'br;q=0, gzip;q=0.0, identity' });
      expect([plain.headers['content-encoding'], plain.text]).toEqual([undefined, text]);
    });

    it('of lists equal uncached ones when assembled from cached records', async () => {
      const whole = JSON.parse((await get(ALL)).text) as { events: { id: number }[] };
      for (const perPage of [1, 3, 50]) {
        const path = `/events?start_date=1999-01-0${perPage % 7}&per_page=${perPage}`;
        const { text, headers } = await measure(path);
        const fresh = await get(path, credentials('subscriber'));
        const others = (json: string) => ({ ...(JSON.parse(json) as object), events: undefined });
        expect(others(text)).toEqual(others(fresh.text));
        expect((JSON.parse(text) as typeof whole).events).toEqual(whole.events.slice(0, perPage));
        expect(headers['content-length']).toBe(String(text.length));
        const picked = await get(`${path}&_fields=events`);
        expect(JSON.parse(picked.text)).toEqual({ events: whole.events.slice(0, perPage) });
      }
    });

    it('of events embed cached venues only for users who may read them', async () => {
      const { events } = JSON.parse((await get(ALL)).text) as {
        events: { id: number; venue: { id?: number } }[];
      };
      const { id, venue } = events.find((event) => event.venue.id !== undefined) ?? {};
      const venueIdOf = async (who?: Record<string, string>) =>
        (JSON.parse((await get(`/events/${id}`, who)).text) as { venue: { id?: number } }).venue.id;
      const setStatus = async (status: string) => {
        await app.dataSource.query('UPDATE wp_posts SET post_status = ? WHERE ID = ?', [status, venue?.id]);
        await settle();
      };
      const reads = async () => {
        app.statements();
        expect(await venueIdOf(credentials('admin'))).toBe(venue?.id);
        return app.statements().sql.filter((text) => /p\.post_content AS content, p\.post_title/.test(text))
          .length;
      };
      // The first use of a password is stored, which changes a table.
      await venueIdOf(credentials('admin'));
      await settle();
      await venueIdOf(credentials('admin'));
      // The only remaining read is that of the event.
      const readsNoVenue = () => retry(async () => expect(await reads()).toBe(1));
      await readsNoVenue();
      await setStatus('private');
      expect(await reads()).toBe(2);
      await readsNoVenue();
      expect(await venueIdOf()).toBeUndefined();
      await setStatus('publish');
      expect(await venueIdOf()).toBe(venue?.id);
    });

    it('are rendered at most once for a hundred concurrent requests', async () => {
      let day = 0;
      await retry(async () => {
        const path = `/events?start_date=2001-02-0${++day}&per_page=20`;
        app.statements();
        const replies = await Promise.all(Array.from({ length: 100 }, () => get(path)));
        expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
        const lists = app.statements().sql.filter((text) => text.includes('COUNT(*) AS total'));
        expect(lists.length).toBeLessThanOrEqual(1);
      });
    });
  });

  describe('of anonymous requests', () => {
    it('are cached for _method=GET with the same headers each time', async () => {
      const headRequest = { method: 'HEAD', path: `/${OWN_NAMESPACE}${ALL}&_method=GET` };
      for (let time = 0; time < 3; time++) {
        const { status, headers } = await rawRequest(app.url, headRequest);
        expect([status, headers.vary, headers.etag]).toEqual([
          200,
          'Origin, Accept-Encoding',
          expect.any(String),
        ]);
      }
    });

    it('are not sent to authenticated users or for a valid post password', async () => {
      await get(ALL);
      for (const caller of ['subscriber', 'admin'] as const) {
        const reply = await measure(ALL, credentials(caller));
        expect(reply.statements).toBeGreaterThan(3);
        expect(reply.headers.etag).toBeUndefined();
        expect(reply.headers['cache-control']).toContain('no-store');
      }
      const [{ password }] = await app.dataSource.query(
        "SELECT post_password AS password FROM wp_posts WHERE post_password <> ''",
      );
      await get(`${ALL}&password=${password}`);
      const opened = await measure(`${ALL}&password=${password}`);
      expect([opened.statements > 3, opened.headers.etag]).toEqual([true, undefined]);
    });

    it('are not cached for errors', async () => {
      for (const path of ['/events/9999999', '/events?page=abc', '/events?page=9999']) {
        const reply = await get(path);
        expect([path, reply.status >= 400, reply.headers.etag]).toEqual([path, true, undefined]);
      }
    });

    it.each([
      { 'x-http-method-override': 'DELETE' },
      { 'x-wp-nonce': 'bad' },
      { authorization: 'Basic bm9ib2R5Om5vdGhpbmc=' },
      { 'content-type': 'application/json', 'content-length': '13', body: '{"page":"no"}' },
    ])('are not sent before %j is checked', async (sending: Partial<Record<string, string>>) => {
      const { body, ...headers } = sending as Record<string, string>;
      await get('/events/53');
      await get(ALL);
      const sent = { path: `/${OWN_NAMESPACE}${ALL}`, headers, body };
      const reply = await rawRequest(app.url, sent);
      expect([reply.status >= 400, reply.headers.etag]).toEqual([true, undefined]);
    });
  });

  describe('with changed dependencies', () => {
    const title = async (id: number) => {
      const { text } = await get(`/venues/${id}`);
      return (JSON.parse(text) as { venue: string }).venue;
    };
    const venueId = async () => {
      const { text } = await get('/venues?per_page=1');
      return (JSON.parse(text) as { venues: { id: number }[] }).venues[0]?.id ?? 0;
    };

    it('have the same ETag for the same bytes, whatever the server rendered before', async () => {
      const year = '/events?start_date=2090-01-01&end_date=2090-12-31';
      // Galleries are numbered within a response, so these two depend on each other.
      for (const [at, description] of ['Plain.', '[gallery ids="4"]', '[gallery ids="4"]'].entries()) {
        const date = `2090-03-0${at + 1} 10:00:00`;
        const sent = { title: `Kept ${at}`, description, start_date: date, end_date: date };
        const created = await rawRequest(app.url, {
          method: 'POST',
          path: `/${OWN_NAMESPACE}/events`,
          headers: { ...credentials('admin'), 'content-type': 'application/json' },
          body: JSON.stringify(sent),
        });
        expect(created.status).toBe(201);
      }
      await settle();
      const first = await get(year);
      const other = await startApp({ databaseUrl: site.url });
      try {
        const ask = (path: string) => rawRequest(other.url, { path: `/${OWN_NAMESPACE}${path}` });
        const known = await ask(`${year}&per_page=1`);
        expect(known.text).toContain('Plain.');
        const second = await ask(year);
        expect(second.text).toBe(first.text);
        expect(second.text.match(/gallery-\d/g)?.length).toBeGreaterThan(1);
        expect([first.headers.etag, second.headers.etag]).toEqual([
          expect.stringMatching(/^"[\w-]{27}"$/),
          first.headers.etag,
        ]);
      } finally {
        await other.close();
      }
    });

    it('are renewed at once after a write of this server', async () => {
      const id = await venueId();
      for (let round = 0; round < 5; round++) {
        await title(id);
        const written = await rawRequest(app.url, {
          method: 'POST',
          path: `/${OWN_NAMESPACE}/venues/${id}`,
          headers: { ...credentials('admin'), 'content-type': 'application/json' },
          body: JSON.stringify({ venue: `Hall ${round}` }),
        });
        expect(written.status).toBe(200);
        expect(await title(id)).toBe(`Hall ${round}`);
      }
    });

    it('stay valid after a rejected write', async () => {
      const path = '/tags?per_page=1';
      const { name } = (JSON.parse((await get(path)).text) as { tags: { name: string }[] }).tags[0] ?? {};
      await settle();
      const rejected = await rawRequest(app.url, {
        method: 'POST',
        path: `/${OWN_NAMESPACE}/tags`,
        headers: { ...credentials('admin'), 'content-type': 'application/json' },
        body: JSON.stringify({ name }),
      });
      expect(rejected.status).toBe(400);
      await retry(async () => {
        await get(path);
        expect(await measure(path)).toMatchObject({ statements: 0 });
      });
    });

    it('are renewed within a second after each of several writes of another program', async () => {
      const id = await venueId();
      for (let round = 0; round < 4; round++) {
        await title(id);
        await app.dataSource.query('UPDATE wp_posts SET post_title = ? WHERE ID = ?', [`Room ${round}`, id]);
        await sleep(round === 0 ? 1000 : 920);
        expect(await title(id)).toBe(`Room ${round}`);
      }
    });

    it('are renewed within a second after a change of options', async () => {
      const name = async () => {
        const { text } = await get('/events?start_date=2000-01-01&per_page=1');
        return (JSON.parse(text) as { events: { url: string }[] }).events[0]?.url;
      };
      expect(await name()).not.toContain('elsewhere.example');
      const [{ home }] = await app.dataSource.query(
        "SELECT option_value AS home FROM wp_options WHERE option_name = 'home'",
      );
      const set = (value: string) =>
        app.dataSource.query("UPDATE wp_options SET option_value = ? WHERE option_name = 'home'", [value]);
      await set('https://elsewhere.example');
      await sleep(1000);
      expect(await name()).toContain('elsewhere.example');
      await set(home);
      await sleep(1000);
    });

    it('expire with time only when they depend on it', async () => {
      await settle();
      const dated = '/events?start_date=2091-01-01&end_date=2091-12-31';
      const window = async () => (JSON.parse((await get('/events')).text) as { rest_url: string }).rest_url;
      const outlives = (path: string, time: number) =>
        retry(async () => {
          await get(path);
          app.clock.pass(time);
          expect(await measure(path)).toMatchObject({ statements: 0 });
        });
      await outlives('/events', 5000);
      const before = await window();
      app.clock.pass(25 * 3_600_000);
      expect(await window()).not.toBe(before);
      await outlives(dated, 25 * 3_600_000);
      const upcoming = '/venues?only_with_upcoming=true';
      await get(upcoming);
      app.clock.pass(1000);
      expect((await measure(upcoming)).statements).toBeGreaterThan(0);
    });
  });
});

describe('cached responses with plugins', () => {
  let site: Site;

  beforeAll(async () => {
    site = await makeSite('SQLite' satisfies DatabaseName);
  });
  afterAll(async () => {
    await site.drop();
  });

  const withApp = async (
    plugins: Plugin[],
    env: Record<string, string>,
    use: (app: TestApp) => Promise<void>,
  ) => {
    const app = await startApp({ databaseUrl: site.url, plugins, env });
    callCount = 0;
    try {
      await use(app);
    } finally {
      await app.close();
    }
  };
  const ask = (app: TestApp, path: string, headers: Record<string, string> = {}) =>
    rawRequest(app.url, { path: `/${OWN_NAMESPACE}${path}`, headers });

  it.each([
    ['a guard', GuardPlugin, 403],
    ['middleware', MiddlewarePlugin, 418],
    ['middleware for a method', MethodMiddlewarePlugin, 418],
    ['middleware for a controller', ControllerMiddlewarePlugin, 418],
  ] as const)('are sent only after %s of a plugin has run', (_, plugin, status) =>
    withApp([plugin], {}, async (app) => {
      for (let times = 1; times <= 3; times++) {
        expect((await ask(app, ALL)).status).toBe(200);
        expect(callCount).toBe(times);
      }
      expect((await ask(app, ALL, { 'x-blocked': '1' })).status).toBe(status);
    }),
  );

  it('are sent only after an interceptor of a plugin has run', () =>
    withApp([InterceptorPlugin], {}, async (app) => {
      for (let times = 1; times <= 3; times++) {
        const { headers } = await ask(app, ALL);
        expect([callCount, headers.etag]).toEqual([times, undefined]);
      }
    }));

  it('are sent when the application adds middleware after the start', () =>
    withApp([], {}, async (app) => {
      await ask(app, '/venues');
      app.nest.use((_: Request, __: Response, next: NextFunction) => {
        callCount += 1;
        next();
      });
      await ask(app, ALL);
      await ask(app, ALL);
      // Express runs this middleware after the routes.
      expect((await ask(app, ALL)).status).toBe(200);
    }));

  it('with a filter of a plugin are valid for one second only', () =>
    withApp([HookPlugin], {}, async (app) => {
      const calls = async () =>
        (JSON.parse((await ask(app, '/venues?per_page=1')).text) as { venues: [{ calls: number }] }).venues[0]
          .calls;
      const first = await calls();
      app.clock.pass(1000);
      expect(await calls()).toBe(first + 1);
    }));

  it('do not exist under CACHE=off', () =>
    withApp([], { CACHE: 'off' }, async (app) => {
      await ask(app, ALL);
      app.statements();
      const { headers } = await ask(app, ALL);
      expect(headers.etag).toBeUndefined();
      expect(app.statements().sql.length).toBeGreaterThan(3);
    }));
});
