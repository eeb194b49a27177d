import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type ConsoleLogger,
  Controller,
  Get,
  Injectable,
  Module,
  UnauthorizedException,
} from '@nestjs/common';
import {
  AuthStrategy,
  Context,
  Database,
  HttpModule,
  type LoginRequest,
  type LoginResult,
  type RequestContext,
  rejectLogin,
  StartError,
  siteUser,
  type VirtualUserLogin,
  virtualUser,
} from 'almanac';
import { startTestServer, type TestServer } from 'almanac/testing';
import sql from 'sql-template-tag';
import { describeEither, makeEmpty, type Site } from './support/sites.js';

const EVENTS = '/cal/events/v1/events';
const ME = '/wp/v2/users/me?context=edit';

/** Signs in by a header of its own; its value chooses the result. */
@Injectable()
class BadgeStrategy extends AuthStrategy {
  override readonly name: string = 'badge';
  override readonly headers = ['x-badge'];
  override readonly scheme = { type: 'apiKey', in: 'header', name: 'X-Badge' } as const;
  override readonly needsTls: boolean = true;
  calls = 0;

  override async authenticate(request: LoginRequest): Promise<LoginResult | undefined> {
    this.calls += 1;
    const badge = request.header('x-badge');
    if (badge === 'admin') return siteUser({ login: 'admin' });
    if (badge === 'reader') return siteUser({ id: 1, only: ['read', 'no_such_capability'] });
    if (badge === 'nobody') return siteUser({ login: 'no such user' });
    if (badge === 'accent') return siteUser({ login: 'ádmin' });
    if (badge === 'number') return siteUser({ meta: { key: 'badge_number', value: '0042' } });
    if (badge === 'else')
      return siteUser({
        meta: { key: 'badge_number', value: '0043' },
        only: ['read', 'edit_tribe_events'],
        otherwise: virtualUser({ subject: 'else', roles: ['editor'] }),
      });
    if (badge === 'no-else')
      return siteUser({ id: 999, otherwise: { kind: 'virtual_user' } as VirtualUserLogin });
    if (badge === 'guest')
      return virtualUser({
        subject: 'guest 7',
        name: 'Guest',
        roles: ['editor', 'no_such_role', 'manage_options'],
      });
    if (badge === 'helper') return virtualUser({ subject: 'helper', roles: ['contributor'] });
    if (badge === 'wrong') return rejectLogin(401, 'wrong_badge', 'The badge is wrong.', { account: 'Anna' });
    if (badge === 'banned') return rejectLogin(403, 'banned', 'The badge was withdrawn.');
    if (badge === 'nest') throw new UnauthorizedException({ code: 'by_nest', message: 'No.' });
    if (badge === 'throws') throw new Error('secret of the strategy');
    if (badge === 'undeclared') return siteUser({ login: request.header('x-other') ?? '' });
    if (badge === 'plain') return { id: 1 } as unknown as LoginResult;
    if (badge === 'half') return virtualUser({} as { subject: string });
    return undefined;
  }
}

/** Would sign in everybody as the administrator; it follows the other one. */
@Injectable()
class LateStrategy extends BadgeStrategy {
  override readonly name = 'late';
  override readonly order: number = 60;
  override async authenticate(request: LoginRequest): Promise<LoginResult | undefined> {
    return request.header('x-badge') === 'late' ? siteUser({ id: 1 }) : undefined;
  }
}

/** Says who is signed in, outside the namespaces. */
@Controller('whoami')
class WhoController {
  @Get()
  who(@Context() { access }: RequestContext) {
    return { signedIn: access.signedIn, subject: access.user.profile?.subject ?? null };
  }
}

@Module({
  imports: [HttpModule],
  controllers: [WhoController],
  providers: [LateStrategy, BadgeStrategy],
  exports: [BadgeStrategy],
})
class BadgeModule {}

/** Records lines of the log. */
function recorder() {
  const lines: string[] = [];
  const log = (message: unknown) => void lines.push(String(message));
  return {
    lines,
    logger: { log, warn: log, error: log, debug: log, verbose: log } as unknown as ConsoleLogger,
  };
}

