import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { AuthService } from '../auth/auth.service.js';
import { restOf } from './rest-request.js';

const LOOPBACK = /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/;

/** Finds out who sends a request, before any route is looked at: wrong credentials fail unknown routes too. */
@Injectable()
export class AuthenticationMiddleware implements NestMiddleware {
  constructor(private readonly auth: AuthService) {}

  async use(request: Request, _response: Response, next: NextFunction): Promise<void> {
    const rest = restOf(request);
    if (!rest) return next();
    if (rest.refusal) throw rest.refusal;
    const nonce = rest.form['_wpnonce'] ?? rest.query['_wpnonce'];
    const { user, nonce: fresh } = await this.auth.authenticate({
      method: request.method,
      headers: request.headers,
      remoteAddress: request.ip ?? '',
      secure: request.secure,
      loopback: LOOPBACK.test(request.socket.remoteAddress ?? '') && LOOPBACK.test(request.ip ?? ''),
      nonce: typeof nonce === 'string' ? nonce : undefined,
    });
    rest.user = user;
    rest.freshNonce = fresh;
    next();
  }
}
