import { ConsoleLogger, type LogLevel } from '@nestjs/common';
import type { Environment } from './config/env.js';

/** Parts of Nest that name every module and route at each start; said only when debugging. */
const CHATTER = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
]);

/** Parts of Nest that report a failed start with its stack; whoever starts Almanac is told once, in plain words. */
const ALARMS = new Set(['TypeOrmModule', 'ExceptionHandler', 'NestApplication']);

/** Nest's own logger without its account of the start, so that the address and the first login are not lost in it. */
class StartLogger extends ConsoleLogger {
  override log(message: unknown, ...rest: unknown[]): void {
    const context = rest.at(-1);
    if (typeof context === 'string' && CHATTER.has(context)) super.debug(message, ...rest);
    else super.log(message, ...rest);
  }

  override error(message: unknown, ...rest: unknown[]): void {
    const context = rest.at(-1);
    if (typeof context === 'string' && ALARMS.has(context)) super.debug(message, ...rest);
    else super.error(message, ...rest);
  }
}

const LEVELS: LogLevel[] = ['error', 'warn', 'log', 'debug'];

/** A logger of the levels up to the configured one. */
export function startLogger({ logLevel }: Environment): StartLogger | false {
  if (logLevel === 'silent') return false;
  return new StartLogger({ logLevels: LEVELS.slice(0, LEVELS.indexOf(logLevel) + 1) });
}

/** Where the interface answers on this machine, under the first of its names. */
export function localAddress({ host, pathPrefix, apiNamespaces }: Environment, port: number): string {
  const everywhere = host === '0.0.0.0' || host === '::';
  const name = everywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}${pathPrefix}/${apiNamespaces[0]}`;
}
