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

/** When the recorded cases were recorded. */
export const RECORDED_NOW = '2091-03-01T10:00:00Z';

/** The public REST root that the tests' servers build links on. */
export const REST_BASE_URL = 'http://calendar.example.org/wp-json';

/** A clock that starts at a given instant and runs in real time, or stands still there; it can be put forward. */
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

  /** Puts it forward by some milliseconds. */
  pass(ms: number): void {
    this.ahead += ms;
  }
}

/** What a test says of the server that it wants. */
export interface TestAppOptions {
  databaseUrl: string;
  /** Where the server's clock starts; the recorded instant when absent. */
  now?: string;
  /** Whether its clock stands still. */
  clockStands?: boolean;
  /** Further environment variables. */
  env?: Readonly<Record<string, string>>;
  plugins?: readonly Plugin[];
  /** Threads for long texts; without, they are dealt with in place, as no thread can load uncompiled sources. */
  textPool?: TextPool;
}

/** A running server. */
export interface TestApp {
  /** Its root, such as `http://127.0.0.1:41234`; interface paths are appended to it. */
  url: string;
  dataSource: DataSource;
  nest: NestExpressApplication;
  /** What its clock is. */
  clock: TestClock;
  /** The SQL statements that ran since the last call; call it once to begin. */
  statements(): StatementCount;
  close(): Promise<void>;
}

/** Boots the shipped application on a free port, with nothing replaced but the clock. */
export async function startApp({
  databaseUrl,
  now,
  clockStands,
  env,
  plugins,
  textPool,
}: TestAppOptions): Promise<TestApp> {
  // What is due at the test's time, and what is made ready, is done when a test asks for it.
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
  // A test that computes for seconds must not come back to a connection that has just been closed.
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
      // Answers that a test never read would be waited for.
      server.closeAllConnections();
      return nest.close();
    },
  };
}
