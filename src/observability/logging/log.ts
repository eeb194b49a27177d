import { isatty } from 'node:tty';
import type { LoggerService } from '@nestjs/common';
import { type Logger, pino } from 'pino';
import { getStore } from '../../common/context/request-store.js';
import type { Environment } from '../../config/env.js';
import { hasColors } from '../../lib/has-colors.js';
import { cut, fitting, oneLine } from '../../lib/safe-text.js';
import { errorText, sourceLines } from './error-text.js';
import { LogOutput, MAX_LINE_LENGTH } from './log-output.js';
import { redact, secretsOf } from './redact.js';

/** A structured log entry: JSON logs contain the members, text logs the message. */
export class LogEntry {
  constructor(
    /** One line of text; it must not contain line breaks. */
    readonly message: string,
    /** In output order; undefined members are omitted. */
    readonly members: Readonly<Record<string, string | number | undefined>>,
  ) {}

  toString(): string {
    return this.message;
  }
}

/** Contexts of Nest that log every module and route on start; lowered to debug. */
const VERBOSE_CONTEXTS = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
]);
/** Contexts of Nest that log a failed start with its stack; lowered to debug, as Almanac logs it once itself. */
const START_ERROR_CONTEXTS = new Set(['TypeOrmModule', 'ExceptionHandler', 'NestApplication']);

/** Nest's levels, most severe first; JSON has pino's names, terminals colours. */
const LEVELS = ['error', 'warn', 'log', 'debug'] as const;
type Level = (typeof LEVELS)[number];
const JSON_LEVELS = { error: 'error', warn: 'warn', log: 'info', debug: 'debug' } as const;
const COLOURS: Readonly<Record<Level, number>> = { error: 31, warn: 33, log: 32, debug: 35 };

/** The maximum length of a message in characters, and of a written line in bytes, as lines are written atomically. */
const MAX_LENGTH = 16_384;
const MAX_BYTES = MAX_LINE_LENGTH - 512;
/** The maximum length of a context in characters. */
const MAX_CONTEXT_LENGTH = 60;

/**
 * The log: one line per entry, as text or JSON (docs/operating.md#logs), with the id of the current request. Nest's
 * `Logger`, also in plugins, writes here.
 */
export class Log implements LoggerService {
  private readonly level: number;
  private readonly secrets: readonly string[];
  private readonly output: LogOutput;
  private readonly json?: Logger;
  private readonly isColoured: boolean;
  private readonly pid: string;

  /** `fd`: the file descriptor that lines are written to. */
  constructor(env: Environment, fd = 1) {
    this.level = LEVELS.findIndex((name) => name === env.logLevel);
    this.secrets = secretsOf(env);
    this.isColoured = hasColors(isatty(fd));
    const isOneOfMany = env.workers > 1;
    this.pid = isOneOfMany ? ` ${process.pid}` : '';
    this.output = new LogOutput(fd, isOneOfMany, (dropped) =>
      this.warn(`${dropped} lines were dropped: whoever reads the log is too slow.`, 'Log'),
    );
    if (env.logFormat === 'json')
      this.json = pino(
        {
          level: 'debug',
          base: isOneOfMany ? { pid: process.pid } : null,
          timestamp: () => `,"time":"${isoTime()}"`,
          formatters: { level: (level) => ({ level }) },
        },
        this.output,
      );
  }

  log(message: unknown, ...rest: unknown[]): void {
    this.write(VERBOSE_CONTEXTS.has(String(rest.at(-1))) ? 'debug' : 'log', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.write(START_ERROR_CONTEXTS.has(String(rest.at(-1))) ? 'debug' : 'error', message, rest);
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.error(message, ...rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.debug(message, ...rest);
  }

  /** Writes all buffered lines; later ones are written at once. */
  end(): Promise<void> {
    return this.output.end();
  }

  private write(level: Level, message: unknown, rest: readonly unknown[]): void {
    if (LEVELS.indexOf(level) > this.level) return;
    const { context, more } = split(rest);
    if (message instanceof LogEntry) {
      this.put(level, context, message.message, message.members);
      return;
    }
    const texts = [message, ...more].filter((one) => one !== undefined).map(textOf);
    this.put(level, context, redact(cut(sourceLines(texts.join('\n')), MAX_LENGTH), this.secrets));
  }

  private put(
    level: Level,
    context: string | undefined,
    message: string,
    members: LogEntry['members'] = {},
  ): void {
    const request = members['request'] ?? getStore()?.request?.id;
    if (this.json)
      this.json[JSON_LEVELS[level]]({ context, ...members, request }, fitting(message, MAX_BYTES));
    else this.output.write(this.text(level, context, message, request));
  }

  private text(
    level: Level,
    context: string | undefined,
    message: string,
    request?: string | number,
  ): string {
    const name = level.toUpperCase();
    const coloured = this.isColoured ? `\x1b[${COLOURS[level]}m${name}\x1b[0m` : name;
    const about = request === undefined ? '' : ` request=${request}`;
    return `${isoTime()}${this.pid} ${coloured} [${context ?? 'Almanac'}] ${fitting(oneLine(message), MAX_BYTES)}${about}\n`;
  }
}

/** Splits the optional parameters of Nest's `Logger`: the last one is the context unless it is a stack. */
function split(rest: readonly unknown[]): { context?: string; more: readonly unknown[] } {
  const last = rest.at(-1);
  return typeof last === 'string' && !last.includes('\n')
    ? { context: cut(oneLine(last), MAX_CONTEXT_LENGTH), more: rest.slice(0, -1) }
    : { more: rest };
}

function textOf(value: unknown): string {
  if (value instanceof Error) return errorText(value);
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}

let last = { at: 0, text: '' };

/** The current time, cached per millisecond. */
function isoTime(): string {
  const at = Date.now();
  if (at !== last.at) last = { at, text: new Date(at).toISOString() };
  return last.text;
}
