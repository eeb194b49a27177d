import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Environment } from '../config/env.js';
import { AllowedMethods } from './allowed-methods.js';
import { RestResponse, type SerializedResponse, serializeResponse, toRestResponse } from './rest-response.js';
import type { CachedResponse } from './response-cache/cached-response.js';
import { ResponseCache } from './response-cache/response-cache.service.js';
import { RequestContexts } from './request-contexts.service.js';
import { restOf } from './rest-request.js';

/** Whether nothing is taken out of an answer, nor laid out. */
function isWhole(request: Request): boolean {
  const { _fields, _pretty } = restOf(request)?.query ?? {};
  return _fields === undefined && _pretty === undefined;
}

/** Makes what a handler gives an answer as it leaves. */
@Injectable()
export class ResponseWriter {
  constructor(
    private readonly env: Environment,
    private readonly allowed: AllowedMethods,
    private readonly contexts: RequestContexts,
    private readonly kept: ResponseCache,
  ) {}

  /** What `value` says, as it leaves. */
  async serialize(request: Request, response: Response, value: unknown): Promise<SerializedResponse> {
    const answer = toRestResponse(value, response.statusCode);
    const allow = answer.headers['Allow'] ?? (await this.allowed.header(request));
    // Behind all others, as `_envelope` shows it.
    const headers = Object.assign({}, answer.headers, allow && { Allow: allow });
    return serializeResponse(request, new RestResponse(answer.body, answer.status, headers), this.env);
  }

  /** What is kept by a key, made by `handle` where nothing is; undefined where nothing may be kept. `isSeen`: others may see what it gives. */
  async cachedBy(
    key: string,
    request: Request,
    response: Response,
    { handle, isSeen }: { handle: () => Promise<unknown>; isSeen: boolean },
  ): Promise<CachedResponse | undefined> {
    const query = restOf(request)?.query ?? {};
    const callback = query['_jsonp'] || undefined;
    // Put around it when it is sent.
    delete query['_jsonp'];
    const make = async () => {
      const context = await this.contexts.of(request);
      context.allowSerialized = isWhole(request);
      context.allowSerializedSingle = context.allowSerialized && !isSeen;
      const made = await this.serialize(request, response, await handle());
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
