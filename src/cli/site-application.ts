import type { INestApplicationContext } from '@nestjs/common';
import { createServer } from '../create-server.js';
import { Environment } from '../config/env.js';
import { ownEnvironment } from '../config/env-file.js';
import { StartError } from '../database/start-error.js';
import { dataSourceOptions } from '../database/data-source-options.js';
import { connect, isEmpty } from '../database/open-site.js';
import type { Plugin } from '../plugins/plugin.js';

/**
 * Does something with the services of the server, without one: connected, not listening, closed at the end. A `StartError`
 * says what keeps it from being opened; an empty database is not made a site.
 */
export async function withSite<T>(
  work: (app: INestApplicationContext) => Promise<T>,
  env: Environment = ownEnvironment(),
  plugins: readonly Plugin[] = [],
): Promise<T> {
  const source = await connect(dataSourceOptions(env), env);
  try {
    if (await isEmpty(source, env)) throw new StartError('The database is empty: there is no site in it.');
  } finally {
    await source.destroy();
  }
  // What warms up for many requests does not pay for one command, and what is due is for the server to do.
  const forOne = new Environment({ ...env, cache: 0, workers: 1, metrics: null, scheduler: 'off' });
  const app = await createServer({ env: forOne, plugins, logger: false });
  try {
    await app.init();
    return await work(app);
  } finally {
    await app.close();
  }
}
