import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  StreamableFile,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { from, lastValueFrom, mergeMap, type Observable } from 'rxjs';
import { RestException } from '../common/errors/rest-exception.js';
import { toHttpException } from '../database/database-errors.js';
import { allowsBatch } from './allow-batch.decorator.js';
import { isEventStream } from './nest-metadata.js';
import { ResponseCache } from './response-cache/response-cache.service.js';
import { type ResponseKey, ResponseKeys } from './response-cache/response-keys.service.js';
import { ResponseWriter } from './response-writer.service.js';
import { restOf } from './rest-request.js';
import { RestResponse } from './rest-response.js';
import { returnsSecret } from './returns-secret.decorator.js';
import { Idempotency } from './safe-writes/idempotency.service.js';
import { BodyReader } from './server/body-reader.service.js';
import { Pipeline } from './server/pipeline.service.js';
import { subRequestKind } from './sub-request.js';

/** Whether Nest sends a value itself: files, texts with a content type, and the responses that handlers write themselves. */
function isSentByNest(value: unknown, response: Response): boolean {
  if (value instanceof RestResponse) return false;
  if (value === undefined || value instanceof StreamableFile) return true;
  return typeof value === 'string' && response.hasHeader('Content-Type');
}

/** Serializes, and caches, the responses of the interface. */
@Injectable()
export class RestInterceptor implements NestInterceptor {
  constructor(
    private readonly writer: ResponseWriter,
    private readonly bodies: BodyReader,
    private readonly cache: ResponseCache,
    private readonly keys: ResponseKeys,
    private readonly pipeline: Pipeline,
    private readonly idempotency: Idempotency,
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
      if (subRequestKind(request) && !allowsBatch(context))
        throw new RestException('invalid', 'rest_batch_not_allowed', 'This route cannot be part of a batch.');
      const key = this.pipeline.isCacheable ? await this.keys.normalize(context) : undefined;
      if (key) return await this.respondCached(key, request, response, handle);
      await this.readBody(request);
      const send = async () => {
        const value: unknown = await handle();
        return isSentByNest(value, response) ? value : this.writer.serialize(request, response, value);
      };
      return await this.idempotency.run(request, send, { stores: !returnsSecret(context) });
    } catch (thrown) {
      // Filters of plugins get the exception that is sent.
      throw toHttpException(thrown);
    }
  }

  private async readBody(request: Request): Promise<void> {
    const { json, form, upload } = await this.bodies.read(request);
    request.body = { ...form, ...json };
    const rest = restOf(request);
    if (rest && upload) rest.upload = upload;
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
