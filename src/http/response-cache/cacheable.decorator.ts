import type { IncomingMessage } from 'node:http';
import { type CustomDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import { declaredArguments, hasRouteDecorators } from '../nest-metadata.js';
import type { ParameterClasses } from '../params/parameter-classes.js';
import { collectedFrom } from '../params/parameters.js';
import { PathId } from '../params/path-id.js';
import { type DeclaredArg, declaredArgs } from '../params/rest-arg.js';
import { contextArgument } from '../request-context.js';

const CACHEABLE = 'almanac:keep';

/**
 * Marks a GET, or all of a controller, whose answer to somebody who is not signed in follows from its path, its declared
 * parameters, the database and `RequestContext.now` alone: it may be kept until one of them says otherwise
 * (docs/behaviour/caching.md).
 */
export const Cacheable = (): CustomDecorator => SetMetadata(CACHEABLE, true);

/** What Nest's own decorators hand in: all but path parameters (5) may be anything of a request. */
const UNDECLARED = /^(?!5:)\d+:/;
const PATH_PARAMETER = /^5:/;
/** What decorators hand in that are ours; anybody else's may take anything too. */
const OWN_DECORATORS = new Set<unknown>([undefined, collectedFrom, contextArgument]);

/** What the answers of a route follow from. */
export interface CacheableRoute {
  /** All parameters that it declares, but for those that open protected records. */
  readonly params: ReadonlyMap<string, DeclaredArg>;
  /** The classes that declare them. */
  readonly dtos: readonly (new () => object)[];
  /** The parameters that open protected records. */
  readonly unlocking: ReadonlyMap<string, DeclaredArg>;
  /** Names of path parameters that are ids: `053` is `53`. */
  readonly ids: ReadonlySet<unknown>;
}

/** By route, of each application: plugins add parameters. */
const routes = new WeakMap<ParameterClasses, WeakMap<object, CacheableRoute | null>>();

/** What the answers of the route of a request follow from; null where they must not be kept. */
export function cacheableRoute(
  execution: ExecutionContext,
  classes: ParameterClasses,
): CacheableRoute | null {
  const known = routes.get(classes) ?? new WeakMap<object, CacheableRoute | null>();
  routes.set(classes, known);
  const noted = known.get(execution.getHandler());
  if (noted !== undefined) return noted;
  const route = routeOf(execution, classes);
  known.set(execution.getHandler(), route);
  return route;
}

/** Whether a request is a GET, or a HEAD, that says nothing beyond its URL that matters. */
export function isCacheableRequest({ method, headers }: IncomingMessage): boolean {
  return (
    (method === 'GET' || method === 'HEAD') &&
    headers.authorization === undefined &&
    headers['x-wp-nonce'] === undefined &&
    headers['x-http-method-override'] === undefined &&
    headers['transfer-encoding'] === undefined &&
    (headers['content-length'] ?? '0') === '0'
  );
}

function routeOf(execution: ExecutionContext, classes: ParameterClasses): CacheableRoute | null {
  const targets = [execution.getHandler(), execution.getClass()];
  const isMarked = targets.some((target) => Reflect.getMetadata(CACHEABLE, target) === true);
  const declared = declaredArguments(execution.getClass(), execution.getHandler());
  if (!isMarked || !declared) return null;
  const args = Object.entries(declared);
  const isTold = args.some(([kind, { factory }]) => UNDECLARED.test(kind) || !OWN_DECORATORS.has(factory));
  if (hasRouteDecorators(...targets) || isTold) return null;
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
