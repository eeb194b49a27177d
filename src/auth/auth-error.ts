import { HttpException } from '@nestjs/common';
import { setErrorHeaders } from '../common/errors/error-headers.js';

/** A sign-in that failed; answers the request with this status, code and headers, whatever was asked. */
export class AuthError extends HttpException {
  constructor(
    status: 401 | 403 | 429,
    /** Stable machine code such as `incorrect_password`. */
    readonly code: string,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    const body = { code, message, data: { status } };
    super(body, status);
    setErrorHeaders(body, headers);
  }
}
