import type { IncomingMessage } from 'node:http';
import { type CustomDecorator, SetMetadata, type Type } from '@nestjs/common';
import { declaredArguments, hasRouteDecorators } from '../nest-metadata.js';
import type { ParameterClasses } from '../params/check-context.js';
import { collectedFrom } from '../params/parameters.js';
import { PathId } from '../params/path-id.js';
import { type DeclaredArg, declaredArgs } from '../params/rest-arg.js';
import { contextArgument } from '../request-context.js';

const CACHEABLE = 'almanac:cacheable';

/**
 * Marks a GET, or all of a controller, whose anonymous response depends only on its path, its declared parameters, the
 * database and `RequestContext.time`, so that it may be cached (docs/behaviour/caching.md).
 */
export const Cacheable = (): CustomDecorator => SetMetadata(CACHEABLE, true);

/** Kinds of Nest's arguments that may depend on anything of a request: all but path parameters (5). */
const UNDECLARED = /^(?!5:)\d+:/;
const PATH_PARAMETER = /^5:/;
/** The factories of our own decorators; any other may depend on anything of a request. */
const OWN_DECORATORS = new Set<unknown>([undefined, collectedFrom, contextArgument]);

/** What the responses of a route depend on. */
export interface CacheableRoute {
  /** All declared parameters except those that unlock protected records. */
  readonly params: ReadonlyMap<string, DeclaredArg>;
  /** The classes that declare the parameters. */
  readonly dtos: readonly (new () => object)[];
  /** The parameters that unlock protected records. */
  readonly unlocking: ReadonlyMap<string, DeclaredArg>;
  /** The path parameters that are ids: `053` is `53`. */
  readonly ids: ReadonlySet<unknown>;
}

/** Whether a request is a GET or HEAD whose response depends only on its URL; `login`: headers of logins. */
export function isCacheableRequest({ method, headers }: IncomingMessage, login: readonly string[]): boolean {
  return (
    (method === 'GET' || method === 'HEAD') &&
    headers.authorization === undefined &&
    headers['x-wp-nonce'] === undefined &&
    headers['x-http-method-override'] === undefined &&
    headers['transfer-encoding'] === undefined &&
    (headers['content-length'] ?? '0') === '0' &&
    login.every((name) => headers[name] === undefined)
  );
}

/** What the responses of a route depend on; null where they must not be cached. */
export function cacheableRoute(
  controller: Type,
  handler: object,
  classes: ParameterClasses,
): CacheableRoute | null {
  const targets = [handler, controller];
  const isMarked = targets.some((target) => Reflect.getMetadata(CACHEABLE, target) === true);
  const declared = declaredArguments(controller, handler);
  if (!isMarked || !declared) return null;
  const args = Object.entries(declared);
  const hasOther = args.some(([kind, { factory }]) => UNDECLARED.test(kind) || !OWN_DECORATORS.has(factory));
  if (hasRouteDecorators(...targets) || hasOther) return null;
  const dtos = args.flatMap(([, { data }]) => (typeof data === 'function' ? [data as new () => object] : []));
  const own = dtos.flatMap((dto) => declaredArgs(classes.of(dto)));
  const ids = args.filter(
    ([kind, { pipes }]) => PATH_PARAMETER.test(kind) && pipes.length === 1 && pipes[0] === PathId,
  );
  return {
    params: new Map(own.filter(({ unlocks }) => !unlocks).map((arg) => [arg.name, arg])),
    dtos,
    unlocking: new Map(own.filter(({ unlocks }) => unlocks).map((arg) => [arg.name, arg])),
    ids: new Set(ids.map(([, { data }]) => data)),
  };
}
