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
import { OWN_NAMESPACE } from '../src/config/env.js';
import { EventsController } from '../src/resources/events/events.controller.js';
import { Hooks } from '../src/common/hooks/hooks.js';
import type { Plugin } from '../src/plugins/plugin.js';
import { startApp, type TestApp } from './support/app.js';
import { credentials } from './support/calendar-client.js';
import { retry } from './support/retry.js';
import { rawRequest } from './support/raw-request.js';
import { type DatabaseName, describeEither, makeSite, type Site } from './support/sites.js';

const ALL = '/events?start_date=2000-01-01&per_page=50';
/** Longer than a look at the tables counts. */
const A_LOOK = 950;

/** The calls that a plugin's part saw. */
let seen = 0;

@Injectable()
class HeaderGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    seen += 1;
    return context.switchToHttp().getRequest<Request>().headers['x-blocked'] === undefined;
  }
}

@Injectable()
class CountingInterceptor implements NestInterceptor {
  intercept(_: ExecutionContext, next: CallHandler): Observable<unknown> {
    seen += 1;
    return next.handle();
  }
}

@Module({ providers: [{ provide: APP_GUARD, useClass: HeaderGuard }] })
class GuardPlugin {}

@Module({ providers: [{ provide: APP_INTERCEPTOR, useClass: CountingInterceptor }] })
class InterceptorPlugin {}

function blocking(request: Request, response: Response, next: NextFunction): void {
  seen += 1;
  if (request.headers['x-blocked'] === undefined) next();
  else response.status(418).end();
}

@Module({})
class MiddlewarePlugin {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(blocking).forRoutes('{*path}');
  }
}

/** Nest puts it where routes are. */
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

/** What it shows of a venue changes with every call. */
@Module({})
class HookPlugin {
  constructor(hooks: Hooks) {
    hooks.addFilter('rest_prepare_tribe_venue', (json: object) => {
      seen += 1;
      return { ...json, calls: seen };
    });
  }
}

