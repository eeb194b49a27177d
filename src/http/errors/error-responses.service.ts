import { Injectable, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { errorHeaders } from '../../common/errors/rest-exception.js';
import { Environment } from '../../config/env.js';
import { cut } from '../../lib/safe-text.js';
import { errorText } from '../../observability/logging/error-text.js';
import { AllowedMethods } from '../allowed-methods.js';
import { restOf } from '../rest-request.js';
import type { RestResponse } from '../rest-response.js';
import { serializeResponse } from '../serialize-response.js';
import { unexpected } from './error-response.js';

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

  constructor(
    private readonly env: Environment,
    private readonly allowed: AllowedMethods,
  ) {}

  /** Never fails, as Nest does not await it: an error that can not be sent, such as one of an invalid status, becomes 500. */
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
    // Do not reveal routes to failed logins.
    const isUnauthenticated = rest?.user === undefined && rest?.rejection === undefined;
    const matched = !isNoRoute(body) && !isUnauthenticated;
    const allow =
      matched && status < 500 ? await this.allowed.header(request).catch(() => undefined) : undefined;
    const headers = { ...errorHeaders(body), ...(allow && { Allow: allow }) };
    const serialized = await serializeResponse(request, { body, status, headers }, this.env);
    if (!response.headersSent) serialized.send(response);
  }
}

function isNoRoute(body: unknown): boolean {
  return (body as { code?: unknown } | null)?.code === 'rest_no_route';
}
