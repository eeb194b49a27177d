import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { from, mergeMap, type Observable } from 'rxjs';
import { Environment } from '../config/env.js';
import { AllowedMethods } from './allowed-methods.js';
import { Answer, outgoing } from './answer.js';
import type { WrittenText } from './reply-as-written.js';
import { restOf } from './rest-request.js';

/** Sends what a handler answers; the only place where a success becomes bytes. */
@Injectable()
export class RestInterceptor implements NestInterceptor {
  constructor(
    private readonly env: Environment,
    private readonly allowed: AllowedMethods,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    if (!restOf(request)) return next.handle();
    return next
      .handle()
      .pipe(
        mergeMap((value: unknown) =>
          from(
            this.send(
              request,
              http.getResponse<Response>(),
              value instanceof Answer ? value : new Answer(value),
            ),
          ),
        ),
      );
  }

  private async send(request: Request, response: Response, answer: Answer): Promise<WrittenText> {
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
