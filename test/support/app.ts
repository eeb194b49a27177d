import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { DataSource } from 'typeorm';
import { configureApp } from '../../src/app/configure-app.js';
import { AppModule } from '../../src/app.module.js';
import { Clock } from '../../src/common/clock.js';
import { readEnvironment } from '../../src/config/env.js';
import { RestAdapter } from '../../src/http/server/rest-adapter.js';
import type { Plugin } from '../../src/plugins/plugin.js';
import { TextPool } from '../../src/wordpress/rendering/text-pool.js';
import { guardTransactions } from './guard-transactions.js';
import { type StatementCount, StatementLog } from './statement-log.js';

/** The instant of the recordings. */
export const RECORDED_NOW = '2091-03-01T10:00:00Z';

/** The public REST root of links in test servers. */
export const REST_BASE_URL = 'http://calendar.example.org/wp-json';

/** A clock that starts at an instant and runs in real time or is frozen; tests can advance it. */
export class TestClock extends Clock {
  private readonly begun = performance.now();
  private ahead = 0;

  /** `start`: any ISO date and time. */
  constructor(
    private readonly start: string,
    private readonly stands = false,
  ) {
    super();
  }

  override now(): number {
    const run = this.stands ? 0 : performance.now() - this.begun;
    return Math.round(Date.parse(this.start) + run + this.ahead);
  }

  /** Advances the clock by milliseconds. */
  pass(ms: number): void {
    this.ahead += ms;
  }
}

/** Options of a test server. */
export interface TestAppOptions {
  databaseUrl: string;
  /** Start of the server's clock; default: the instant of the recordings. */
  now?: string;
  /** Whether the clock is frozen. */
  clockStands?: boolean;
  /** Further environment variables. */
  env?: Readonly<Record<string, string>>;
  plugins?: readonly Plugin[];
  /** Threads for long texts; default: none, as threads cannot load uncompiled sources. */
  textPool?: TextPool;
}

/** A running server. */
export interface TestApp {
  /** Its root, such as `http://127.0.0.1:41234`, without the path of the interface. */
  url: string;
  dataSource: DataSource;
  nest: NestExpressApplication;
  /** The server's clock. */
  clock: TestClock;
  /** The SQL statements since the last call; the first call starts the recording. */
  statements(): StatementCount;
  close(): Promise<void>;
}

/** Boots the shipped application on a free port; only the clock is replaced. */
export async function startApp({
  databaseUrl,
  now,
  clockStands,
  env,
  plugins,
  textPool,
}: TestAppOptions): Promise<TestApp> {
  // Scheduled runs and cache warming start only when a test calls them.
  const own = { DATABASE_URL: databaseUrl, REST_BASE_URL, SCHEDULER: 'off' };
  const environment = readEnvironment({ ...own, ...env });
  const clock = new TestClock(now ?? RECORDED_NOW, clockStands);
  const module = await Test.createTestingModule({
    imports: [AppModule.forRoot({ env: environment, plugins })],
  })
    .overrideProvider(Clock)
    .useValue(clock)
    .overrideProvider(TextPool)
    .useValue(textPool ?? new TextPool())
    .compile();
  const nest = module.createNestApplication<NestExpressApplication>(new RestAdapter(), {
    bodyParser: false,
    rawBody: true,
  });
  configureApp(nest);
  await nest.listen(0, '127.0.0.1');
  const server: Server = nest.getHttpServer();
  // Connections outlive a test that blocks for seconds.
  if (env?.['KEEP_ALIVE_TIMEOUT'] === undefined) server.keepAliveTimeout = 120_000;
  const { port } = server.address() as AddressInfo;
  const dataSource = nest.get(DataSource);
  const log = StatementLog.on(dataSource);
  guardTransactions(nest);
  return {
    url: `http://127.0.0.1:${port}`,
    dataSource,
    nest,
    clock,
    statements: () => log.take(),
    close: () => {
      // The server would wait for responses that a test never read.
      server.closeAllConnections();
      return nest.close();
    },
  };
}
