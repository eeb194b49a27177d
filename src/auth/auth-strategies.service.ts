import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { StartError } from '../database/start-error.js';
import { AuthStrategy } from './auth-strategy.js';
import { type AuthRequest, headerOf } from './login-request.js';

const NAME = /^[a-z][a-z0-9-]{0,39}$/;
const HEADER = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;
/** Headers that every request of the recorded interface may have; responses do not name them. */
const RECORDED = ['authorization', 'cookie', 'x-wp-nonce'];
/** Headers that reach strategies of others only in a changed form. */
const RESERVED = ['x-wp-nonce', 'x-http-method-override'];

/** The names of the strategies that WordPress has as well. */
export const WORDPRESS_STRATEGIES: ReadonlySet<string> = new Set(['basic', 'cookie']);

/** The strategies in their order: ours, and all providers of plugins that extend `AuthStrategy`. */
@Injectable()
export class AuthStrategies implements OnModuleInit {
  private readonly logger = new Logger('Authentication');
  all: readonly AuthStrategy[] = [];
  /** Those that WordPress does not have. */
  added: readonly AuthStrategy[] = [];
  /** Headers that clients send for them, for CORS. */
  ownHeaders: readonly string[] = [];
  /** Headers on which anonymous responses depend in addition, for `Vary`. */
  varyingHeaders: readonly string[] = [];
  /** Headers that keep a request from getting the cached response of its URL. */
  uncachedHeaders: readonly string[] = [];
  /** Headers of credentials that a request must not repeat. */
  singleHeaders: readonly string[] = [];
  /** Whether a strategy takes bearer tokens. */
  takesBearer = false;

  constructor(private readonly modules: ModulesContainer) {}

  /** Collects the strategies; throws a `StartError` for an invalid one. */
  onModuleInit(): void {
    const found = new Set<AuthStrategy>();
    for (const { providers } of this.modules.values())
      for (const wrapper of providers.values()) {
        const { instance, isTransient } = wrapper;
        if (!(instance instanceof AuthStrategy)) continue;
        if (isTransient || !wrapper.isDependencyTreeStatic())
          throw new StartError(
            `The login strategy ${wrapper.name} must be a singleton, with the default scope.`,
          );
        if (instance.isActive) found.add(instance);
        else this.logger.debug(`The login strategy ${instance.name} is inactive.`);
      }
    this.use([...found]);
  }

  /** Uses these strategies; throws a `StartError` for an invalid one. */
  use(strategies: readonly AuthStrategy[]): void {
    const names = new Map<string, AuthStrategy>();
    for (const strategy of strategies) {
      check(strategy);
      const other = names.get(strategy.name);
      if (other)
        throw new StartError(
          `Both ${other.constructor.name} and ${strategy.constructor.name} are login strategies of the name "${strategy.name}".`,
        );
      names.set(strategy.name, strategy);
    }
    this.all = strategies.toSorted((a, b) => a.order - b.order);
    this.added = this.all.filter(({ name }) => !WORDPRESS_STRATEGIES.has(name));
    this.varyingHeaders = [...new Set(this.added.flatMap(({ headers }) => headers))].map(titleCase);
    this.uncachedHeaders = [...new Set(this.added.flatMap(({ headers }) => headers))];
    this.ownHeaders = this.uncachedHeaders.filter((name) => !RECORDED.includes(name)).map(titleCase);
    this.singleHeaders = this.uncachedHeaders.filter((name) => name !== 'cookie');
    this.takesBearer = this.all.some(isBearer);
  }

  /** Whether a request has a header of this strategy. */
  static concerns({ headers }: AuthStrategy, request: AuthRequest): boolean {
    return headers.some((name) => headerOf(request, name) !== undefined);
  }
}

/** Whether clients send the strategy's credentials as a bearer token. */
export function isBearer({ scheme }: AuthStrategy): boolean {
  return scheme.type === 'http' && scheme.scheme.toLowerCase() === 'bearer';
}

function check(strategy: AuthStrategy): void {
  const { name, headers, order, scheme } = strategy;
  const fail = (fault: string): never => {
    throw new StartError(`The login strategy ${strategy.constructor.name} ${fault}`);
  };
  if (typeof name !== 'string' || !NAME.test(name) || name === 'nonce')
    fail('needs a name of lower-case letters, digits and hyphens, such as "badge".');
  if (!Number.isFinite(order)) fail('has an order that is no number.');
  if (!Array.isArray(headers) || headers.length === 0 || !headers.every((one) => HEADER.test(one)))
    fail('must list the headers that it reads, in lower case.');
  const reserved = headers.find((one) => RESERVED.includes(one));
  if (reserved !== undefined && name !== 'cookie') fail(`may not read the header ${reserved}.`);
  if (typeof scheme?.type !== 'string') fail('needs a scheme, such as { type: "http", scheme: "bearer" }.');
}

/** `X-Badge` for `x-badge`. */
const titleCase = (name: string): string => name.replace(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase());
