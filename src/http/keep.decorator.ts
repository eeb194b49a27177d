import type { IncomingMessage } from 'node:http';
import { type CustomDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import {
  GUARDS_METADATA,
  HEADERS_METADATA,
  INTERCEPTORS_METADATA,
  PIPES_METADATA,
  REDIRECT_METADATA,
} from '@nestjs/common/constants.js';
import type { Request } from 'express';
import { declaredArguments } from './controller-routes.js';
import type { ParameterClasses } from './parameter-classes.js';
import { collectedFrom } from './parameters.js';
import { wantContext } from './request-context.js';
import { declaredArgs } from './rest-arg.js';
import { type RestRequest, restOf } from './rest-request.js';

const KEEP = 'almanac:keep';

/**
 * Marks a GET, or all of a controller, whose answer to somebody who is not signed in follows from its path, its declared
 * parameters, the database and `RequestContext.now` alone: it may be kept until one of them says otherwise
 * (docs/behaviour/caching.md).
 */
export const Keep = (): CustomDecorator => SetMetadata(KEEP, true);

/** Parameters of every route that shape an answer. */
const SHAPING = ['_fields', '_envelope', '_jsonp', '_pretty'];
/** What opens records, or says who asks or by which method: such answers are for nobody else. */
const PRIVATE = ['password', 'context', '_wpnonce', '_method'];
/** What Nest's own decorators hand in: all but path parameters (5) may be anything of a request. */
const UNDECLARED = /^(?!5:)\d+:/;
/** What decorators hand in that are ours; anybody else's may take anything too. */
const OWN_DECORATORS = new Set<unknown>([undefined, collectedFrom, wantContext]);
/** What else may have a say at a route, or in what it answers: its own guards, interceptors, pipes, headers. */
const SHAPED = [GUARDS_METADATA, INTERCEPTORS_METADATA, PIPES_METADATA, HEADERS_METADATA, REDIRECT_METADATA];
/** Names by route, of each application: plugins add to them. */
const names = new WeakMap<ParameterClasses, WeakMap<object, ReadonlySet<string> | null>>();

/**
 * What the answer to a request is kept by, the same for all that get the same; undefined where it must not be kept.
 * Parameters that nobody declared leave no trace, so that made-up ones fill nothing.
 */
export function keptKey(execution: ExecutionContext, classes: ParameterClasses): string | undefined {
  const request = execution.switchToHttp().getRequest<Request>();
  const rest = restOf(request);
  if (!rest || !isPlainRead(request) || !mayBeShared(rest)) return undefined;
  const marked = [execution.getHandler(), execution.getClass()];
  if (!marked.some((target) => Reflect.getMetadata(KEEP, target) === true)) return undefined;
  const routes = names.get(classes) ?? new WeakMap<object, ReadonlySet<string> | null>();
  names.set(classes, routes);
  const noted = routes.get(execution.getHandler());
  const known = noted === undefined ? namesOf(execution, classes) : noted;
  routes.set(execution.getHandler(), known);
  if (!known) return undefined;
  const sent = Object.keys(rest.query).filter((name) => known.has(name));
  const pairs = sent.toSorted().map((name) => [name, rest.query[name]]);
  return `${rest.namespace}${rest.path}?${JSON.stringify(pairs)}`;
}

/** Whether a request is a GET, or a HEAD, that says nothing beyond its URL that matters. */
export function isPlainRead({ method, headers }: IncomingMessage): boolean {
  return (
    isRead(method) &&
    headers.authorization === undefined &&
    headers['x-wp-nonce'] === undefined &&
    headers['x-http-method-override'] === undefined &&
    headers['transfer-encoding'] === undefined &&
    (headers['content-length'] ?? '0') === '0'
  );
}

const isRead = (method: string | undefined): boolean => method === 'GET' || method === 'HEAD';

function mayBeShared({ query, sentAs, user, freshNonce }: RestRequest): boolean {
  return (
    isRead(sentAs) &&
    user === null &&
    freshNonce === undefined &&
    PRIVATE.every((name) => query[name] === undefined)
  );
}

/** Of all parameters that a route declares; null where it goes by more of a request than those. */
function namesOf(execution: ExecutionContext, classes: ParameterClasses): ReadonlySet<string> | null {
  const declared = declaredArguments(execution.getClass(), execution.getHandler());
  if (!declared) return null;
  const args = Object.entries(declared);
  const targets = [execution.getHandler(), execution.getClass()];
  const isShaped = SHAPED.some((key) => targets.some((target) => Reflect.hasMetadata(key, target)));
  const isTold = args.some(([kind, { factory }]) => UNDECLARED.test(kind) || !OWN_DECORATORS.has(factory));
  if (isShaped || isTold) return null;
  const dtos = args.flatMap(([, { data }]) => (typeof data === 'function' ? [data as new () => object] : []));
  const own = dtos.flatMap((dto) => declaredArgs(classes.of(dto)).map(({ name }) => name));
  return new Set([...own, ...SHAPING]);
}
