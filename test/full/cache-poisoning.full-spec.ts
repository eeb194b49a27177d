import { setTimeout as sleep } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import {
  type CanActivate,
  Controller,
  createParamDecorator,
  type ExecutionContext,
  Get,
  Header,
  HttpException,
  Inject,
  Injectable,
  Module,
  Query,
  Scope,
  UseGuards,
} from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import { Cacheable, Context, HttpModule, Parameters, type RequestContext, RestArg } from 'almanac';
import { IsOptional } from 'class-validator';
import type { Request } from 'express';
import { OWN_NAMESPACE } from '../../src/config/env.js';
import { CachedResponse } from '../../src/http/response-cache/cached-response.js';
import { ResponseCache } from '../../src/http/response-cache/response-cache.service.js';
import { SerializedResponse } from '../../src/http/serialized-response.js';
import { SettingsService } from '../../src/wordpress/options/settings.service.js';
import { startApp, type TestApp } from '../support/app.js';
import { credentials } from '../support/calendar-client.js';
import { rawRequest } from '../support/raw-request.js';
import { makeSite, type Site } from '../support/sites.js';

const OTHER = 'tribe/events/v1';
const LIST = 'events?start_date=2000-01-01&per_page=5';

class CountQuery {
  @RestArg({ description: 'Anything.' })
  @IsOptional()
  word?: string;
}

let calls = 0;
/** Releases the waiting calls. */
let release: () => void = () => undefined;
let released: Promise<void>;
const hold = () => {
  released = new Promise((resolve) => {
    release = resolve;
  });
};

class TokenGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return context.switchToHttp().getRequest<Request>().headers['x-token'] === 'let-me-in';
  }
}

const Language = createParamDecorator((_: unknown, context: ExecutionContext) =>
  String(context.switchToHttp().getRequest<Request>().headers['accept-language']),
);

/** Replaces the method by an anonymous function, as measuring and tracing decorators do. */
const traced: MethodDecorator = (_, __, descriptor: PropertyDescriptor) => {
  const { value } = descriptor;
  descriptor.value = function (...args: unknown[]) {
    return Reflect.apply(value, this, args);
  };
};

/** Counts the calls of its handlers. */
@Cacheable()
@Controller(`${OWN_NAMESPACE}/counted`)
class CountedController {
  @Get('declared')
  declared(@Parameters(CountQuery) { word }: CountQuery, @Context() { access }: RequestContext) {
    calls += 1;
    return { word, calls, signedIn: access.signedIn };
  }

  @Get('traced')
  @traced
  traced(@Parameters(CountQuery) { word }: CountQuery) {
    return { word };
  }

  @Get('traced-greeting')
  @traced
  tracedGreeting(@Language() language: string) {
    return { language };
  }

  @Get('undeclared')
  undeclared(@Query('word') word: string) {
    calls += 1;
    return { word, calls };
  }

  @Get('guarded')
  @UseGuards(TokenGuard)
  guarded() {
    return { for: 'who has a token' };
  }

  @Get('greeting')
  greeting(@Language() language: string) {
    return { language };
  }

  @Get('headed')
  @Header('X-Headed', 'yes')
  headed() {
    return { calls };
  }

  @Get('failing')
  async failing() {
    calls += 1;
    await released;
    throw new HttpException('a failure on purpose', 418);
  }

  @Get('slow')
  async slow() {
    calls += 1;
    await released;
    return { calls };
  }
}

@Injectable({ scope: Scope.REQUEST })
class Tenant {
  readonly name: string;

  constructor(@Inject(REQUEST) { headers }: Request) {
    this.name = String(headers['x-tenant']);
  }
}

/** Request-scoped, like its dependency. */
@Cacheable()
@Controller(`${OWN_NAMESPACE}/tenant`)
class TenantController {
  constructor(private readonly tenant: Tenant) {}

  @Get()
  name() {
    return { tenant: this.tenant.name };
  }
}

@Module({
  imports: [HttpModule],
  controllers: [CountedController, TenantController],
  providers: [Tenant],
})
class CountedPlugin {}

