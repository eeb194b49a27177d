import type { INestApplicationContext } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { createApplication } from '../app/create-server.js';
import { Environment, ownEnvironment } from '../config/env.js';
import { dataSourceOptions } from '../database/data-source-options.js';
import { connect, isEmpty } from '../database/open-site.js';
import { StartError } from '../database/start-error.js';
import type { Plugin } from '../plugins/plugin.js';
import { exceptionText } from './exception-text.js';

/** Runs work with the server's services, without listening; throws `StartError` if there is no site. */
export function withSite<T>(
  work: (app: INestApplicationContext) => Promise<T>,
  env: Environment = ownEnvironment(),
  plugins: readonly Plugin[] = [],
): Promise<T> {
  // Caches do not pay for a single command, and nothing queues behind its statements.
  const forOne = new Environment({ ...env, cache: 0, databaseTimeout: 0 });
  const inited = async (app: NestExpressApplication) => {
    await app.init();
    return work(app);
  };
  return withServer(forOne, inited, plugins);
}

/** Runs work with the whole server, which the work may start. */
export async function withServer<T>(
  env: Environment,
  work: (app: NestExpressApplication) => Promise<T>,
  plugins: readonly Plugin[] = [],
): Promise<T> {
  const source = await connect(dataSourceOptions(env), env);
  try {
    if (await isEmpty(source, env)) throw new StartError('The database is empty: there is no site in it.');
  } finally {
    await source.destroy();
  }
  // The schedule and metrics belong to the server.
  const quiet = new Environment({ ...env, workers: 1, metrics: null, scheduler: 'off' });
  const app = await withoutSignals(() => createApplication({ env: quiet, plugins, logger: false }));
  try {
    return await work(app);
  } catch (error) {
    throw exceptionText(error);
  } finally {
    await app.close();
  }
}

/** Restores signal handlers after `make`: commands handle signals themselves. */
async function withoutSignals<T>(make: () => Promise<T>): Promise<T> {
  const signals = ['SIGINT', 'SIGTERM'] as const;
  const before = signals.flatMap((signal) => process.listeners(signal));
  const app = await make();
  for (const signal of signals)
    for (const listener of process.listeners(signal))
      if (!before.includes(listener)) process.off(signal, listener);
  return app;
}
