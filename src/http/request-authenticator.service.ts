import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { type Authentication, AuthService } from '../auth/auth.service.js';
import { getStore } from '../common/context/request-store.js';

/** Records whether the current request is signed in: errors for anonymous requests are 401 instead of 403. */
export function setCurrentUser(user: unknown): void {
  const request = getStore()?.request;
  if (request) request.signedIn = user !== null;
}

const LOOPBACK = /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/;

/** Authenticates HTTP requests. */
@Injectable()
export class RequestAuthenticator {
  constructor(private readonly auth: AuthService) {}

  /** The user by headers and a nonce of form or query; throws `AuthError`. */
  of(request: Request, nonce?: unknown): Promise<Authentication> {
    return this.auth.authenticate({
      method: request.method,
      headers: request.headers,
      remoteAddress: request.ip ?? '',
      secure: request.secure,
      loopback: LOOPBACK.test(request.socket.remoteAddress ?? '') && LOOPBACK.test(request.ip ?? ''),
      nonce: typeof nonce === 'string' ? nonce : undefined,
    });
  }
}