describe('the response cache under attack', () => {
  let site: Site;
  let app: TestApp;

  beforeAll(async () => {
    site = await makeSite('SQLite');
    const env = { API_NAMESPACES: `${OWN_NAMESPACE},${OTHER}` };
    app = await startApp({ databaseUrl: site.url, plugins: [CountedPlugin], env });
  });
  afterAll(async () => {
    await app?.close();
    await site?.drop();
  });

  /** Waits until the pending response has the expected number of waiting requests. */
  const waiting = async (holds: (callers: { aborted: boolean }[]) => boolean) => {
    const { pending } = app.nest.get(ResponseCache, { strict: false }) as unknown as {
      pending: { flights: Map<string, { callers: { aborted: boolean }[] }> };
    };
    while (!holds([...pending.flights.values()].flatMap(({ callers }) => callers))) await sleep(5);
  };
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    rawRequest(app.url, { path: path.startsWith('/') ? path : `/${OWN_NAMESPACE}/${path}`, headers, method });
  /** The number of cached responses. */
  const count = () => {
    const { responses } = app.nest.get(ResponseCache, { strict: false }) as unknown as {
      responses: { size: number };
    };
    return responses.size;
  };
  it('neither caches nor changes responses for unknown parameters and other spellings of a URL', async () => {
    const { text } = await get(LIST);
    const cached = count();
    for (const path of [
      `${LIST}&madeup=1`,
      `${LIST}&madeup[]=1&madeup[x][y]=2`,
      `${LIST}&PER_PAGE=7&Start_Date=2080-01-01`,
      `${LIST}&per_page=5`,
      'events?per_page=1&per_page=5&start_date=2000-01-01',
      'events?start%5fdate=2000-01-01&per%5Fpage=5',
      'events?start.date=2000-01-01&per page=5'.replace(' ', '+'),
      `events/?start_date=2000-01-01&per_page=5`,
      `/index.php/${OWN_NAMESPACE}/${LIST}`,
      `/?rest_route=/${OWN_NAMESPACE}/events&start_date=2000-01-01&per_page=5`,
      `${LIST}&_method=GET`,
      `${LIST}&__proto__[x]=1&constructor=2`,
      `${LIST}&madeup=${'x'.repeat(8000)}`,
    ]) {
      const answer = await get(path);
      expect([path, answer.status, answer.text === text, count()]).toEqual([path, 200, true, cached]);
    }
    for (const [header, value] of [
      ['range', 'bytes=0-10'],
      ['host', 'evil.example'],
      ['x-forwarded-host', 'evil.example'],
      ['x-forwarded-proto', 'https'],
      ['accept-language', 'de'],
      ['authorization', ''],
      ['cookie', 'wordpress_logged_in_x=admin%7C1%7C2%7C3'],
      ['x-http-method-override', 'get'],
      ['if-none-match', `"${'x'.repeat(15_000)}"`],
      ['if-none-match', `${'"x",'.repeat(4000)}`],
      ['if-modified-since', 'yesterday'],
      ['accept-encoding', `br${' '.repeat(5000)},;${' ;q='.repeat(2000)}`],
    ] as const) {
      const answer = await get(LIST, { [header]: value });
      expect([header, answer.status, answer.text === text, count()]).toEqual([header, 200, true, cached]);
    }
  });

  it('ignores the host of an absolute request URL', async () => {
    const { text } = await get(LIST);
    const answers = [];
    for (let times = 0; times < 3; times++)
      answers.push(await get(`http://other.example/${OWN_NAMESPACE}/${LIST}`.replace(/^/, '')));
    expect(new Set(answers.map(({ status }) => status)).size).toBe(1);
    for (const answer of answers) expect(answer.text === text || answer.status === 404).toBe(true);
  });

  it('links each namespace to itself, in any order of requests', async () => {
    for (const name of [OTHER, OWN_NAMESPACE, OTHER, OWN_NAMESPACE]) {
      const { text } = await get(`/${name}/${LIST}`);
      expect((JSON.parse(text) as { rest_url: string }).rest_url).toContain(`/wp-json/${name}/events`);
    }
  });

  it('answers HEAD and GET alike, whichever comes first', async () => {
    const path = 'events?start_date=2000-01-01&per_page=6';
    const head = await get(path, {}, 'HEAD');
    const full = await get(path);
    expect([head.text, full.text.length > 1000]).toEqual(['', true]);
    expect((await get(path, {}, 'HEAD')).headers['content-length']).toBe(full.headers['content-length']);
  });

  it('sends each origin its own CORS headers only', async () => {
    const path = 'events?start_date=2000-01-01&per_page=7';
    for (const origin of [
      'https://a.example',
      undefined,
      'https://b.example',
      undefined,
      'https://a.example',
    ]) {
      const { headers } = await get(path, origin ? { origin } : {});
      expect(headers['access-control-allow-origin']).toBe(origin);
      expect(headers.vary).toBe('Origin, Accept-Encoding');
    }
  });

  it('caches no response that depends on the user', async () => {
    const cached = count();
    const path = 'events?start_date=2000-01-01&per_page=8';
    await get(path, credentials('admin'));
    const [{ password }] = await app.dataSource.query(
      "SELECT post_password AS password FROM wp_posts WHERE post_password <> ''",
    );
    for (const query of [
      `password=${password}`,
      `password=${password}&context=edit`,
      '_wpnonce=1',
      '_wpnonce',
    ])
      await get(`${path}&${query}`);
    await get(path, { 'x-wp-nonce': '1' });
    expect(count()).toBe(cached);
  });

  it('runs the guards of a route for each request and sends their headers each time', async () => {
    for (let times = 0; times < 3; times++) {
      expect((await get('counted/guarded', { 'x-token': 'let-me-in' })).status).toBe(200);
      expect((await get('counted/guarded')).status).toBe(403);
      expect((await get('counted/headed')).headers['x-headed']).toBe('yes');
    }
  });

  it('caches no response of a request-scoped controller', async () => {
    for (const tenant of ['a', 'b', 'a'])
      expect(await get('tenant', { 'x-tenant': tenant })).toMatchObject({ text: `{"tenant":"${tenant}"}` });
  });

  it("caches no response of a handler with a plugin's own parameter decorator", async () => {
    for (const path of ['counted/greeting', 'counted/traced-greeting'])
      for (const language of ['de', 'fr', 'de'])
        expect(await get(path, { 'accept-language': language })).toMatchObject({
          text: `{"language":"${language}"}`,
        });
  });

  it('caches a handler that a decorator wraps by its parameters', async () => {
    for (const word of ['a', 'b', 'a'])
      expect((await get(`counted/traced?word=${word}`)).text).toBe(`{"word":"${word}"}`);
  });

  it('renders once for concurrent requests, also when the first client disconnects', async () => {
    calls = 0;
    hold();
    // The login wrote a row, which on SQLite changes the version of everything.
    await sleep(950);
    await get(LIST);
    const first = new AbortController();
    const gone = fetch(`${app.url}/${OWN_NAMESPACE}/counted/slow`, { signal: first.signal }).catch(
      () => 'gone',
    );
    await waiting((callers) => callers.length === 1);
    const rest = Promise.all(Array.from({ length: 1000 }, () => get('counted/slow')));
    await waiting((callers) => callers.length === 1001);
    first.abort();
    expect(await gone).toBe('gone');
    await waiting(([caller]) => caller?.aborted === true);
    release();
    const answers = new Set((await rest).map(({ status, text }) => `${status} ${text}`));
    expect([...answers]).toEqual(['200 {"calls":1}']);
  });

  it('renders again after all clients of a pending response have disconnected', async () => {
    app.clock.pass(1000);
    calls = 10;
    const path = '/events?start_date=2001-01-01&per_page=50';
    for (let times = 0; times < 5; times++)
      await rawRequest(app.url, { path: `/${OWN_NAMESPACE}${path}`, timeoutMs: 5 + times }).catch(
        () => undefined,
      );
    const { status, text } = await get(path.slice(1));
    expect([status, (JSON.parse(text) as { total: number }).total > 10]).toEqual([200, true]);
  });

  it('sends a failure to all concurrent requests and does not cache it', async () => {
    calls = 0;
    hold();
    const requested = Promise.all(Array.from({ length: 50 }, () => get('counted/failing')));
    await waiting((callers) => callers.length === 50);
    release();
    const answers = await requested;
    expect([calls, new Set(answers.map(({ status }) => status))]).toEqual([1, new Set([418])]);
    await get('counted/failing');
    expect(calls).toBe(2);
  });

  it('caches a plugin route by its declared parameters, and not where it reads more of the request', async () => {
    calls = 0;
    const word = async (path: string) =>
      JSON.parse((await get(path)).text) as { word: string; calls: number };
    expect(await word('counted/declared?word=a')).toEqual({ word: 'a', calls: 1, signedIn: false });
    expect(await word('counted/declared?word=a&other=b')).toEqual({ word: 'a', calls: 1, signedIn: false });
    expect(await word('counted/declared?word=b')).toEqual({ word: 'b', calls: 2, signedIn: false });
    expect(await word('counted/undeclared?word=a')).toEqual({ word: 'a', calls: 3 });
    expect(await word('counted/undeclared?word=b')).toEqual({ word: 'b', calls: 4 });
  });

  it('shows rows that a plugin writes through the data source within a second', async () => {
    const venue = async () =>
      (JSON.parse((await get('venues?per_page=1')).text) as { venues: [{ id: number; venue: string }] })
        .venues[0];
    const { id } = await venue();
    for (let round = 0; round < 3; round++) {
      await venue();
      await app.dataSource.query('UPDATE wp_posts SET post_title = ? WHERE ID = ?', [`Hall ${round}`, id]);
      await sleep(950);
      expect((await venue()).venue).toBe(`Hall ${round}`);
    }
  });

  it('caches nothing while the interface is switched off', async () => {
    const [{ value }] = await app.dataSource.query(
      "SELECT option_value AS value FROM wp_options WHERE option_name = 'tribe_events_calendar_options'",
    );
    const set = (to: string) =>
      app.dataSource.query(
        "UPDATE wp_options SET option_value = ? WHERE option_name = 'tribe_events_calendar_options'",
        [to],
      );
    expect((await get(LIST)).status).toBe(200);
    await set('a:1:{s:16:"rest-v1-disabled";b:1;}');
    await sleep(950);
    const answers = app.nest.get(ResponseCache, { strict: false });
    // Like a request that was admitted just before.
    const make = () => Promise.reject(new Error('must not be asked'));
    expect(await answers.get('late', make)).toBeUndefined();
    expect((await get(LIST)).status).toBe(404);
    await set(value);
    await sleep(950);
    expect((await get(LIST)).status).toBe(200);
  });

  it('counts long keys and bodies by their size', async () => {
    const { responses: cached } = app.nest.get(ResponseCache, { strict: false }) as unknown as {
      responses: { calculatedSize: number; size: number };
    };
    const before = cached.calculatedSize;
    const { status } = await get(`tags?_fields=${'x'.repeat(1_900)}`);
    expect([status, cached.calculatedSize - before > 3_800]).toEqual([200, true]);
  });

  it('sends the same bytes in each content encoding, with a different hash for different bytes', async () => {
    const settings = await app.nest.get(SettingsService, { strict: false }).current();
    const of = (...pieces: string[]) =>
      CachedResponse.of(new SerializedResponse(200, {}, pieces), {
        contentVersion: 1,
        settings,
        from: 0,
        until: Number.POSITIVE_INFINITY,
      });
    const hash = async (...pieces: string[]) => ((await of(...pieces)) as unknown as { hash: string }).hash;
    expect(await hash('ab', 'c')).toBe(await hash('abc'));
    expect(await hash('ab', 'c')).not.toBe(await hash('ab', 'd'));
    const { text } = await get('events?start_date=2000-01-01&per_page=9');
    for (const [encoding, decode] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      let answer: { encoding?: string; bytes: Buffer } = { bytes: Buffer.alloc(0) };
      for (; answer.encoding === undefined; await sleep(20))
        answer = await bytesOf(`/${OWN_NAMESPACE}/events?start_date=2000-01-01&per_page=9`, encoding);
      expect([answer.encoding, decode(answer.bytes).toString('utf8') === text]).toEqual([encoding, true]);
    }
  });

  async function bytesOf(path: string, encoding: string): Promise<{ encoding?: string; bytes: Buffer }> {
    const { request } = await import('node:http');
    return new Promise((resolve, reject) => {
      request(`${app.url}${path}`, { headers: { 'accept-encoding': encoding } }, async (answer) => {
        const chunks: Buffer[] = [];
        for await (const chunk of answer) chunks.push(chunk as Buffer);
        resolve({ encoding: answer.headers['content-encoding'], bytes: Buffer.concat(chunks) });
      })
        .on('error', reject)
        .end();
    });
  }
});
