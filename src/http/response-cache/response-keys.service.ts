import { type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { PostPasswords } from '../../wordpress/posts/post-passwords.service.js';
import { checkParameterSize } from '../params/check-parameter-size.js';
import { listItems } from '../params/fields.js';
import { ParameterClasses } from '../params/parameter-classes.js';
import { ParameterReader } from '../params/parameters.js';
import type { Parameters } from '../params/php-parameters.js';
import type { DeclaredArg } from '../params/rest-arg.js';
import { RequestContexts } from '../request-contexts.service.js';
import { type RestRequest, restOf } from '../rest-request.js';
import { BodyReader } from '../server/body-reader.service.js';
import { type CacheableRoute, cacheableRoute, isCacheableRequest } from './cacheable.decorator.js';

/** What a URL may say that its key does not: the next request may mean something else by it, or is answered in another way. */
const BESIDE_KEY = ['password', '_wpnonce', '_jsonp', '_method'];

/** What an answer is kept by. */
export interface ResponseKey {
  key: string;
  /** Whether it follows from the URL alone, whenever that is asked for. */
  isOfUrl: boolean;
}

/**
 * Says what an answer is kept by, the same for all requests that get the same (docs/behaviour/caching.md#response-cache): what makes no
 * difference leaves no trace, so that it neither fills the cache nor passes it by.
 */
@Injectable()
export class ResponseKeys {
  constructor(
    private readonly classes: ParameterClasses,
    private readonly bodies: BodyReader,
    private readonly passwords: PostPasswords,
    private readonly contexts: RequestContexts,
    private readonly reader: ParameterReader,
  ) {}

  /** The key; undefined where the answer must not be kept. Takes a password out of the request that opens nothing. */
  async of(
    execution: ExecutionContext,
    params: Readonly<Record<string, unknown>>,
  ): Promise<ResponseKey | undefined> {
    const request = execution.switchToHttp().getRequest<Request>();
    const route = cacheableRoute(execution, this.classes);
    const rest = restOf(request);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!route || !rest || !isRead || rest.user !== null) return undefined;
    const isOfUrl =
      !rest.isRewritten &&
      isCacheableRequest(request) &&
      BESIDE_KEY.every((name) => rest.query[name] === undefined);
    const { json } = await this.bodies.read(request);
    for (const values of [rest.query, json]) if (await this.unlocks(route, values)) return undefined;
    // As they are collected for the handler.
    const sent = { ...rest.query, ...withoutNulls(json) };
    const ignored = await this.ignored(route, sent, request);
    const pairs = Object.keys(sent)
      .filter((name) => route.params.has(name) || route.unlocking.has(name))
      .toSorted()
      .map((name) => [name, ignored.has(name) ? null : plainValue(sent[name], route.params.get(name))]);
    const place = Object.entries(params).map(([name, value]) => [
      name,
      route.ids.has(name) ? String(value).replace(/^0+(?=\d)/, '') : value,
    ]);
    const path = (request.route as { path?: unknown } | undefined)?.path ?? rest.path;
    const key = `${rest.namespace} ${path} ${JSON.stringify([place, pairs, shapeOf(rest)])}`;
    return { key, isOfUrl };
  }

  /** Names of parameters whose values are ignored (R20): they make no difference but that they are named. */
  private async ignored(
    { params, dtos }: CacheableRoute,
    sent: Parameters,
    request: Request,
  ): Promise<Set<string>> {
    // Links repeat those that are the plugin's too.
    const isOurs = (name: string) => params.get(name)?.isExtension === true;
    const isAsked = Object.keys(sent).some(isOurs);
    const context = isAsked ? await this.contexts.of(request) : undefined;
    const names = dtos.map((dto) => (context ? this.reader.ignored(dto, sent, context) : []));
    return new Set((await Promise.all(names)).flat().filter(isOurs));
  }

  /**
   * Whether what was sent may open protected records, which only a right password does for who is not signed in. What does not is
   * taken out: by the time that the answer is made it may open something, and that is for its sender alone.
   */
  private async unlocks({ unlocking }: CacheableRoute, values: Parameters): Promise<boolean> {
    for (const [name, arg] of unlocking) {
      const value = values[name];
      if (value === undefined || value === '') continue;
      // What is too large, or of another type than is declared, is refused.
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

/** What shapes an answer whatever its route, but for the name of a callback, which is put around it later. */
function shapeOf({ query }: RestRequest): unknown[] {
  const fields = new Set(listItems(query['_fields'] ?? []));
  return [[...fields].toSorted(), query['_envelope'] !== undefined, query['_pretty'] !== undefined];
}

function withoutNulls(values: Parameters): Parameters {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => (value ?? null) !== null));
}
