import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  StreamableFile,
} from '@nestjs/common';
import { SSE_METADATA } from '@nestjs/common/constants.js';
import { ApplicationConfig, ModulesContainer } from '@nestjs/core';
import type { Request, Response } from 'express';
import { catchError, from, lastValueFrom, mergeMap, type Observable, of } from 'rxjs';
import { isForAllRequests } from './controller-routes.js';
import { toHttpException } from './errors/to-http-exception.js';
import { ParameterClasses } from './params/parameter-classes.js';
import type { ResponseBody } from './response-body.js';
import { keptRoute } from './response-cache/cacheable.decorator.js';
import type { CachedResponse } from './response-cache/cached-response.js';
import { isOursAlone, isUntouched } from './response-cache/fast-path.js';
import { ResponseCache } from './response-cache/response-cache.service.js';
import { type KeptKey, ResponseKeys } from './response-cache/response-keys.service.js';
import { ResponseWriter } from './response-writer.service.js';
import { restOf } from './rest-request.js';
import { RestResponse } from './rest-response.js';
import { BodyReader } from './server/body-reader.service.js';

/** What Nest sends itself: files, events, texts of a type that was said, and the answers of handlers that write their own. */
function isNestsOwn(value: unknown, context: ExecutionContext): boolean {
  if (value instanceof RestResponse) return false;
  if (value === undefined || value instanceof StreamableFile) return true;
  const isTyped = context.switchToHttp().getResponse<Response>().hasHeader('Content-Type');
  if (typeof value === 'string' && isTyped) return true;
  return Reflect.getMetadata(SSE_METADATA, context.getHandler()) === true;
}

/** Sends what a handler answers; the only place where a success becomes bytes. */
@Injectable()
export class RestInterceptor implements NestInterceptor {
  constructor(
    private readonly answers: ResponseWriter,
    private readonly bodies: BodyReader,
    private readonly kept: ResponseCache,
    private readonly classes: ParameterClasses,
    private readonly keys: ResponseKeys,
    private readonly config: ApplicationConfig,
    private readonly modules: ModulesContainer,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    // Resolvers of GraphQL and handlers of messages answer nothing of HTTP.
    if (context.getType() !== 'http') return next.handle();
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    if (!restOf(request)) return next.handle();
    const response = http.getResponse<Response>();
    const mayKeep = isUntouched(this.config) && isForAllRequests(context.getClass(), this.modules);
    const isKept = mayKeep && keptRoute(context, this.classes) !== null;
    const key = isKept ? from(this.keys.of(context, request.params)) : of(undefined);
    const answered = key.pipe(
      mergeMap((known) =>
        known === undefined
          ? this.answerAnew(context, request, response, next)
          : from(this.answerKept(known, request, response, next)),
      ),
    );
    return answered.pipe(
      // Filters of anybody are asked for what it means.
      catchError((thrown: unknown) => {
        throw toHttpException(thrown);
      }),
    );
  }

  private answerAnew(context: ExecutionContext, request: Request, response: Response, next: CallHandler) {
    return from(this.readBody(request)).pipe(
      mergeMap(() => next.handle()),
      mergeMap((value: unknown) =>
        isNestsOwn(value, context) ? of(value) : from(this.send(request, response, value)),
      ),
    );
  }

  private async readBody(request: Request): Promise<void> {
    const { json, form } = await this.bodies.read(request);
    request.body = { ...form, ...json };
  }

  private async send(request: Request, response: Response, value: unknown): Promise<ResponseBody> {
    const { status, headers, text } = await this.answers.serialize(request, response, value);
    response.status(status).set(headers);
    return text;
  }

  /** What is kept of the answer, or the answer itself where nothing may be kept. */
  private async answerKept(
    { key, isOfUrl }: KeptKey,
    request: Request,
    response: Response,
    next: CallHandler,
  ): Promise<CachedResponse | ResponseBody> {
    const handle = () => lastValueFrom(next.handle());
    const kept = await this.answers.cachedBy(key, request, response, handle);
    if (!kept) return this.send(request, response, await this.kept.limited(handle));
    if (isOfUrl && isOursAlone(request, this.config)) this.kept.aliasUrl(request.originalUrl, key);
    return kept;
  }
}