describeEither('login strategies of plugins', (database) => {
  const { lines, logger } = recorder();
  let site: Site | undefined;
  let server: TestServer;
  beforeAll(async () => {
    if (database !== 'SQLite') site = await makeEmpty(database);
    server = await startTestServer({
      plugins: [BadgeModule],
      database: site?.url,
      demo: true,
      env: { TRUST_PROXY: 'loopback' },
      logger,
    });
  });
  afterAll(async () => {
    await server?.close();
    await site?.drop();
  });
  beforeEach(() => {
    lines.length = 0;
  });

  const https = (address: string) => ({ 'x-forwarded-for': address, 'x-forwarded-proto': 'https' });
  const badge = (value: string, more: Record<string, string> = {}) =>
    server.withHeaders({ 'x-badge': value, ...more });
  const codeOf = async (value: string, more = {}) => {
    const { status, body } = await badge(value, more).get<{ code?: string }>(EVENTS);
    return `${status} ${body.code ?? ''}`;
  };
  const count = async () =>
    (await server.asAdmin().get<{ total: number }>(`${EVENTS}?status=publish,draft,pending,private`)).body
      .total;

  it('signs in a user of the site with all rights, and with a part of them', async () => {
    const me = await badge('admin').get<{ username: string; id: number }>(ME);
    expect([me.status, me.body.username, me.body.id]).toEqual([200, 'admin', 1]);
    const reader = await badge('reader').get<{ capabilities: object }>(ME);
    expect(reader.body.capabilities).toEqual({ read: true });
    const before = await count();
    expect(before).toBeGreaterThan(0);
    const sent = { title: 'New', start_date: '2030-02-01 10:00:00', end_date: '2030-02-01 11:00:00' };
    expect((await badge('reader').post(EVENTS, sent)).status).toBe(403);
    expect(await count()).toBe(before);
    expect((await badge('admin').post(EVENTS, sent)).status).toBe(201);
  });

  it('finds a user by usermeta that no other user has, compared exactly, or signs in a virtual one', async () => {
    const database = server.app.get(Database);
    const table = database.table('usermeta');
    const add = (user: number, value: string) =>
      database.query(
        sql`INSERT INTO ${table} (user_id, meta_key, meta_value) VALUES (${user}, 'badge_number', ${value})`,
      );
    const idOf = async (value: string) => {
      const { status, body } = await badge(value).get<{ id: number; capabilities: object }>(ME);
      return [status, body.id];
    };
    const refused = async () => expect(await codeOf('number')).toBe('401 unknown_user');
    await refused();
    await add(1, '42');
    await refused();
    await add(1, '0042');
    expect(await idOf('number')).toEqual([200, 1]);
    await add(2, '0042');
    await refused();
    const virtual = await badge('else').get<{ id: number; capabilities: object }>(ME);
    expect([virtual.body.id, virtual.body.capabilities]).toEqual([
      0,
      { read: true, edit_tribe_events: true },
    ]);
    await add(1, '0043');
    const known = await badge('else').get<{ id: number; capabilities: object }>(ME);
    expect([known.body.id, known.body.capabilities]).toEqual([1, { read: true, edit_tribe_events: true }]);
    expect(await codeOf('no-else')).toBe('503 login_unavailable');
    await database.query(sql`DELETE FROM ${table} WHERE meta_key = 'badge_number'`);
  });

  it('signs in a virtual user, whose roles are those of the site and whose records have the author 0', async () => {
    const { body } = await badge('guest').get<Record<string, unknown>>(ME);
    expect(body).toMatchObject({ id: 0, name: 'Guest', username: 'guest 7', roles: ['editor'], email: '' });
    expect(body['capabilities']).not.toHaveProperty('manage_options');
    const sent = { title: 'Of a guest', start_date: '2030-02-01 10:00:00', end_date: '2030-02-01 11:00:00' };
    const created = await badge('guest').post<{ id: number; author: string }>(EVENTS, sent);
    expect([created.status, created.body.author]).toEqual([201, '0']);
    expect((await badge('guest').post(`${EVENTS}/${created.body.id}`, { title: 'Again' })).status).toBe(200);
    expect((await badge('guest').delete(`${EVENTS}/${created.body.id}`)).status).toBe(200);
    expect(lines.some((line) => /POST .* 201 .*ms user=0 via=badge subject="guest 7"$/.test(line))).toBe(
      true,
    );
  });

  it('shows a virtual user no unpublished record of another one, whose author is 0 as well', async () => {
    const sent = { title: 'Secret', start_date: '2030-02-01 10:00:00', end_date: '2030-02-01 11:00:00' };
    const { body } = await badge('guest').post<{ id: number }>(EVENTS, { ...sent, status: 'private' });
    const list = `${EVENTS}?status=publish,draft,pending,private&search=Secret`;
    expect((await badge('guest').get<{ total: number }>(list)).body.total).toBe(1);
    expect((await badge('helper').get<{ total: number }>(list)).body.total).toBe(0);
    for (const path of [`${EVENTS}/${body.id}`, `/wp/v2/tribe_events/${body.id}`])
      expect((await badge('helper').get(path)).status).toBe(403);
    expect((await badge('helper').post(`${EVENTS}/${body.id}`, { title: 'x' })).status).toBe(403);
    expect((await badge('helper').delete(`${EVENTS}/${body.id}`)).status).toBe(403);
    expect((await badge('guest').get<{ title: string }>(`${EVENTS}/${body.id}`)).body.title).toBe('Secret');
  });

  it('determines the user of controllers outside the namespaces', async () => {
    const who = async (value: string) => (await badge(value).get<object>('/whoami')).body;
    expect(await who('guest')).toEqual({ signedIn: true, subject: 'guest 7' });
    expect(await who('other')).toEqual({ signedIn: false, subject: null });
    expect(await who('wrong')).toMatchObject({ code: 'wrong_badge', data: { status: 401 } });
  });

  it('rejects a header that was sent twice', async () => {
    const { port } = server.app.getHttpServer().address() as AddressInfo;
    const status = await new Promise((resolve, reject) => {
      request({ port, path: EVENTS, headers: { 'x-badge': ['other', 'admin'] } }, (response) =>
        resolve(response.resume().statusCode),
      )
        .on('error', reject)
        .end();
    });
    expect(status).toBe(400);
  });

  it('rejects with the status of the rejection, and never with 500', async () => {
    const results = Object.fromEntries(
      await Promise.all(
        ['wrong', 'banned', 'nest', 'nobody', 'accent', 'throws', 'undeclared', 'plain', 'half'].map(
          async (value) => [value, await codeOf(value)],
        ),
      ),
    );
    expect(results).toEqual({
      wrong: '401 wrong_badge',
      banned: '403 banned',
      nest: '401 by_nest',
      nobody: '401 unknown_user',
      accent: '401 unknown_user',
      throws: '503 login_unavailable',
      undeclared: '503 login_unavailable',
      plain: '503 login_unavailable',
      half: '503 login_unavailable',
    });
    expect(lines).toContain('Login failed from 127.0.0.1 as "Anna" by badge: wrong_badge');
    expect(lines.filter((line) => line.includes('The strategy reads the header x-other'))).toHaveLength(1);
    const { headers, body } = await badge('throws').get<object>(EVENTS);
    expect(headers.get('retry-after')).toBe('5');
    expect(JSON.stringify(body)).not.toContain('secret');
  });

  it('leaves a request that it does not know to the next one in the order, and then anonymous', async () => {
    expect((await badge('late').get<{ id: number }>(ME)).body.id).toBe(1);
    expect((await badge('other').get(EVENTS)).status).toBe(200);
    expect((await badge('other').get<{ code: string }>(ME)).body.code).toBe('rest_not_logged_in');
  });

  it('runs for a URL whose anonymous response is cached, and its header is in Vary', async () => {
    const list = `${EVENTS}?per_page=2`;
    for (let time = 0; time < 3; time++) expect((await server.get(list)).status).toBe(200);
    const anonymous = await server.get(list);
    expect(anonymous.headers.get('vary')).toBe('Origin, X-Badge, Accept-Encoding');
    expect(anonymous.headers.get('access-control-allow-headers')).toMatch(/, X-Badge$/);
    const strategy = server.app.get(BadgeStrategy);
    const before = strategy.calls;
    await server.get(list);
    expect(strategy.calls).toBe(before);
    expect(await (await badge('wrong').get(list)).status).toBe(401);
    expect((await badge('admin').get(list)).headers.get('cache-control')).toContain('no-store');
    expect((await badge('').get(list)).status).toBe(200);
    expect(strategy.calls).toBe(before + 3);
  });

  it('rejects all credentials over plain HTTP from elsewhere', async () => {
    const plain = { 'x-forwarded-for': '203.0.113.50' };
    expect(await codeOf('admin', plain)).toBe('401 insecure_connection');
    expect(await codeOf('wrong', plain)).toBe('401 insecure_connection');
    expect(await codeOf('admin', https('203.0.113.50'))).toBe('200 ');
  });

  it('limits failures by address, without locking out valid credentials or other addresses', async () => {
    const from = https('203.0.113.60');
    for (let time = 0; time < 20; time++) expect(await codeOf('wrong', from)).toBe('401 wrong_badge');
    const { status, headers } = await badge('wrong', from).get(EVENTS);
    expect([status, Number(headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect(lines).toContain('Login locked out from 203.0.113.60 as "Anna"');
    expect(await codeOf('admin', from)).toBe('200 ');
    expect(await codeOf('banned', from)).toBe('403 banned');
    expect(await codeOf('wrong', https('203.0.113.61'))).toBe('401 wrong_badge');
    server.clock.advance(5 * 60_000);
    expect(await codeOf('wrong', from)).toBe('401 wrong_badge');
  });

  it('is in OpenAPI as a security scheme of every operation', async () => {
    interface Document {
      components: { securitySchemes: Record<string, object> };
      paths: Record<string, { get: { security: object[] } }>;
    }
    const { body } = await server.get<Document>('/openapi.json');
    expect(body.components.securitySchemes['badge']).toEqual({
      type: 'apiKey',
      in: 'header',
      name: 'X-Badge',
    });
    expect(JSON.stringify(body)).toContain('{"badge":[]}');
  });
});

/** Checks passwords, whose guesses are limited by account. */
@Injectable()
class DirectoryStrategy extends AuthStrategy {
  override readonly name = 'directory';
  override readonly order = 5;
  override readonly scheme = { type: 'http', scheme: 'basic' } as const;
  checked = 0;

  override accountOf(request: LoginRequest): string | undefined {
    return this.login(request)?.[0];
  }

  override authenticate(request: LoginRequest): LoginResult | undefined {
    const [login, password] = this.login(request) ?? [];
    if (login === undefined) return undefined;
    this.checked += 1;
    if (login !== 'anna') return undefined;
    return password === 'right' ? siteUser({ id: 1 }) : rejectLogin(401, 'wrong_password', 'Wrong.');
  }

  private login(request: LoginRequest): string[] | undefined {
    const [, encoded] = /^Basic (.+)$/.exec(request.header('authorization') ?? '') ?? [];
    return encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString().split(':');
  }
}

describe('a login strategy that checks passwords', () => {
  it('does not run for an account after too many failures, even with the right password', async () => {
    @Module({ providers: [DirectoryStrategy], exports: [DirectoryStrategy] })
    class DirectoryModule {}
    const server = await startTestServer({ plugins: [DirectoryModule] });
    try {
      const status = async (login: string) =>
        (await server.withHeaders({ authorization: `Basic ${btoa(login)}` }).get(EVENTS)).status;
      for (let time = 0; time < 30; time++) expect(await status('anna:right')).toBe(200);
      for (let time = 0; time < 20; time++) expect(await status(`anna:${time}`)).toBe(401);
      const { checked } = server.app.get(DirectoryStrategy);
      expect(await status('anna:right')).toBe(429);
      expect(server.app.get(DirectoryStrategy).checked).toBe(checked);
      // Of another account: the application passwords of the site.
      expect((await server.asAdmin().get(ME)).status).toBe(200);
    } finally {
      await server.close();
    }
  });
});

describe('an inactive login strategy', () => {
  it('is not asked, and is named in the log at debug', async () => {
    class OffStrategy extends BadgeStrategy {
      override get isActive(): boolean {
        return false;
      }
    }
    @Module({ providers: [OffStrategy] })
    class OffModule {}
    const { lines, logger } = recorder();
    const server = await startTestServer({ plugins: [OffModule], logger });
    try {
      expect(lines).toContain('The login strategy badge is inactive.');
      expect((await server.withHeaders({ 'x-badge': 'wrong' }).get(EVENTS)).status).toBe(200);
    } finally {
      await server.close();
    }
  });
});

describe('an invalid login strategy', () => {
  const start = (overrides: object) => {
    class Broken extends BadgeStrategy {}
    const strategy = Object.assign(new Broken(), overrides);
    @Module({ providers: [BadgeStrategy, { provide: 'other', useValue: strategy }] })
    class BrokenModule {}
    return startTestServer({ plugins: [BrokenModule] }).then(
      async (server) => server.close().then(() => 'started'),
      (error: unknown) => (error instanceof StartError ? error.message : `no StartError: ${error}`),
    );
  };

  it('stops the start with a message', async () => {
    expect(await start({ name: 'other' })).toBe('started');
    expect(await start({})).toContain(
      'Both BadgeStrategy and Broken are login strategies of the name "badge"',
    );
    expect(await start({ name: 'cookie' })).toContain('of the name "cookie"');
    expect(await start({ name: 'No name' })).toContain('needs a name');
    expect(await start({ name: 'other', headers: ['X-Badge'] })).toContain('in lower case');
    expect(await start({ name: 'other', headers: [] })).toContain('must list the headers');
    expect(await start({ name: 'other', headers: ['x-wp-nonce'] })).toContain('may not read');
    expect(await start({ name: 'other', order: Number.NaN })).toContain('order');
    expect(await start({ name: 'other', scheme: undefined })).toContain('scheme');
  });
});
