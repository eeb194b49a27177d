import { type ExecutionContext, Injectable, type Type } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import type { Request } from 'express';
import { PostPasswords } from '../../wordpress/posts/post-passwords.service.js';
import { isForAllRequests } from '../nest-metadata.js';
import { ParameterClasses } from '../params/check-context.js';
import { listItems } from '../params/fields.js';
import { ParameterReader } from '../params/parameters.js';
import type { Parameters } from '../params/php-parameters.js';
import { checkParameterSize } from '../params/read-parameters.js';
import type { DeclaredArg } from '../params/rest-arg.js';
import { RequestContexts } from '../request-contexts.service.js';
import { type RestRequest, restOf } from '../rest-request.js';
import { BodyReader } from '../server/body-reader.service.js';
import { type CacheableRoute, cacheableRoute, isCacheableRequest } from './cacheable.decorator.js';

/** Parameters that affect a response but are not part of its key. */
const BESIDE_KEY = ['password', '_wpnonce', '_jsonp', '_method'];

export interface ResponseKey {
  key: string;
  /** Whether it depends only on the URL. */
  isOfUrl: boolean;
}

/**
 * Computes the keys of cached responses (docs/behaviour/caching.md#response-cache), without what does not affect the
 * response, so that equivalent requests share a key.
 */
@Injectable()
export class ResponseKeys {
  /** By controller and handler. */
  private readonly routes = new WeakMap<Type, Map<object, CacheableRoute | null>>();

  constructor(
    private readonly classes: ParameterClasses,
    private readonly bodies: BodyReader,
    private readonly passwords: PostPasswords,
    private readonly contexts: RequestContexts,
    private readonly reader: ParameterReader,
    private readonly modules: ModulesContainer,
  ) {}

  /** Removes passwords that unlock nothing from the request, and returns its key; undefined where the response must not be cached. */
  async normalize(execution: ExecutionContext): Promise<ResponseKey | undefined> {
    const request = execution.switchToHttp().getRequest<Request>();
    const route = this.routeOf(execution);
    const rest = restOf(request);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!route || !rest || !isRead || rest.user !== null) return undefined;
    const isOfUrl =
      !rest.isRewritten &&
      isCacheableRequest(request, rest.login.uncachedHeaders) &&
      BESIDE_KEY.every((name) => rest.query[name] === undefined);
    const { json } = await this.bodies.read(request);
    for (const values of [rest.query, json]) if (await this.removePasswords(route, values)) return undefined;
    // Merged as in `ParametersPipe`.
    const sent = { ...rest.query, ...withoutNulls(json) };
    const ignored = await this.ignored(route, sent, request);
    const pairs = Object.keys(sent)
      .filter((name) => route.params.has(name) || route.unlocking.has(name))
      .toSorted()
      .map((name) => [name, ignored.has(name) ? null : plainValue(sent[name], route.params.get(name))]);
    const ids = Object.entries(request.params).map(([name, value]) => [
      name,
      route.ids.has(name) ? String(value).replace(/^0+(?=\d)/, '') : value,
    ]);
    const path = (request.route as { path?: unknown } | undefined)?.path ?? rest.path;
    const key = `${rest.namespace} ${path} ${JSON.stringify([ids, pairs, formatOf(rest)])}`;
    return { key, isOfUrl };
  }

  private routeOf(execution: ExecutionContext): CacheableRoute | null {
    const controller = execution.getClass();
    const handler = execution.getHandler();
    const routes = this.routes.get(controller) ?? new Map<object, CacheableRoute | null>();
    this.routes.set(controller, routes);
    let route = routes.get(handler);
    if (route === undefined) {
      const isShared = isForAllRequests(controller, this.modules);
      route = isShared ? cacheableRoute(controller, handler, this.classes) : null;
      routes.set(handler, route);
    }
    return route;
  }

  /** Names of parameters whose values are ignored (R20); the response only names them. */
  private async ignored(
    { params, dtos }: CacheableRoute,
    sent: Parameters,
    request: Request,
  ): Promise<Set<string>> {
    // Links repeat the values of other parameters.
    const isExtension = (name: string) => params.get(name)?.isExtension === true;
    if (!Object.keys(sent).some(isExtension)) return new Set();
    const context = await this.contexts.of(request);
    const names = await Promise.all(dtos.map((dto) => this.reader.ignored(dto, sent, context)));
    return new Set(names.flat().filter(isExtension));
  }

  /**
   * Removes values that unlock no protected record now, as they might by the time the response is rendered. Returns true for one
   * that may: for anonymous requests an existing password.
   */
  private async removePasswords({ unlocking }: CacheableRoute, values: Parameters): Promise<boolean> {
    for (const [name, arg] of unlocking) {
      const value = values[name];
      if (value === undefined || value === '') continue;
      // The pipe rejects values of invalid size or type.
      if (checkParameterSize(arg, value) || (typeof value !== 'string' && arg.type !== undefined)) continue;
      if (name === 'password' && typeof value === 'string' && (await this.passwords.mayOpen(value)))
        return true;
      if (arg.unlocks === 'refuses') values[name] = '';
      else delete values[name];
    }
    return false;
  }
}

/** Numbers without their leading zeros. */
function plainValue(value: unknown, arg?: DeclaredArg): unknown {
  const isNumber = arg?.type === 'integer' && typeof value === 'string' && /^0+\d+$/.test(value);
  return isNumber ? value.replace(/^0+(?=\d)/, '') : value;
}

/** The parameters of all routes that affect the format, except the callback, which is added later. */
function formatOf({ query }: RestRequest): unknown[] {
  const fields = new Set(listItems(query['_fields'] ?? []));
  return [[...fields].toSorted(), query['_envelope'] !== undefined, query['_pretty'] !== undefined];
}

function withoutNulls(values: Parameters): Parameters {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => (value ?? null) !== null));
}
