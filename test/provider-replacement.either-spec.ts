import { Injectable } from '@nestjs/common';
import {
  Clock,
  createServer,
  type Plugin,
  RateLimiter,
  type RenderedPosts,
  Renderer,
  readEnvironment,
  SettingsService,
  StartError,
  TagsService,
  WordPressModule,
} from 'almanac';
import { startTestServer } from 'almanac/testing';
import { REST_BASE_URL } from './support/app.js';
import { clientOf, request, type Send } from './support/calendar-client.js';
import { describeEither, makeEmpty, makeSite, type Site } from './support/sites.js';
import { EVENT } from './support/write-fixture.js';

/** A provider that the plugin's clock injects. */
class Almanach {
  readonly year = '2094';
}

@Injectable()
class AlmanachClock extends Clock {
  constructor(private readonly almanach: Almanach) {
    super();
  }

  override now(): number {
    return Date.parse(`${this.almanach.year}-05-06T07:08:09Z`);
  }
}

/** Renders with the constructor of the replaced class and marks the descriptions. */
class LoudRenderer extends Renderer {
  override async render(...args: Parameters<Renderer['render']>): Promise<RenderedPosts> {
    const { render, texts } = await super.render(...args);
    const loud = [...texts].map(
      ([id, one]) => [id, { ...one, description: `LOUD ${one.description}` }] as const,
    );
    return { render, texts: new Map(loud) };
  }
}

@Injectable()
class ClosedLimiter extends RateLimiter {
  constructor(private readonly settings: SettingsService) {
    super();
  }

  override async begin() {
    const { zone } = await this.settings.current();
    return { secondsToWait: zone.length, forgive: async () => undefined };
  }
}

class TimeModule {
  static readonly replaces = [{ provide: Clock, useClass: AlmanachClock }];
}
const time = { module: TimeModule, providers: [Almanach], exports: [Almanach] };

class LoudModule {
  static readonly replaces = [{ provide: Renderer, useClass: LoudRenderer }];
}

class LimitModule {
  static readonly replaces = [{ provide: RateLimiter, useExisting: ClosedLimiter }];
}
const limit = {
  module: LimitModule,
  imports: [WordPressModule],
  providers: [ClosedLimiter],
  exports: [ClosedLimiter],
};

describeEither('a plugin with static replaces', (database) => {
  let site: Site;
  beforeAll(async () => {
    site = await makeSite(database);
  });
  afterAll(() => site?.drop());

  const withPlugins = async (plugins: Plugin[], callback: (send: Send, url: string) => Promise<void>) => {
    const env = readEnvironment({ DATABASE_URL: site.url, REST_BASE_URL });
    const app = await createServer({ env, plugins, logger: false });
    try {
      await app.listen(0, '127.0.0.1');
      const { port } = app.getHttpServer().address() as { port: number };
      const url = `http://127.0.0.1:${port}`;
      await callback(clientOf(url), url);
    } finally {
      await app.close();
    }
  };

  it('replaces the clock by a class that injects a provider of the plugin', () =>
    withPlugins([time], async (send) => {
      const event = {
        ...EVENT,
        title: 'Later',
        start_date: '2094-05-06 09:00:00',
        end_date: '2094-05-06 10:00:00',
      };
      const { status, body } = await send('admin', 'POST', '/events', event);
      expect([status, body['date_utc']]).toEqual([201, '2094-05-06 07:08:09']);
      const list = await send('anonymous', 'GET', '/events');
      expect(list.body['events']).toMatchObject([{ title: 'Later' }]);
    }));

  it('replaces the renderer by a subclass with the same injections', () =>
    withPlugins([LoudModule], async (send) => {
      const { body } = await send('anonymous', 'GET', '/events/54');
      expect(body['description']).toMatch(/^LOUD <p>/);
    }));

  it('replaces the rate limiter by a provider that injects a built-in service', () =>
    withPlugins([limit], async (send, url) => {
      const { status, headers, body } = await send('editor', 'POST', '/tags', { name: 'Never' });
      expect([status, body['code']]).toEqual([429, 'too_many_attempts']);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(2);
      const found = await request(url, 'GET', '/tags?search=never', {});
      expect([found.status, found.body['total'], found.body['tags']]).toEqual([200, 0, []]);
    }));

  it('replaces one of several providers beside other plugins', () =>
    withPlugins([time, LoudModule], async (send) => {
      const { body } = await send('admin', 'POST', '/events', { ...EVENT, title: 'Both', description: 'a' });
      expect([body['date_utc'], body['description']]).toEqual(['2094-05-06 07:08:09', 'LOUD <p>a</p>']);
    }));
});

describe('createServer with an invalid static replaces', () => {
  class OtherTime {
    static readonly replaces = [{ provide: Clock, useValue: { now: () => 0 } }];
  }
  class TooMuch {
    static readonly replaces = [{ provide: TagsService, useValue: {} }];
  }
  class Word {
    static readonly replaces = [{ provide: 'CLOCK', useValue: {} }];
  }
  class NoList {
    static readonly replaces = { provide: Clock, useValue: { now: () => 0 } };
  }
  class OnlyClass {
    static readonly replaces = [Clock];
  }
  const all = 'what can be replaced is Clock, Renderer, ImageStore, PageTemplates, RateLimiter.';

  it.each([
    [[time, OtherTime], 'Both TimeModule and OtherTime replace Clock: leave one of them out.'],
    [[TooMuch], `TooMuch replaces TagsService; ${all}`],
    [[NoList], 'NoList has a static replaces that is no list.'],
    [[OnlyClass], `OnlyClass replaces undefined; ${all}`],
    [[Word], `Word replaces CLOCK; ${all}`],
  ])('throws a StartError of one sentence, case %#', async (plugins, message) => {
    const site = await makeEmpty('SQLite');
    const env = readEnvironment({ DATABASE_URL: site.url });
    const thrown = await createServer({ env, plugins: plugins as unknown as Plugin[], logger: false }).catch(
      (error: unknown) => error,
    );
    expect(thrown).toBeInstanceOf(StartError);
    expect((thrown as Error).message).toBe(message);
    await site.drop();
  });

  it('throws for the clock of a plugin together with now, and accepts the clock alone', async () => {
    await expect(startTestServer({ plugins: [OtherTime], now: '2031-01-01T00:00:00Z' })).rejects.toThrow(
      'Both OtherTime and StandingClock replace Clock',
    );
    const server = await startTestServer({ plugins: [OtherTime] });
    const { body } = await server
      .asAdmin()
      .post<{ date: string }>('/cal/events/v1/events', { ...EVENT, title: 'Early' });
    expect(body.date).toBe('1970-01-01 00:00:00');
    await server.close();
  });
});
