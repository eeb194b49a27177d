import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Environment } from '../config/env.js';
import { AllowedMethods } from './allowed-methods.js';
import { Answer, outgoing } from './answer.js';
import { restOf } from './rest-request.js';
import { send } from './written-text.js';

/** Sends what a request is refused with, whoever says so. */
@Injectable()
export class ErrorAnswers {
  constructor(
    private readonly env: Environment,
    private readonly allowed: AllowedMethods,
  ) {}

  async send(request: Request, response: Response, error: Answer): Promise<void> {
    const rest = restOf(request);
    // Whoever can not be who he says is told of no route.
    const isTurnedAway = rest?.user === undefined && rest?.refusal === undefined;
    const matched = !isNoRoute(error) && !isTurnedAway;
    const allow =
      matched && error.status < 500 ? await this.allowed.header(request).catch(() => undefined) : undefined;
    const answer = allow ? new Answer(error.body, error.status, { ...error.headers, Allow: allow }) : error;
    const { status, headers, text } = await outgoing(request, answer, this.env);
    if (response.headersSent) return;
    send(response.status(status).set(headers), text);
  }
}

function isNoRoute({ body }: Answer): boolean {
  return (body as { code?: unknown } | null)?.code === 'rest_no_route';
}
