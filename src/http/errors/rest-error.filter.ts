import { type ArgumentsHost, Catch, type ExceptionFilter, Injectable, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AuthError } from '../../auth/auth-error.js';
import { RestException } from '../../common/errors/rest-exception.js';
import { isDatabaseUnavailable, toHttpException } from '../../database/database-errors.js';
import { errorText } from '../../observability/logging/error-text.js';
import { RestResponse } from '../rest-response.js';
import { plainError, unexpected } from './error-response.js';
import { ErrorResponses, nameOf } from './error-responses.service.js';

/** Sends errors in the recorded format. */
@Catch()
@Injectable()
export class RestErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('Request');

  constructor(private readonly errors: ErrorResponses) {}

  async catch(thrown: unknown, host: ArgumentsHost): Promise<void> {
    // Resolvers of GraphQL and message handlers report errors themselves.
    if (host.getType() !== 'http') throw thrown;
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    if (response.headersSent || response.destroyed) return;
    await this.errors.send(request, response, this.responseOf(toHttpException(thrown), nameOf(request)));
  }

  private responseOf(error: unknown, where: string): RestResponse {
    if (error instanceof RestException || error instanceof AuthError) {
      const { cause } = error;
      if (isDatabaseUnavailable(cause))
        this.logger.warn(`${where}: ${cause} ${(cause as { code?: string }).code ?? ''}`);
      else if (cause !== undefined) this.logger.warn(`${where}: ${errorText(cause)}`);
      return new RestResponse(error.getResponse(), error.getStatus());
    }
    const plain = plainError(error);
    if (plain) return plain;
    this.logger.error(`${where}: ${errorText(error)}`);
    return unexpected();
  }
}
