import { StreamableFile } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Response } from 'express';
import { RestResponse } from '../rest-response.js';
import { ErrorResponses } from '../errors/error-responses.service.js';
import { CachedResponse } from '../response-cache/cached-response.js';
import { restOf } from '../rest-request.js';
import type { SlowClientLimiter } from './slow-client-limiter.js';
import { send, ResponseBody } from '../response-body.js';

/** Makes the application send what is written already as it is: Express's own `send` would respell the content type. */
export function patchAdapterReply(app: NestExpressApplication, unread: SlowClientLimiter): void {
  const adapter = app.getHttpAdapter();
  const errors = app.get(ErrorResponses);
  const reply = adapter.reply.bind(adapter);
  adapter.reply = (response: Response, body: unknown, status?: number) => {
    if (body instanceof CachedResponse) body.send(response.req, response, nonceOf(response));
    else if (body instanceof ResponseBody) send(response, body);
    else if (isFiltered(response, body, status))
      return errors.send(response.req, response, new RestResponse(body, status));
    else reply(response, body, status);
    const length =
      body instanceof CachedResponse ? body.length : Number(response.getHeader('Content-Length') ?? 0);
    // A stream may send something now and then, without end.
    if (length > 0) unread.add(body, length, response);
  };
}

/** The nonce of a request whose sender is nobody all the same. */
function nonceOf({ req }: Response): Record<string, string> {
  const nonce = restOf(req)?.freshNonce;
  return nonce === undefined ? {} : { 'X-WP-Nonce': nonce };
}

/** Whether a filter that extends Nest's own says what an error of the interface is. */
function isFiltered(response: Response, body: unknown, status = 200): body is object {
  // Of an error Nest tells nothing, which may hold what it was made of.
  const isPlain = !(body instanceof StreamableFile) && !(body instanceof Error);
  const isBody = typeof body === 'object' && body !== null && isPlain;
  return isBody && status >= 400 && restOf(response.req) !== undefined;
}
