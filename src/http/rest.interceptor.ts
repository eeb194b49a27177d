import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  StreamableFile,
} from '@nestjs/common';
import { SSE_METADATA } from '@nestjs/common/constants.js';
import type { Request, Response } from 'express';
import { from, mergeMap, type Observable, of } from 'rxjs';
import { Environment } from '../config/env.js';
import { AllowedMethods } from './allowed-methods.js';
import { Answer, outgoing } from './answer.js';
import { BodyReader } from './body-reader.service.js';
import type { WrittenText } from './reply-as-written.js';
import { restOf } from './rest-request.js';

/** What Nest sends itself: files, events, and the answers of handlers that write their own. */
function isNestsOwn(value: unknown, context: ExecutionContext): boolean {
  if (value === undefined || value instanceof StreamableFile) return true;
  return Reflect.getMetadata(SSE_METADATA, context.getHandler()) === true;
}

/** Sends what a handler answers; the only place where a success becomes bytes. */
@Injectable()
export class RestInterceptor implements NestInterceptor {
  constructor(
    private readonly env: Environment,
    private readonly allowed: AllowedMethods,
    private readonly bodies: BodyReader,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    if (!restOf(request)) return next.handle();
    const response = http.getResponse<Response>();
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

  private async send(request: Request, response: Response, value: unknown): Promise<WrittenText> {
    const answer = value instanceof Answer ? value : new Answer(value, response.statusCode);
    const allow = answer.headers['Allow'] ?? (await this.allowed.header(request));
    const full = new Answer(answer.body, answer.status, {
      ...(allow ? { Allow: allow } : {}),
      ...answer.headers,
    });
    const { status, headers, text } = await outgoing(request, full, this.env.restBaseUrl);
    response.status(status).set(headers);
    return text;
  }
}
