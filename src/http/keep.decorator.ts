import type { IncomingMessage } from 'node:http';
import { type ExecutionContext, SetMetadata } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import type { Request } from 'express';
import type { ParameterClasses } from './parameter-classes.js';
import { declaredArgs } from './rest-arg.js';
import { type RestRequest, restOf } from './rest-request.js';

const KEEP = 'almanac:keep';

/**
 * Marks a GET whose answer to somebody who is not signed in follows from its path, its declared parameters, the database and
 * `RequestContext.now` alone: it may be kept until one of them says otherwise (docs/behaviour/caching.md).
 */
export const Keep = (): MethodDecorator => SetMetadata(KEEP, true);

/** Parameters of every route that shape an answer. */
const SHAPING = ['_fields', '_envelope', '_jsonp', '_pretty'];
/** What opens records, or says who asks: such answers are for nobody else. */
const PRIVATE = ['password', 'context', '_wpnonce'];

/**
 * What the answer to a request is kept by, the same for all that get the same; undefined where it must not be kept.
 * Parameters that nobody declared leave no trace, so that made-up ones fill nothing.
 */
export function keptKey(execution: ExecutionContext, classes: ParameterClasses): string | undefined {
  const request = execution.switchToHttp().getRequest<Request>();
  const rest = restOf(request);
  if (!rest || !isPlainRead(request) || !mayBeShared(rest)) return undefined;
  if (Reflect.getMetadata(KEEP, execution.getHandler()) !== true) return undefined;
  const sent = namesOf(execution, classes).flatMap((name) =>
    rest.query[name] === undefined ? [] : [[name, rest.query[name]]],
  );
  return `${rest.namespace}${rest.path}?${JSON.stringify(sent)}`;
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

/** By application, whose plugins may add parameters, and handler. */
const NAMES = new WeakMap<ParameterClasses, Map<object, readonly string[]>>();

function namesOf(execution: ExecutionContext, classes: ParameterClasses): readonly string[] {
  const known = NAMES.get(classes) ?? new Map<object, readonly string[]>();
  NAMES.set(classes, known);
  const names = known.get(execution.getHandler()) ?? declaredNames(execution, classes);
  known.set(execution.getHandler(), names);
  return names;
}

function declaredNames(execution: ExecutionContext, classes: ParameterClasses): string[] {
  const found: unknown = Reflect.getMetadata(
    ROUTE_ARGS_METADATA,
    execution.getClass(),
    execution.getHandler().name,
  );
  const args = Object.values((found ?? {}) as Record<string, { data?: unknown }>);
  const dtos = args.flatMap(({ data }) => (typeof data === 'function' ? [data as new () => object] : []));
  const declared = dtos.flatMap((dto) => declaredArgs(classes.of(dto)).map(({ name }) => name));
  return [...new Set([...declared, ...SHAPING])].toSorted();
}
