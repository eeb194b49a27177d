import 'reflect-metadata';
import { relative } from 'node:path';
import type { LoggerService } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from '../app.module.js';
import { type Environment, ownEnvironment } from '../config/env.js';
import { StartError } from '../database/start-error.js';
import { RestAdapter } from '../http/server/rest-adapter.js';
import { Log } from '../observability/logging/log.js';
import { LogShutdown } from '../observability/observability.module.js';
import { checkCopies, isTool } from '../plugins/check-copies.js';
import { GrantsService } from '../plugins/grants.service.js';
import { isPlugin, loadPlugins } from '../plugins/load-plugins.js';
import { checkOptions, migrationsOf, type Plugin } from '../plugins/plugin.js';
import { handOver } from '../plugins/plugins-of-main.js';
import { FirstStart } from '../setup/first-start.service.js';
import { configureApp } from './configure-app.js';

/** The options of a server; all have defaults. */
export interface ServerOptions {
  /** The configuration; by default that of the process and of `.env` in the working directory. */
  env?: Environment;
  /** Nest modules, in addition to those in `PLUGINS`. */
  plugins?: readonly Plugin[];
  /** `false` disables the log; by default it goes to standard output by `LOG_LEVEL` and `LOG_FORMAT`. */
  logger?: LoggerService | false;
}

/**
 * Creates the application, connected to its database; `await app.listen(port)` starts it. Throws an `EnvironmentError` or a
 * `StartError` for errors of the configuration.
 */
export async function createServer(options: ServerOptions = {}): Promise<NestExpressApplication> {
  // A command reads the plugins of a main file and needs no server.
  if (handOver(options)) return new Promise(() => undefined);
  const app = await createApplication(options);
  try {
    // Before any module starts, so that each finds the site's tables.
    await app.get(FirstStart).start();
    await app.get(GrantsService).giveNew();
    return app;
  } catch (error) {
    await app.close();
    throw error;
  }
}

/** The same on a database that may have no site yet. */
export async function createApplication({
  env = ownEnvironment(),
  plugins = [],
  logger = env.logLevel !== 'silent' && new Log(env),
}: ServerOptions = {}): Promise<NestExpressApplication> {
  for (const [at, plugin] of plugins.entries())
    checkOptions(plugin, `The plugin at place ${at + 1} of those given`);
  const invalid = plugins.findIndex((plugin) => !isPlugin(plugin));
  if (invalid >= 0)
    throw new StartError(
      `The plugin at place ${invalid + 1} of those given is no Nest module nor dynamic module.`,
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

/** The command that runs the migrations of these plugins and of those in `PLUGINS`. */
function migrateBy(plugins: readonly Plugin[]): string {
  const main = process.argv[1];
  const isOwn = main !== undefined && migrationsOf(plugins).length > 0;
  return isOwn ? `almanac migrate --main ${relative(process.cwd(), main)}` : 'almanac migrate';
}
