import { Injectable, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { errorHeaders } from '../../common/errors/error-headers.js';
import { Environment } from '../../config/env.js';
import { cut } from '../../lib/safe-text.js';
import { errorText } from '../../observability/logging/error-text.js';
import { AllowedMethods } from '../allowed-methods.js';
import { restOf } from '../rest-request.js';
import type { RestResponse } from '../rest-response.js';
import { serializeResponse } from '../serialize-response.js';
import { unexpected } from './error-response.js';

/** Characters of a path that the log shows. */
const MAX_PATH_LENGTH = 200;

/** A request as the log names it. */
export function nameOf(request: Request): string {
  return `${request.method} ${cut(restOf(request)?.path ?? request.path, MAX_PATH_LENGTH)}`;
}

/** Sends what a request is refused with, whoever says so. */
@Injectable()
export class ErrorResponses {
  private readonly logger = new Logger('Request');

  constructor(
    private readonly env: Environment,
    private readonly allowed: AllowedMethods,
  ) {}

  /** Never fails, as nobody waits for it: what can not be sent, such as a status that is none, is answered with 500. */
  async send(request: Request, response: Response, error: RestResponse): Promise<void> {
    try {
      await this.answer(request, response, error);
    } catch (fault) {
      this.logger.error(`${nameOf(request)}: ${errorText(fault)}`);
      await this.answer(request, response, unexpected());
    }
  }

  private async answer(request: Request, response: Response, { body, status }: RestResponse): Promise<void> {
    const rest = restOf(request);
    // Whoever can not be who he says is told of no route.
    const isTurnedAway = rest?.user === undefined && rest?.refusal === undefined;
    const matched = !isNoRoute(body) && !isTurnedAway;
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
