import type { INestApplicationContext } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Environment } from '../config/env.js';
import { ownEnvironment } from '../config/env-file.js';
import { createApplication } from '../app/create-server.js';
import { dataSourceOptions } from '../database/data-source-options.js';
import { connect, isEmpty } from '../database/open-site.js';
import { StartError } from '../database/start-error.js';
import type { Plugin } from '../plugins/plugin.js';
import { exceptionText } from './exception-text.js';

/**
 * Does something with the services of the server, without one: connected, not listening, closed at the end. A `StartError`
 * says what keeps it from being opened, or what was refused; an empty database is not made a site.
 */
export function withSite<T>(
  work: (app: INestApplicationContext) => Promise<T>,
  env: Environment = ownEnvironment(),
  plugins: readonly Plugin[] = [],
): Promise<T> {
  // What warms up for many requests does not pay for one command, and nobody waits behind its statements.
  const forOne = new Environment({ ...env, cache: 0, databaseTimeout: 0 });
  const inited = async (app: NestExpressApplication) => {
    await app.init();
    return work(app);
  };
  return withServer(forOne, inited, plugins);
}

/** The same with the whole server, which `work` may let listen. */
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
  // What is due, and what is counted, is for the server.
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

/** Takes back what `make` does about signals: commands hear of them themselves, and end in their own way. */
async function withoutSignals<T>(make: () => Promise<T>): Promise<T> {
  const signals = ['SIGINT', 'SIGTERM'] as const;
  const before = signals.flatMap((signal) => process.listeners(signal));
  const made = await make();
  for (const signal of signals)
    for (const listener of process.listeners(signal))
      if (!before.includes(listener)) process.off(signal, listener);
  return made;
}
