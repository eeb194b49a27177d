import { type ArgumentsHost, Catch, type ExceptionFilter, Injectable, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AuthError } from '../../auth/auth-error.js';
import { AuthStrategies } from '../../auth/auth-strategies.service.js';
import { BEARER_CHALLENGE } from '../../auth/login-attempts.service.js';
import { errorHeaders, RestException } from '../../common/errors/rest-exception.js';
import { Environment } from '../../config/env.js';
import { isDatabaseUnavailable, toHttpException } from '../../database/database-errors.js';
import { cut } from '../../lib/safe-text.js';
import { errorText } from '../../observability/logging/error-text.js';
import { AllowedMethods } from '../allowed-methods.js';
import { prefersPage } from '../params/accept.js';
import { restOf } from '../rest-request.js';
import { RestResponse } from '../rest-response.js';
import { serializeResponse } from '../serialize-response.js';
import { plainError, unexpected } from './error-response.js';

/** Maximum characters of a path in the log. */
const MAX_PATH_LENGTH = 200;

/** The name of a request in the log. */
export function nameOf(request: Request): string {
  return `${request.method} ${cut(restOf(request)?.path ?? request.path, MAX_PATH_LENGTH)}`;
}

/** Sends error responses. */
@Injectable()
export class ErrorResponses {
  private readonly logger = new Logger('Request');
  /** Makes the page that browsers get outside the interface where there is no route. */
  missingPage?: (request: Request) => Promise<{ headers: Record<string, string>; text: string } | undefined>;

  constructor(
    private readonly env: Environment,
    private readonly allowed: AllowedMethods,
    private readonly strategies: AuthStrategies,
  ) {}

  /** Never fails, as Nest does not await it: an error that cannot be sent, such as one of an invalid status, becomes 500. */
  async send(request: Request, response: Response, error: RestResponse): Promise<void> {
    try {
      await this.trySend(request, response, error);
    } catch (fault) {
      this.logger.error(`${nameOf(request)}: ${errorText(fault)}`);
      await this.trySend(request, response, unexpected());
    }
  }

  private async trySend(request: Request, response: Response, { body, status }: RestResponse): Promise<void> {
    const rest = restOf(request);
    const isOutside = rest === undefined && isNoRoute(body);
    if (isOutside) response.vary('Accept');
    // Without a database there is no page.
    const page =
      isOutside && prefersPage(request) && (await this.missingPage?.(request).catch(() => undefined));
    if (page) {
      response.status(status).set(page.headers).type('html').send(page.text);
      return;
    }
    // Do not reveal routes to failed logins.
    const isUnauthenticated = rest?.user === undefined && rest?.rejection === undefined;
    const matched = !isNoRoute(body) && !isUnauthenticated;
    const allow =
      matched && status < 500 ? await this.allowed.header(request).catch(() => undefined) : undefined;
    const challenge = status === 401 && this.strategies.takesBearer && !request.headers.authorization;
    const headers = {
      ...(challenge && { 'WWW-Authenticate': BEARER_CHALLENGE }),
      ...errorHeaders(body),
      ...(allow && { Allow: allow }),
    };
    const serialized = await serializeResponse(request, { body, status, headers }, this.env);
    if (!response.headersSent) serialized.send(response);
  }
}

function isNoRoute(body: unknown): boolean {
  return (body as { code?: unknown } | null)?.code === 'rest_no_route';
}

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
