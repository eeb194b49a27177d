import { type ArgumentsHost, Catch, type ExceptionFilter, Injectable, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AuthError } from '../auth/auth-error.js';
import { errorText } from '../logging/error-text.js';
import { cut } from '../logging/safe-text.js';
import { Refusal } from '../errors/refusal.js';
import { isDatabaseAway } from '../database/database-errors.js';
import { Answer } from './answer.js';
import { refusalAnswer } from './error-answer.js';
import { ErrorAnswers } from './error-answers.service.js';
import { machineRefusal } from './machine-refusal.js';
import { plainError } from './plain-error.js';
import { restOf } from './rest-request.js';

/** Characters of a path that the log shows. */
const LONGEST_PATH = 200;

/** Turns whatever was thrown into the recorded error shape. */
@Catch()
@Injectable()
export class RestErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('Request');

  constructor(private readonly errors: ErrorAnswers) {}

  async catch(thrown: unknown, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    if (response.headersSent || response.destroyed) return;
    await this.errors.send(request, response, this.answerOf(thrown, request));
  }

  private answerOf(thrown: unknown, request: Request): Answer {
    const known = machineRefusal(thrown) ?? thrown;
    const where = `${request.method} ${cut(restOf(request)?.path ?? request.path, LONGEST_PATH)}`;
    if (known instanceof AuthError) return new Answer(known.getResponse(), known.getStatus(), known.headers);
    if (known instanceof Refusal) {
      const { cause } = known;
      if (isDatabaseAway(cause))
        this.logger.warn(`${where}: ${cause} ${(cause as { code?: string }).code ?? ''}`);
      else if (cause !== undefined) this.logger.warn(`${where}: ${errorText(cause)}`);
      return refusalAnswer(known);
    }
    const plain = plainError(known);
    if (plain) return plain;
    this.logger.error(`${where}: ${errorText(known)}`);
    return refusalAnswer(
      new Refusal('unexpected', 'internal_server_error', 'Something went wrong on the server.'),
    );
  }
}
