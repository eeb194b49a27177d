import { HttpException } from '@nestjs/common';
import { setErrorHeaders } from '../common/errors/rest-exception.js';

/** A failed authentication; the response of any request has this status, code and headers. */
export class AuthError extends HttpException {
  constructor(
    status: 401 | 403 | 429,
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
