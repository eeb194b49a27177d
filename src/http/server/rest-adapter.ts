import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { type NestApplicationOptions, NotFoundException, StreamableFile } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { noRoute } from '../errors/error-response.js';
import type { ErrorResponses } from '../errors/rest-error.filter.js';
import { CachedResponse } from '../response-cache/cached-response.js';
import { restOf } from '../rest-request.js';
import { RestResponse } from '../rest-response.js';
import { SerializedResponse } from '../serialized-response.js';
import type { SlowClientLimiter } from './slow-client-limiter.js';

interface AdapterParts {
  errors: ErrorResponses;
  slowClients: SlowClientLimiter;
  /** Runs when the application is configured, before Nest registers middleware and routes. */
  beforeInit: () => void;
  /** Runs behind all routes, those of plugins too. */
  notFound: RequestHandler;
}

/** Nest's Express adapter that also sends serialized and cached responses; Express's `send` would rewrite their content type. */
export class RestAdapter extends ExpressAdapter {
  private parts?: AdapterParts;

  configure(parts: AdapterParts): void {
    this.parts = parts;
  }

  /**
   * Creates requests and responses with the prototypes that Express would set later: changing a prototype deoptimizes the
   * object, which costs a list a tenth of its time.
   */
  override initHttpServer(options: NestApplicationOptions): void {
    super.initHttpServer(options);
    if (options.httpsOptions) return;
    const express = this.getInstance();
    class ExpressRequest extends IncomingMessage {}
    class ExpressResponse extends ServerResponse {}
    Object.setPrototypeOf(ExpressRequest.prototype, express.request);
    Object.setPrototypeOf(ExpressResponse.prototype, express.response);
    express.request = ExpressRequest.prototype;
    express.response = ExpressResponse.prototype;
    this.httpServer = createServer(
      { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse },
      express,
    );
  }

  override async init(): Promise<void> {
    await super.init();
    this.parts?.beforeInit();
  }

  override setNotFoundHandler(): void {
    const { notFound } = this.parts ?? {};
    // Filters of plugins that redirect unknown paths expect Nest's exception.
    const exception = () => new NotFoundException(noRoute().getResponse());
    this.use((request: Request, response: Response, next: NextFunction) => {
      const reject = (error?: unknown) => next(error ?? exception());
      // Express handles what the returned promise rejects with.
      return notFound ? notFound(request, response, reject) : reject();
    });
  }

  override reply(response: Response, body: unknown, status?: number): unknown {
    if (body instanceof CachedResponse) body.send(response.req, response, nonceHeader(response));
    else if (body instanceof SerializedResponse) body.send(response);
    else if (isErrorBody(response, body, status))
      return this.parts?.errors.send(response.req, response, new RestResponse(body, status));
    else super.reply(response, body, status);
    const length =
      body instanceof CachedResponse ? body.length : Number(response.getHeader('Content-Length') ?? 0);
    // Streams may be slow by design.
    if (length > 0) this.parts?.slowClients.add(body, length, response);
    return undefined;
  }
}

/** The nonce of an anonymous request that sent one. */
function nonceHeader({ req }: Response): Record<string, string> {
  const nonce = restOf(req)?.freshNonce;
  return nonce === undefined ? {} : { 'X-WP-Nonce': nonce };
}

/** Whether a filter that extends Nest's own sends an error of the interface. */
function isErrorBody(response: Response, body: unknown, status = 200): body is object {
  // Nest hides the members of an `Error`, which may contain secrets.
  const isPlain = !(body instanceof StreamableFile) && !(body instanceof Error);
  const isBody = typeof body === 'object' && body !== null && isPlain;
  return isBody && status >= 400 && restOf(response.req) !== undefined;
}
