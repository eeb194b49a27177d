import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LoggerService } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { createConnection } from 'mysql2/promise';
import { createApplication } from './app/create-server.js';
import { Clock } from './common/clock.js';
import { Environment, readEnvironment } from './config/env.js';
import { Transactions } from './database/transactions.js';
import { GrantsService } from './plugins/grants.service.js';
import { isPlugin } from './plugins/load-plugins.js';
import { classOf, type Plugin, type Replacement } from './plugins/plugin.js';
import { FirstStart } from './setup/first-start.service.js';
import { writeApplicationPassword, writeUser } from './setup/new-site.js';
import { SettingsService } from './wordpress/options/settings.service.js';

/** Options of a test server. */
export interface TestServerOptions {
  plugins?: readonly Plugin[];
  /** Whether the calendar holds the demo's events, which are relative to `now`; otherwise it is empty. */
  demo?: boolean;
  /** Time of the clock, as an ISO date and time; by default a plugin's own clock runs, or it is 2030-01-15 noon UTC. */
  now?: string;
  /**
   * URL of a MariaDB or MySQL server, such as `mysql://root@127.0.0.1:3306`, whose user may create databases; the
   * calendar gets a database of its own, which `close` drops. By default the calendar is a SQLite file.
   */
  database?: string;
  /** Logger; by default nothing is logged. */
  logger?: LoggerService | false;
  /** Further environment variables. */
  env?: Readonly<Record<string, string>>;
  /** Configures the application before it listens, as a custom `main.ts` would: a prefix, versions, a WebSocket adapter. */
  configure?: (app: NestExpressApplication) => unknown;
}

/** A response: JSON is parsed, other bodies are text. */
export interface TestResponse<Body = unknown> {
  status: number;
  headers: Headers;
  body: Body;
}

/** Sends requests to the server; `path` is absolute, such as `/cal/events/v1/events`, and bodies are sent as JSON. */
export interface TestClient {
  get<Body>(path: string): Promise<TestResponse<Body>>;
  post<Body>(path: string, body?: unknown): Promise<TestResponse<Body>>;
  put<Body>(path: string, body?: unknown): Promise<TestResponse<Body>>;
  delete<Body>(path: string, body?: unknown): Promise<TestResponse<Body>>;
}

/** The clock of a test server, which stands still between these calls. */
export interface TestClock {
  /** Epoch milliseconds. */
  now(): number;
  /** Sets it to an ISO date and time. */
  set(now: string): void;
  /** Moves it forward by milliseconds. */
  advance(ms: number): void;
}

/** A running server; its own methods send anonymous requests. */
export interface TestServer extends TestClient {
  /** For services: `app.get(EventsService)`. */
  app: NestExpressApplication;
  /** Sends requests as the site's administrator. */
  asAdmin(): TestClient;
  /** Sends requests as a user with a role of the site, such as `editor`, created with the first request. */
  as(role: string): TestClient;
  /** Sends requests with these headers, such as the credentials of a login of yours. */
  withHeaders(headers: Readonly<Record<string, string>>): TestClient;
  /** The clock; it cannot be set if a plugin brings its own and `now` is omitted. */
  clock: TestClock;
  /** The application password of the administrator, whose login is `admin`. */
  adminPassword: string;
  /** Stops the server and removes its calendar. */
  close(): Promise<void>;
}

