import 'reflect-metadata';
import { relative } from 'node:path';
import type { LoggerService } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from '../app.module.js';
import type { Environment } from '../config/env.js';
import { ownEnvironment } from '../config/env-file.js';
import { StartError } from '../database/start-error.js';
import { RestAdapter } from '../http/server/rest-adapter.js';
import { Log } from '../observability/logging/log.js';
import { LogShutdown } from '../observability/logging/logging.module.js';
import { checkCopies, isTool } from '../plugins/check-copies.js';
import { GrantsService } from '../plugins/grants.service.js';
import { isPlugin, loadPlugins } from '../plugins/load-plugins.js';
import { checkOptions, migrationsOf, type Plugin } from '../plugins/plugin.js';
import { handOver } from '../plugins/plugins-of-main.js';
import { FirstStart } from '../setup/first-start.service.js';
import { configureApp } from './configure-app.js';

/** What a server is made of; everything has a default. */
export interface ServerOptions {
  /** The configuration; by default that of the process, after `.env` of the working directory was read. */
  env?: Environment;
  /** Nest modules, beside those that `PLUGINS` names. */
  plugins?: readonly Plugin[];
  /** Where the log goes, `false` for nowhere; by default to the standard output, as `LOG_LEVEL` and `LOG_FORMAT` say. */
  logger?: LoggerService | false;
}

/**
 * The whole application, connected to its database and not yet listening: `await app.listen(port)` is what is left to do.
 * Throws an `EnvironmentError` or a `StartError` for what whoever starts it can mend.
 */
export async function createServer(options: ServerOptions = {}): Promise<NestExpressApplication> {
  // A command wants to know the plugins, and no server.
  if (handOver(options)) return new Promise(() => undefined);
  const app = await createApplication(options);
  try {
    // Before any module starts: it finds a whole site, and its tables.
    await app.get(FirstStart).start();
    await app.get(GrantsService).giveNew();
    return app;
  } catch (error) {
    await app.close();
    throw error;
  }
}

/** The same, on a database in which there may be no site yet. */
export async function createApplication({
  env = ownEnvironment(),
  plugins = [],
  logger = env.logLevel !== 'silent' && new Log(env),
}: ServerOptions = {}): Promise<NestExpressApplication> {
  for (const [at, plugin] of plugins.entries())
    checkOptions(plugin, `The plugin at place ${at + 1} of those given`);
  const strange = plugins.findIndex((plugin) => !isPlugin(plugin));
  if (strange >= 0)
    throw new StartError(
      `The plugin at place ${strange + 1} of those given is no Nest module nor dynamic module.`,
    );
  const main = process.argv[1];
  if (plugins.length > 0 && main !== undefined && !isTool(main)) checkCopies(main, main);
  const named = await loadPlugins(env.plugins);
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.forRoot({ env, plugins: [...plugins, ...named], migrateBy: migrateBy(plugins) }),
    new RestAdapter(),
    {
      bodyParser: false,
      rawBody: true,
      abortOnError: false,
      routeConflictPolicy: { duplicate: 'warn' },
      logger,
    },
  );
  if (logger instanceof Log) app.get(LogShutdown).log = logger;
  configureApp(app);
  return app;
}

/** The command that runs the migrations of these and of what `PLUGINS` names. */
function migrateBy(plugins: readonly Plugin[]): string {
  const main = process.argv[1];
  const isOwn = main !== undefined && migrationsOf(plugins).length > 0;
  return isOwn ? `almanac migrate --main ${relative(process.cwd(), main)}` : 'almanac migrate';
}
