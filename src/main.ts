import 'reflect-metadata';
import { Logger, type LogLevel } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from './app.module.js';
import { type Environment, EnvironmentError, readEnvironment } from './config/env.js';
import { loadEnvFile } from './config/env-file.js';
import { configureApp } from './configure-app.js';
import { StartError } from './database/start-error.js';
import { plugins } from './plugins.js';
import { localAddress, StartLogger } from './start-logger.js';

const LEVELS: LogLevel[] = ['error', 'warn', 'log', 'debug'];

/** A logger of the levels up to the configured one. */
function logger(env: Environment): StartLogger | false {
  if (env.logLevel === 'silent') return false;
  return new StartLogger({ logLevels: LEVELS.slice(0, LEVELS.indexOf(env.logLevel) + 1) });
}

async function start(): Promise<void> {
  loadEnvFile();
  const env = readEnvironment(process.env);
  const app = await NestFactory.create<NestExpressApplication>(AppModule.forRoot({ env, plugins }), {
    bodyParser: false,
    abortOnError: false,
    logger: logger(env),
  });
  configureApp(app);
  await app.listen(env.port, env.host);
  const { port } = app.getHttpServer().address() as { port: number };
  new Logger('Almanac').log(`Listening: ${localAddress(env, port)}/events`);
}

start().catch((error: unknown) => {
  const expected = error instanceof EnvironmentError || error instanceof StartError;
  const taken = (error as { code?: string }).code === 'EADDRINUSE';
  if (taken) console.error('The port is taken by another program: choose one with PORT.');
  else console.error(expected ? (error as Error).message : error);
  process.exit(1);
});
