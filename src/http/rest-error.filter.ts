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
import { errorText } from '../logging/error-text.js';
import { cut } from '../logging/safe-text.js';
import { Refusal } from '../errors/refusal.js';
import { CallerGone, callerNow } from '../database/caller.js';
import {
  databaseAway,
  isDatabaseAway,
  isReadOnly,
  isOutsideCharset,
  isTooLarge,
  notShown,
  notStorable,
  readOnly,
} from '../database/database-errors.js';
import { AllowedMethods } from './allowed-methods.js';
import { Answer, outgoing } from './answer.js';
import { errorAnswer, noRoute, refusalAnswer } from './error-answer.js';
import { plainError } from './plain-error.js';
import { send } from './reply-as-written.js';
import { restOf } from './rest-request.js';

/** Characters of a path that the log shows. */
const LONGEST_PATH = 200;

/** Turns whatever was thrown into the recorded error shape. */
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
    const error = this.answerOf(thrown, request);
    const matched = !isNoRoute(error) && !(thrown instanceof AuthError);
    const allow =
      matched && error.status < 500 ? await this.allowed.header(request).catch(() => undefined) : undefined;
    const answer = allow ? new Answer(error.body, error.status, { ...error.headers, Allow: allow }) : error;
    const { status, headers, text } = await outgoing(request, answer, this.env);
    if (response.headersSent) return;
    send(response.status(status).set(headers), text);
  }

  private answerOf(thrown: unknown, request: Request): Answer {
    if (thrown instanceof AuthError)
      return errorAnswer(thrown.status, thrown.code, thrown.message, {}, {}, thrown.headers);
    // Express knows the route of a request that one answers.
    const isUnrouted = thrown instanceof NotFoundException && !request.route;
    return (
      (!isUnrouted && plainError(thrown)) ||
      refusalAnswer(isUnrouted ? noRoute() : this.refusalOf(thrown, request), Boolean(restOf(request)?.user))
    );
  }

  private refusalOf(thrown: unknown, request: Request): Refusal {
    const where = `${request.method} ${cut(restOf(request)?.path ?? request.path, LONGEST_PATH)}`;
    if (thrown instanceof Refusal) {
      if (thrown.cause !== undefined) this.logger.warn(`${where}: ${errorText(thrown.cause)}`);
      return thrown;
    }
    if (isTooLarge(thrown))
      return new Refusal(
        'too_large',
        'rest_content_too_large',
        'This is more than the database takes at once.',
      );
    if (isOutsideCharset(thrown)) return notStorable();
    // Work that requests share can be dropped by the one that began it.
    const away = () => (callerNow()?.hasStored ? notShown() : databaseAway());
    if (thrown instanceof CallerGone) return away();
    if (isDatabaseAway(thrown)) {
      this.logger.warn(`${where}: ${thrown} ${(thrown as { code?: string }).code ?? ''}`);
      return away();
    }
    if (isReadOnly(thrown)) return readOnly();
    this.logger.error(`${where}: ${errorText(thrown)}`);
    return new Refusal('unexpected', 'internal_server_error', 'Something went wrong on the server.');
  }
}

function isNoRoute({ body }: Answer): boolean {
  return (body as { code?: unknown }).code === 'rest_no_route';
}
