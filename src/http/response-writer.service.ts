import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Environment } from '../config/env.js';
import { AllowedMethods } from './allowed-methods.js';
import { RequestContexts } from './request-contexts.service.js';
import type { CachedResponse } from './response-cache/cached-response.js';
import { ResponseCache } from './response-cache/response-cache.service.js';
import { restOf } from './rest-request.js';
import { RestResponse, type SerializedResponse, serializeResponse, toRestResponse } from './rest-response.js';

/** Whether a response is sent with all its members, and not laid out. */
function isWhole(request: Request): boolean {
  const { _fields, _pretty } = restOf(request)?.query ?? {};
  return _fields === undefined && _pretty === undefined;
}

/** Serializes what handlers return, and caches it. */
@Injectable()
export class ResponseWriter {
  constructor(
    private readonly env: Environment,
    private readonly allowed: AllowedMethods,
    private readonly contexts: RequestContexts,
    private readonly kept: ResponseCache,
  ) {}

  /** Serializes what a handler returned. */
  async serialize(request: Request, response: Response, value: unknown): Promise<SerializedResponse> {
    const { body, status, headers } = toRestResponse(value, response.statusCode);
    const allow = headers['Allow'] ?? (await this.allowed.header(request));
    // Behind all others, as `_envelope` shows it.
    const all = { ...headers, ...(allow && { Allow: allow }) };
    return serializeResponse(request, new RestResponse(body, status, all), this.env);
  }

  /** The cached response of a key, made by `handle` where there is none; undefined where nothing may be cached. */
  async cachedBy(
    key: string,
    request: Request,
    response: Response,
    handle: () => Promise<unknown>,
  ): Promise<CachedResponse | undefined> {
    const query = restOf(request)?.query ?? {};
    const callback = query['_jsonp'] || undefined;
    // Put around it when it is sent.
    delete query['_jsonp'];
    const make = async () => {
      const { time } = await (isWhole(request)
        ? this.contexts.allowSerialized(request)
        : this.contexts.of(request));
      const outgoing = await this.serialize(request, response, await handle());
      return { outgoing, until: time.validity().until, route: request.route?.path };
    };
    try {
      const kept = await this.kept.of(key, make);
      return callback === undefined ? kept : kept?.inCallback(String(callback));
    } finally {
      if (callback !== undefined) query['_jsonp'] = callback;
    }
  }
}
