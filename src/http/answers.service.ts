import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Environment } from '../config/env.js';
import { AllowedMethods } from './allowed-methods.js';
import { Answer, type Outgoing, outgoing, toAnswer } from './answer.js';
import type { KeptAnswer } from './response-cache/cached-response.js';
import { KeptAnswers } from './response-cache/response-cache.service.js';
import { RequestContexts } from './request-contexts.service.js';
import { restOf } from './rest-request.js';

/** Whether nothing is taken out of an answer, nor laid out. */
function isWhole(request: Request): boolean {
  const { _fields, _pretty } = restOf(request)?.query ?? {};
  return _fields === undefined && _pretty === undefined;
}

/** Makes what a handler gives an answer as it leaves. */
@Injectable()
export class Answers {
  constructor(
    private readonly env: Environment,
    private readonly allowed: AllowedMethods,
    private readonly contexts: RequestContexts,
    private readonly kept: KeptAnswers,
  ) {}

  /** What `value` says, as it leaves. */
  async outgoing(request: Request, response: Response, value: unknown): Promise<Outgoing> {
    const answer = toAnswer(value, response.statusCode);
    const allow = answer.headers['Allow'] ?? (await this.allowed.header(request));
    // Behind all others, as `_envelope` shows it.
    const headers = Object.assign({}, answer.headers, allow && { Allow: allow });
    return outgoing(request, new Answer(answer.body, answer.status, headers), this.env);
  }

  /** What is kept by a key, made by `handle` where nothing is; undefined where nothing may be kept. `isSeen`: others may see what it gives. */
  async keptBy(
    key: string,
    request: Request,
    response: Response,
    { handle, isSeen }: { handle: () => Promise<unknown>; isSeen: boolean },
  ): Promise<KeptAnswer | undefined> {
    const query = restOf(request)?.query ?? {};
    const callback = query['_jsonp'] || undefined;
    // Put around it when it is sent.
    delete query['_jsonp'];
    const make = async () => {
      const context = await this.contexts.of(request);
      context.asText = isWhole(request);
      context.asTextAlone = context.asText && !isSeen;
      const made = await this.outgoing(request, response, await handle());
      return { outgoing: made, until: context.present.until, route: request.route?.path };
    };
    try {
      const kept = await this.kept.of(key, make);
      return callback === undefined ? kept : kept?.inCallback(String(callback));
    } finally {
      if (callback !== undefined) query['_jsonp'] = callback;
    }
  }
}
