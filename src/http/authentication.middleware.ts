import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { allowReplica } from '../common/context/abort.js';
import { toHttpException } from '../database/database-errors.js';
import { SMALL_BODY } from './params/limits.js';
import { RequestContexts } from './request-contexts.service.js';
import { isUpload, type RestRequest, restOf } from './rest-request.js';
import { BodyReader } from './server/body-reader.service.js';
import { isForm } from './server/read-body.js';

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);
const LOGIN_COOKIE = /(^|[;\s])wordpress_/;

/** Authenticates a request before routing: invalid credentials fail on unknown routes too. */
@Injectable()
export class AuthenticationMiddleware implements NestMiddleware {
  constructor(
    private readonly contexts: RequestContexts,
    private readonly bodies: BodyReader,
  ) {}

  async use(request: Request, _response: Response, next: NextFunction): Promise<void> {
    const rest = restOf(request);
    if (!rest) return next();
    if (rest.rejection) throw rest.rejection;
    const nonce = (await this.formNonce(request, rest)) ?? rest.query['_wpnonce'];
    const {
      user,
      via,
      nonce: fresh,
    } = await this.contexts.authenticate(request, nonce).catch((thrown: unknown) => {
      throw toHttpException(thrown);
    });
    rest.user = user;
    rest.via = via;
    rest.freshNonce = fresh;
    // Anonymous reads need not see their own writes.
    if (user === null && READING.has(request.method)) allowReplica();
    next();
  }

  /** The nonce of a form; large forms are read this early only with a login cookie, which needs one. */
  private async formNonce(request: Request, rest: RestRequest): Promise<unknown> {
    const { headers, method } = request;
    if (!isForm({ headers, method, sentAs: rest.sentAs })) return undefined;
    const isSmall = Number(headers['content-length'] ?? Number.POSITIVE_INFINITY) <= SMALL_BODY;
    // The nonce of a file has to be in a header or the query.
    if (!isSmall && (isUpload(rest, method) || !LOGIN_COOKIE.test(headers.cookie ?? ''))) return undefined;
    // Faults of the body are reported after routing.
    const body = await this.bodies.read(request).catch(() => undefined);
    return body?.form['_wpnonce'];
  }
}
