import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { getStore } from '../common/context/request-store.js';
import { Environment } from '../config/env.js';
import { AllowedMethods } from './allowed-methods.js';
import { RequestContexts } from './request-contexts.service.js';
import type { CachedResponse } from './response-cache/cached-response.js';
import { ResponseCache } from './response-cache/response-cache.service.js';
import { restOf } from './rest-request.js';
import { type ResponseParts, RestResponse } from './rest-response.js';
import { entityTagHeader } from './safe-writes/entity-tag.js';
import { serializeResponse } from './serialize-response.js';
import type { SerializedResponse } from './serialized-response.js';

/** Whether a response has all fields, on one line. */
function isWhole(request: Request): boolean {
  const { _fields, _pretty } = restOf(request)?.query ?? {};
  return _fields === undefined && _pretty === undefined;
}

/** Serializes what handlers return, and caches that. */
@Injectable()
export class ResponseWriter {
  constructor(
    private readonly env: Environment,
    private readonly allowed: AllowedMethods,
    private readonly contexts: RequestContexts,
    private readonly cache: ResponseCache,
  ) {}

  async serialize(request: Request, response: Response, value: unknown): Promise<SerializedResponse> {
    const parts: ResponseParts =
      value instanceof RestResponse
        ? value
        : { body: value, status: response.statusCode, headers: getStore()?.request?.headers ?? {} };
    const { body, status, chunks } = parts;
    const allow = parts.headers['Allow'] ?? (await this.allowed.header(request));
    // Behind all others, as `_envelope` shows it.
    const headers = { ...entityTagHeader(body), ...parts.headers, ...(allow && { Allow: allow }) };
    return serializeResponse(request, { body, status, headers, chunks }, this.env);
  }

  /** The cached response of a key, made by `handle` where there is none; undefined where nothing may be cached. */
  async cached(
    key: string,
    request: Request,
    response: Response,
    handle: () => Promise<unknown>,
  ): Promise<CachedResponse | undefined> {
    const query = restOf(request)?.query ?? {};
    const callback = query['_jsonp'] || undefined;
    // The cached response has no callback; it is added when it is sent.
    delete query['_jsonp'];
    const make = async () => {
      const { time } = await (isWhole(request)
        ? this.contexts.allowSerialized(request)
        : this.contexts.of(request));
      const serialized = await this.serialize(request, response, await handle());
      return { response: serialized, until: time.validity().until, route: request.route?.path };
    };
    try {
      const cached = await this.cache.get(key, make);
      return callback === undefined ? cached : cached?.inCallback(String(callback));
    } finally {
      if (callback !== undefined) query['_jsonp'] = callback;
    }
  }
}
