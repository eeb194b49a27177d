import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  StreamableFile,
  type Type,
} from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import type { Request, Response } from 'express';
import { from, lastValueFrom, mergeMap, type Observable } from 'rxjs';
import { toHttpException } from './errors/to-http-exception.js';
import { isEventStream, isForAllRequests } from './nest-metadata.js';
import { ParameterClasses } from './params/parameter-classes.js';
import { cacheableRoute } from './response-cache/cacheable.decorator.js';
import { ResponseCache } from './response-cache/response-cache.service.js';
import { type ResponseKey, ResponseKeys } from './response-cache/response-keys.service.js';
import { ResponseWriter } from './response-writer.service.js';
import { restOf } from './rest-request.js';
import { RestResponse } from './rest-response.js';
import { BodyReader } from './server/body-reader.service.js';
import { Pipeline } from './server/pipeline.service.js';

/** Whether Nest sends a value itself: files, texts with a content type, and the responses that handlers write themselves. */
function isSentByNest(value: unknown, response: Response): boolean {
  if (value instanceof RestResponse) return false;
  if (value === undefined || value instanceof StreamableFile) return true;
  return typeof value === 'string' && response.hasHeader('Content-Type');
}

/** Serializes, and caches, the responses of the interface. */
@Injectable()
export class RestInterceptor implements NestInterceptor {
  /** Whether a controller is the same instance for all requests. */
  private readonly forAllRequests = new WeakMap<Type, boolean>();

  constructor(
    private readonly writer: ResponseWriter,
    private readonly bodies: BodyReader,
    private readonly cache: ResponseCache,
    private readonly classes: ParameterClasses,
    private readonly keys: ResponseKeys,
    private readonly pipeline: Pipeline,
    private readonly modules: ModulesContainer,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    // Resolvers of GraphQL and handlers of messages have no HTTP response.
    if (context.getType() !== 'http') return next.handle();
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    if (!restOf(request)) return next.handle();
    if (isEventStream(context.getHandler()))
      return from(this.readBody(request)).pipe(mergeMap(() => next.handle()));
    return from(this.respond(context, request, http.getResponse<Response>(), next));
  }

  private async respond(context: ExecutionContext, request: Request, response: Response, next: CallHandler) {
    const handle = () => lastValueFrom(next.handle());
    try {
      const key = await this.keyOf(context, request);
      if (key) return await this.respondCached(key, request, response, handle);
      await this.readBody(request);
      const value: unknown = await handle();
      return isSentByNest(value, response) ? value : await this.writer.serialize(request, response, value);
    } catch (thrown) {
      // Filters of plugins get the exception that is sent.
      throw toHttpException(thrown);
    }
  }

  private async keyOf(context: ExecutionContext, request: Request): Promise<ResponseKey | undefined> {
    const isCacheable =
      this.pipeline.isCacheable &&
      this.isForAllRequests(context.getClass()) &&
      cacheableRoute(context, this.classes) !== null;
    return isCacheable ? this.keys.of(context, request.params) : undefined;
  }

  private isForAllRequests(controller: Type): boolean {
    const isShared = this.forAllRequests.get(controller) ?? isForAllRequests(controller, this.modules);
    this.forAllRequests.set(controller, isShared);
    return isShared;
  }

  private async readBody(request: Request): Promise<void> {
    const { json, form } = await this.bodies.read(request);
    request.body = { ...form, ...json };
  }

  /** The cached response, or an uncached one where nothing may be cached now. */
  private async respondCached(
    { key, isOfUrl }: ResponseKey,
    request: Request,
    response: Response,
    handle: () => Promise<unknown>,
  ) {
    const cached = await this.writer.cached(key, request, response, handle);
    if (!cached) return this.writer.serialize(request, response, await this.cache.limited(handle));
    if (isOfUrl && this.pipeline.isStock) this.cache.aliasUrl(request.originalUrl, key);
    return cached;
  }
}
