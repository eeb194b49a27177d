import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { readEnvironment } from './config/env.js';
import { createServer } from './create-server.js';
import { FirstStart } from './first-start/first-start.service.js';
import { isPlugin } from './plugins/load-plugins.js';
import { classOf, type Plugin, type Replacement } from './plugins/plugin.js';
import { Clock } from './wordpress/dates/clock.js';

/** What a test says of the server that it wants. */
export interface TestServerOptions {
  plugins?: readonly Plugin[];
  /** Whether the calendar holds the demo's events, which lie around `now`; else it is empty. */
  demo?: boolean;
  /** Where the clock stands: any ISO date and time; when absent, a plugin's own clock runs, else it is 2030-01-15 noon UTC. */
  now?: string;
  /** Further environment variables. */
  env?: Readonly<Record<string, string>>;
  /** What a `main.ts` of one's own sets on the application before it listens: a prefix, versions, an adapter of web sockets. */
  configure?: (app: NestExpressApplication) => unknown;
}

/** What came back: JSON parsed, anything else as text. */
export interface TestAnswer<Body = unknown> {
  status: number;
  headers: Headers;
  body: Body;
}

/** Sends requests to the server; `path` is whole, such as `/cal/events/v1/events`, and a body goes as JSON. */
export interface TestClient {
  get<Body>(path: string): Promise<TestAnswer<Body>>;
  post<Body>(path: string, body?: unknown): Promise<TestAnswer<Body>>;
  put<Body>(path: string, body?: unknown): Promise<TestAnswer<Body>>;
  delete<Body>(path: string, body?: unknown): Promise<TestAnswer<Body>>;
}

/** A running server; its own methods send requests as nobody. */
export interface TestServer extends TestClient {
  /** For services: `app.get(EventsService)`. */
  app: NestExpressApplication;
  /** Sends requests as the site's administrator. */
  asAdmin(): TestClient;
  /** The application password of the administrator, whose login is `admin`. */
  adminPassword: string;
  /** Stops the server and removes its calendar. */
  close(): Promise<void>;
}

/** Starts a server with these plugins on a calendar of its own: in a temporary folder, on a free port, without a log. */
export async function startTestServer({
  plugins = [],
  demo = false,
  now,
  env,
  configure,
}: TestServerOptions = {}): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), `almanac-plugin-${process.pid}-`));
  const removeFolder = () => rm(folder, { recursive: true, force: true });
  try {
    const own = { SCHEDULER: 'off', DATABASE_URL: `sqlite:${join(folder, 'calendar.db')}` };
    const app = await createServer({
      env: readEnvironment({ ...own, ...env }),
      plugins: [...plugins, ...standingClock(plugins, now)],
      logger: false,
    });
    await configure?.(app);
    const password = await app.get(FirstStart).makeSite(demo);
    await app.listen(0, '127.0.0.1');
    const { port } = app.getHttpServer().address() as AddressInfo;
    const url = `http://127.0.0.1:${port}`;
    const authorization = `Basic ${btoa(`admin:${password}`)}`;
    return {
      app,
      ...clientOf(url, {}),
      asAdmin: () => clientOf(url, { authorization }),
      adminPassword: password ?? '',
      close: async () => {
        await app.close();
        await removeFolder();
      },
    };
  } catch (error) {
    await removeFolder();
    throw error;
  }
}

function standingClock(plugins: readonly Plugin[], now: string | undefined): Plugin[] {
  if (now === undefined && plugins.some((one) => isPlugin(one) && replacesClock(classOf(one).replaces)))
    return [];
  const instant = Date.parse(now ?? '2030-01-15T12:00:00Z');
  class StandingClock {
    static readonly replaces: Replacement[] = [{ provide: Clock, useValue: { now: () => instant } }];
  }
  return [StandingClock];
}

const replacesClock = (replaces: unknown) =>
  Array.isArray(replaces) && replaces.some((one) => one?.provide === Clock);

function clientOf(url: string, credentials: Readonly<Record<string, string>>): TestClient {
  const send =
    (method: string) =>
    async <Body>(path: string, body?: unknown): Promise<TestAnswer<Body>> => {
      const answer = await fetch(url + path, {
        method,
        headers: { ...credentials, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
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