describeEither('answers that are kept', (database) => {
  let site: Site;
  let app: TestApp;

  const get = (path: string, headers: Record<string, string> = {}) =>
    rawRequest(app.url, { path: `/${OWN_NAMESPACE}${path}`, headers });
  /** The statements that a request took, but for the looks at what changed. */
  const cost = async (path: string, headers?: Record<string, string>) => {
    app.statements();
    const answer = await get(path, headers);
    return { ...answer, statements: app.statements().sql.length };
  };
  /** Nothing has changed for so long that looks agree. */
  const settle = () => sleep(database !== 'SQLite' ? 3200 : A_LOOK);

  beforeAll(async () => {
    site = await makeSite(database);
    app = await startApp({ databaseUrl: site.url });
    await settle();
  });
  afterAll(async () => {
    await app?.close();
    await site?.drop();
  });

  describe('as long as nothing changes', () => {
    it('are made once, whoever asks', async () => {
      await get(ALL, { origin: 'https://b.example' });
      const { first, again } = await retry(async () => {
        const first = await get(ALL);
        const again = await cost(ALL, { origin: 'https://a.example' });
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

    it('are the same whichever way the route was asked', async () => {
      const others = [
        '/events?start_date=2000-01-01&per_page=3&_=77',
        '/events?unknown[]=1&start_date=2000-01-01&per_page=3',
      ];
      for (const path of others)
        await retry(async () => {
          const { text } = await get('/events?per_page=3&start_date=2000-01-01');
          expect(await cost(path)).toMatchObject({ statements: 0, text });
        });
    });

    it('keep what shapes them apart', async () => {
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
      'answers %s of who has it already by 304, or with the same headers',
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
          const answer = await get(ALL, { 'if-none-match': known });
          expect([known, answer.status, answer.text, answer.headers.etag]).toEqual([known, 304, '', etag]);
          expect(answer.headers.vary).toBe('Origin, Accept-Encoding');
        }
        expect((await get(ALL, { 'if-none-match': '"other"' })).status).toBe(200);
      },
    );

    it('are compressed for who takes that, once somebody asks again', async () => {
      const { text, headers } = await get(ALL);
      for (const [accepts, encoding] of [
        ['gzip, deflate, br', 'br'],
        ['gzip;q=0.5', 'gzip'],
        ['br;q=0, gzip', 'gzip'],
      ] as const) {
        let answer = await fetch(`${app.url}/${OWN_NAMESPACE}${ALL}`, {
          headers: { 'accept-encoding': accepts },
        });
        while (!answer.headers.has('content-encoding')) {
          await answer.arrayBuffer();
          await sleep(20);
          answer = await fetch(answer.url, { headers: { 'accept-encoding': accepts } });
        }
        expect(answer.headers.get('content-encoding')).toBe(encoding);
        expect(answer.headers.get('etag')).toBe(String(headers.etag).replace(/"$/, `-${encoding}"`));
        expect(Number(answer.headers.get('content-length'))).toBeLessThan(text.length / 3);
        expect(await answer.text()).toBe(text);
      }
      const plain = await get(ALL, { 'accept-encoding': 'br;q=0, gzip;q=0.0, identity' });
      expect([plain.headers['content-encoding'], plain.text]).toEqual([undefined, text]);
    });

    it('lists of records that were shown before are put together without asking for them', async () => {
      const whole = JSON.parse((await get(ALL)).text) as { events: { id: number }[] };
      for (const perPage of [1, 3, 50]) {
        const path = `/events?start_date=1999-01-0${perPage % 7}&per_page=${perPage}`;
        const { text, headers } = await cost(path);
        const fresh = await get(path, credentials('subscriber'));
        const others = (json: string) => ({ ...(JSON.parse(json) as object), events: undefined });
        expect(others(text)).toEqual(others(fresh.text));
        expect((JSON.parse(text) as typeof whole).events).toEqual(whole.events.slice(0, perPage));
        expect(headers['content-length']).toBe(String(text.length));
        const picked = await get(`${path}&_fields=events`);
        expect(JSON.parse(picked.text)).toEqual({ events: whole.events.slice(0, perPage) });
      }
    });

    it('venues and organizers that events were shown with are not read again, and shown to who may see them', async () => {
      const { events } = JSON.parse((await get(ALL)).text) as {
        events: { id: number; venue: { id?: number } }[];
      };
      const { id, venue } = events.find((event) => event.venue.id !== undefined) ?? {};
      const shown = async (who?: Record<string, string>) =>
        (JSON.parse((await get(`/events/${id}`, who)).text) as { venue: { id?: number } }).venue.id;
      const setStatus = async (status: string) => {
        await app.dataSource.query('UPDATE wp_posts SET post_status = ? WHERE ID = ?', [status, venue?.id]);
        await settle();
      };
      const reads = async () => {
        app.statements();
        expect(await shown(credentials('admin'))).toBe(venue?.id);
        return app.statements().sql.filter((text) => /p\.post_content AS content, p\.post_title/.test(text))
          .length;
      };
      // The first use of a password is noted.
      await shown(credentials('admin'));
      await settle();
      await shown(credentials('admin'));
      // The event itself.
      const readsNoVenue = () => retry(async () => expect(await reads()).toBe(1));
      await readsNoVenue();
      await setStatus('private');
      expect(await reads()).toBe(2);
      await readsNoVenue();
      expect(await shown()).toBeUndefined();
      await setStatus('publish');
      expect(await shown()).toBe(venue?.id);
    });

    it('a hundred who ask at once have it made once', async () => {
      let day = 0;
      await retry(async () => {
        const path = `/events?start_date=2001-02-0${++day}&per_page=20`;
        app.statements();
        const answers = await Promise.all(Array.from({ length: 100 }, () => get(path)));
        expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
        const lists = app.statements().sql.filter((text) => text.includes('COUNT(*) AS total'));
        expect(lists.length).toBeLessThanOrEqual(1);
      });
    });
  });

  describe('are for nobody in particular', () => {
    it('and to who names a method alike each time', async () => {
      const asked = { method: 'HEAD', path: `/${OWN_NAMESPACE}${ALL}&_method=GET` };
      for (let time = 0; time < 3; time++) {
        const { status, headers } = await rawRequest(app.url, asked);
        expect([status, headers.vary, headers.etag]).toEqual([
          200,
          'Origin, Accept-Encoding',
          expect.any(String),
        ]);
      }
    });

    it('so answers to who is signed in, or brings a password that opens something, are made anew', async () => {
      await get(ALL);
      for (const caller of ['subscriber', 'admin'] as const) {
        const answer = await cost(ALL, credentials(caller));
        expect(answer.statements).toBeGreaterThan(3);
        expect(answer.headers.etag).toBeUndefined();
        expect(answer.headers['cache-control']).toContain('no-store');
      }
      const [{ password }] = await app.dataSource.query(
        "SELECT post_password AS password FROM wp_posts WHERE post_password <> ''",
      );
      await get(`${ALL}&password=${password}`);
      const opened = await cost(`${ALL}&password=${password}`);
      expect([opened.statements > 3, opened.headers.etag]).toEqual([true, undefined]);
    });

    it('so what failed is not kept', async () => {
      for (const path of ['/events/9999999', '/events?page=abc', '/events?page=9999']) {
        const answer = await get(path);
        expect([path, answer.status >= 400, answer.headers.etag]).toEqual([path, true, undefined]);
      }
    });

    it.each([
      { 'x-http-method-override': 'DELETE' },
      { 'x-wp-nonce': 'bad' },
      { authorization: 'Basic bm9ib2R5Om5vdGhpbmc=' },
      { 'content-type': 'application/json', 'content-length': '13', body: '{"page":"no"}' },
    ])('so %j is looked at first', async (sending: Partial<Record<string, string>>) => {
      const { body, ...headers } = sending as Record<string, string>;
      await get('/events/53');
      await get(ALL);
      const sent = { path: `/${OWN_NAMESPACE}${ALL}`, headers, body };
      const answer = await rawRequest(app.url, sent);
      expect([answer.status >= 400, answer.headers.etag]).toEqual([true, undefined]);
    });
  });

  describe('hold no longer than what they were made of', () => {
    const title = async (id: number) => {
      const { text } = await get(`/venues/${id}`);
      return (JSON.parse(text) as { venue: string }).venue;
    };
    const venueId = async () => {
      const { text } = await get('/venues?per_page=1');
      return (JSON.parse(text) as { venues: { id: number }[] }).venues[0]?.id ?? 0;
    };

    it('have the same ETag for the same bytes, whatever a server was asked before', async () => {
      const year = '/events?start_date=2090-01-01&end_date=2090-12-31';
      // Galleries are numbered one after the other: of these two, neither is a text by itself.
      for (const [at, description] of ['Plain.', '[gallery ids="4"]', '[gallery ids="4"]'].entries()) {
        const date = `2090-03-0${at + 1} 10:00:00`;
        const sent = { title: `Kept ${at}`, description, start_date: date, end_date: date };
        const made = await rawRequest(app.url, {
          method: 'POST',
          path: `/${OWN_NAMESPACE}/events`,
          headers: { ...credentials('admin'), 'content-type': 'application/json' },
          body: JSON.stringify(sent),
        });
        expect(made.status).toBe(201);
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

    it('a write of ours shows at once', async () => {
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

    it('a write that was refused, which leaves no trace, is no reason to keep nothing', async () => {
      const path = '/tags?per_page=1';
      const { name } = (JSON.parse((await get(path)).text) as { tags: { name: string }[] }).tags[0] ?? {};
      await settle();
      const refused = await rawRequest(app.url, {
        method: 'POST',
        path: `/${OWN_NAMESPACE}/tags`,
        headers: { ...credentials('admin'), 'content-type': 'application/json' },
        body: JSON.stringify({ name }),
      });
      expect(refused.status).toBe(400);
      await retry(async () => {
        await get(path);
        expect(await cost(path)).toMatchObject({ statements: 0 });
      });
    });

    it("anybody's write shows within a second, also the second and third in a row", async () => {
      const id = await venueId();
      for (let round = 0; round < 4; round++) {
        await title(id);
        await app.dataSource.query('UPDATE wp_posts SET post_title = ? WHERE ID = ?', [`Room ${round}`, id]);
        await sleep(round === 0 ? 1000 : 920);
        expect(await title(id)).toBe(`Room ${round}`);
      }
    });

    it('a change of the options shows within a second', async () => {
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

    it('the passing of time shows where it matters, and nowhere else', async () => {
      await settle();
      const dated = '/events?start_date=2091-01-01&end_date=2091-12-31';
      const window = async () => (JSON.parse((await get('/events')).text) as { rest_url: string }).rest_url;
      const outlives = (path: string, time: number) =>
        retry(async () => {
          await get(path);
          app.clock.pass(time);
          expect(await cost(path)).toMatchObject({ statements: 0 });
        });
      await outlives('/events', 5000);
      const before = await window();
      app.clock.pass(25 * 3_600_000);
      expect(await window()).not.toBe(before);
      await outlives(dated, 25 * 3_600_000);
      const upcoming = '/venues?only_with_upcoming=true';
      await get(upcoming);
      app.clock.pass(1000);
      expect((await cost(upcoming)).statements).toBeGreaterThan(0);
    });
  });
});

describe('answers that are kept, with plugins', () => {
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
    seen = 0;
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
  ] as const)('%s of a plugin is asked each time', (_, plugin, status) =>
    withApp([plugin], {}, async (app) => {
      for (let times = 1; times <= 3; times++) {
        expect((await ask(app, ALL)).status).toBe(200);
        expect(seen).toBe(times);
      }
      expect((await ask(app, ALL, { 'x-blocked': '1' })).status).toBe(status);
    }),
  );

  it('an interceptor of a plugin is asked each time', () =>
    withApp([InterceptorPlugin], {}, async (app) => {
      for (let times = 1; times <= 3; times++) {
        const { headers } = await ask(app, ALL);
        expect([seen, headers.etag]).toEqual([times, undefined]);
      }
    }));

  it('middleware that the application adds itself is asked each time', () =>
    withApp([], {}, async (app) => {
      await ask(app, '/venues');
      app.nest.use((_: Request, __: Response, next: NextFunction) => {
        seen += 1;
        next();
      });
      await ask(app, ALL);
      await ask(app, ALL);
      // Too late to see the request first, as Express has it; nothing breaks.
      expect((await ask(app, ALL)).status).toBe(200);
    }));

  it('what filters of a plugin make is kept for the second only', () =>
    withApp([HookPlugin], {}, async (app) => {
      const calls = async () =>
        (JSON.parse((await ask(app, '/venues?per_page=1')).text) as { venues: [{ calls: number }] }).venues[0]
          .calls;
      const first = await calls();
      app.clock.pass(1000);
      expect(await calls()).toBe(first + 1);
    }));

  it('nothing is kept, nor is anything looked at, with CACHE=off', () =>
    withApp([], { CACHE: 'off' }, async (app) => {
      await ask(app, ALL);
      app.statements();
      const { headers } = await ask(app, ALL);
      expect(headers.etag).toBeUndefined();
      expect(app.statements().sql.length).toBeGreaterThan(3);
    }));
});