/** Starts a server with these plugins on an own calendar, in a temporary folder and on a free port. */
export async function startTestServer({
  plugins = [],
  demo = false,
  now,
  database,
  logger = false,
  env,
  configure,
}: TestServerOptions = {}): Promise<TestServer> {
  const place = database === undefined ? await temporaryFile() : await temporaryDatabase(database);
  const own = { SCHEDULER: 'off', DATABASE_URL: place.url };
  const clock = clockOf(plugins, now);
  let app: NestExpressApplication | undefined;
  const close = async () => {
    await app?.close();
    await place.remove();
  };
  try {
    app = await createApplication({
      env: readEnvironment({ ...own, ...env }),
      plugins: [...plugins, ...clock.plugins],
      logger,
    });
    await configure?.(app);
    const password = await app.get(FirstStart).makeSite(demo);
    await app.get(GrantsService).giveNew();
    await app.listen(0, '127.0.0.1');
    const { port } = app.getHttpServer().address() as AddressInfo;
    const url = `http://127.0.0.1:${port}`;
    const users = new TestUsers(app, password ?? '');
    return {
      app,
      ...clientOf(url, async () => ({})),
      asAdmin: () => clientOf(url, () => users.headers('administrator')),
      as: (role) => clientOf(url, () => users.headers(role)),
      withHeaders: (headers) => clientOf(url, async () => headers),
      clock: clock.clock,
      adminPassword: password ?? '',
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function temporaryFile() {
  const folder = await mkdtemp(join(tmpdir(), `almanac-plugin-${process.pid}-`));
  return {
    url: `sqlite:${join(folder, 'calendar.db')}`,
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function temporaryDatabase(server: string) {
  const name = `almanac_plugin_${randomUUID().replaceAll('-', '')}`;
  const url = new URL(server);
  url.pathname = '';
  const ask = async (statement: string) => {
    const connection = await createConnection(url.href);
    await connection.query(statement).finally(() => connection.end());
  };
  await ask(`CREATE DATABASE ${name} CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  return { url: own.href, remove: () => ask(`DROP DATABASE ${name}`) };
}

/** The test's clock, and the plugin that installs it; a plugin's own clock runs if no time is given. */
function clockOf(
  plugins: readonly Plugin[],
  start: string | undefined,
): { clock: TestClock; plugins: Plugin[] } {
  if (start === undefined && plugins.some((one) => isPlugin(one) && replacesClock(classOf(one).replaces))) {
    const refuse = () => {
      throw new Error('A plugin replaces the clock, which runs by itself: pass "now" to stop it.');
    };
    return { clock: { now: refuse, set: refuse, advance: refuse }, plugins: [] };
  }
  let instant = instantOf(start ?? '2030-01-15T12:00:00Z');
  const clock: TestClock = {
    now: () => instant,
    set: (now) => {
      instant = instantOf(now);
    },
    advance: (ms) => {
      instant += ms;
    },
  };
  class StandingClock {
    static readonly replaces: Replacement[] = [{ provide: Clock, useValue: { now: () => instant } }];
  }
  return { clock, plugins: [StandingClock] };
}

function instantOf(text: string): number {
  const instant = Date.parse(text);
  if (Number.isNaN(instant)) throw new Error(`"${text}" is no ISO date and time.`);
  return instant;
}

/** Users by role, created on first use. */
class TestUsers {
  private readonly byRole = new Map<string, Promise<{ authorization: string }>>();

  constructor(
    private readonly app: NestExpressApplication,
    adminPassword: string,
  ) {
    this.byRole.set('administrator', Promise.resolve(basic('admin', adminPassword)));
  }

  headers(role: string): Promise<{ authorization: string }> {
    const caller = this.byRole.get(role) ?? this.make(role);
    this.byRole.set(role, caller);
    return caller;
  }

  private async make(role: string): Promise<{ authorization: string }> {
    const { roles } = await this.app.get(SettingsService).current();
    if (!roles.has(role))
      throw new Error(`The site has no role ${role}; there is ${[...roles.keys()].join(', ')}.`);
    const { tablePrefix } = this.app.get(Environment);
    const now = this.app.get(Clock).now();
    const login = `test-${role}`;
    const password = await this.app.get(Transactions).run(async ({ manager }) => {
      const user = await writeUser(manager, { login, name: role, role, level: 0 }, { tablePrefix, now });
      return writeApplicationPassword(manager, user, now);
    });
    return basic(login, password);
  }
}

const basic = (login: string, password: string) => ({
  authorization: `Basic ${btoa(`${login}:${password}`)}`,
});

const replacesClock = (replaces: unknown) =>
  Array.isArray(replaces) && replaces.some((one) => one?.provide === Clock);

function clientOf(url: string, credentials: () => Promise<Readonly<Record<string, string>>>): TestClient {
  const send =
    (method: string) =>
    async <Body>(path: string, body?: unknown): Promise<TestResponse<Body>> => {
      const answer = await fetch(url + path, {
        method,
        headers: {
          ...(await credentials()),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        body: body === undefined ? undefined : JSON.stringify(body),
      });
      const text = await answer.text();
      const isJson = answer.headers.get('content-type')?.startsWith('application/json');
      return {
        status: answer.status,
        headers: answer.headers,
        body: isJson ? JSON.parse(text) : (text as Body),
      };
    };
  return { get: send('GET'), post: send('POST'), put: send('PUT'), delete: send('DELETE') };
}
