import {
  type ArgumentsHost,
  Catch,
  type ExceptionFilter,
  Injectable,
  Logger,
  NotFoundException,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { AuthError } from '../auth/auth-error.js';
import { Environment } from '../config/env.js';
import { CallerGone } from '../database/caller.js';
import { isDatabaseAway, isTooLarge } from '../database/database-errors.js';
import { ReadOnlyDatabase, WriteBusy } from '../database/transactions.js';
import { TextTooHard } from '../wordpress/rendering/cleaning.service.js';
import { TextsBusy } from '../wordpress/rendering/text-pool.js';
import { AllowedMethods } from './allowed-methods.js';
import { errorAnswer, outgoing } from './answer.js';
import { plainError } from './plain-error.js';
import { send } from './reply-as-written.js';
import { noRoute, RestError } from './rest-error.js';
import { restOf } from './rest-request.js';

/** Turns whatever was thrown into the recorded error shape; only this filter knows which error gets which status. */
@Catch()
@Injectable()
export class RestErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('Request');

  constructor(
    private readonly env: Environment,
    private readonly allowed: AllowedMethods,
  ) {}

  async catch(thrown: unknown, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    if (response.headersSent || response.destroyed) return;
    const error = this.toRestError(thrown, request);
    const matched = error.code !== 'rest_no_route' && !(thrown instanceof AuthError);
    const allow =
      matched && error.status < 500 ? await this.allowed.header(request).catch(() => undefined) : undefined;
    const answer = errorAnswer(error, allow ? { Allow: allow } : {});
    const { status, headers, text } = await outgoing(request, answer, this.env.restBaseUrl);
    if (response.headersSent) return;
    send(response.status(status).set(headers), text);
  }

  private toRestError(thrown: unknown, request: Request): RestError {
    if (thrown instanceof RestError) return thrown;
    if (thrown instanceof AuthError)
      return new RestError(thrown.code, thrown.status, thrown.message, {}, {}, thrown.headers);
    // Express knows the route of a request that one answers.
    if (thrown instanceof NotFoundException && !request.route) return noRoute();
    const plain = plainError(thrown);
    if (plain) return plain;
    if (thrown instanceof ReadOnlyDatabase)
      return new RestError('rest_read_only', 403, 'The database may only be read; nothing was written.');
    if (isTooLarge(thrown))
      return new RestError('rest_content_too_large', 413, 'This is more than the database takes at once.');
    // Work that requests share can be dropped by the one that began it.
    if (isDatabaseAway(thrown) || thrown instanceof WriteBusy || thrown instanceof CallerGone)
      return new RestError(
        'database_unavailable',
        503,
        'The database does not answer at the moment.',
        {},
        {},
        { 'Retry-After': '1' },
      );
    if (thrown instanceof TextTooHard)
      return new RestError('text_too_hard', 400, 'A text takes too much time or memory to be shown.');
    if (thrown instanceof TextsBusy) {
      this.logger.warn(`${request.method} ${restOf(request)?.path ?? request.url}: ${thrown.message}`);
      return new RestError(
        'server_busy',
        503,
        'The server has too much to do with long texts at the moment.',
        {},
        {},
        { 'Retry-After': '1' },
      );
    }
    this.logger.error(
      `${request.method} ${restOf(request)?.path ?? request.url}: ${thrown instanceof Error ? thrown.stack : thrown}`,
    );
    return new RestError('internal_server_error', 500, 'Something went wrong on the server.');
  }
}
