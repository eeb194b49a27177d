import { HttpException } from '@nestjs/common';

/** A sign-in that failed; answers the request with this status, code and headers, whatever was asked. */
export class AuthError extends HttpException {
  constructor(
    status: 401 | 403 | 429,
    /** Stable machine code such as `incorrect_password`. */
    readonly code: string,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super({ code, message, data: { status } }, status);
  }
}
