import { HttpException } from '@nestjs/common';
import { setErrorHeaders } from '../common/errors/rest-exception.js';

/** Headers of responses that must not be cached. */
export const NO_CACHE_HEADERS = {
  Expires: 'Wed, 11 Jan 1984 05:00:00 GMT',
  'Cache-Control': 'no-cache, must-revalidate, max-age=0, no-store, private',
} as const;

/** A failed authentication; the response of any request has this status, code and headers. */
export class AuthError extends HttpException {
  constructor(
    status: 401 | 403 | 429 | 503,
    /** A stable code such as `incorrect_password`. */
    readonly code: string,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    const body = { code, message, data: { status } };
    super(body, status);
    setErrorHeaders(body, headers);
  }
}
