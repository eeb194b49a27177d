import { HttpException } from '@nestjs/common';
import { getStore } from '../context/request-store.js';
import { setErrorHeaders } from './error-headers.js';

/** Why something is refused; `STATUSES` says how each is answered. */
export type ErrorKind =
  /** What was sent is not right. */
  | 'invalid'
  /** The caller may not do this; somebody else might. */
  | 'not_allowed'
  /** Nobody gets this in this way, signed in or not. */
  | 'closed'
  | 'missing'
  /** In the trash already. */
  | 'gone'
  | 'too_large'
  /** It did not arrive in time. */
  | 'late'
  /** Later it may go well. */
  | 'busy'
  /** What was asked for was done, or may have been: asking again might do it twice. */
  | 'unconfirmed'
  | 'unexpected';

/** Members of a refusal's answer besides code and message. */
export interface RestExceptionDetails {
  /** Members of `data`. */
  data?: Readonly<Record<string, unknown>>;
  /** Members beside `data`, such as `additional_data`. */
  extra?: Readonly<Record<string, unknown>>;
}

/** How each reason is answered. */
const STATUSES: Readonly<Record<ErrorKind, number>> = {
  invalid: 400,
  not_allowed: 403,
  closed: 403,
  missing: 404,
  gone: 410,
  too_large: 413,
  late: 408,
  busy: 503,
  unconfirmed: 503,
  unexpected: 500,
};

/** 401 instead of 403 tells nobody in particular that signing in may help. */
function statusOf(reason: ErrorKind): number {
  const isNobody = getStore()?.request?.signedIn !== true;
  return reason === 'not_allowed' && isNobody ? 401 : STATUSES[reason];
}

/**
 * Something that was asked for is refused, and nothing was written; answered as `{code, message, data: {status, …}}`, which is
 * its response for filters and interceptors of anybody.
 */
export class RestException extends HttpException {
  constructor(
    readonly kind: ErrorKind,
    /** Stable machine code such as `rest_invalid_param`. */
    readonly code: string,
    /** Clear English text that names the parameter or record. */
    message: string,
    readonly details: RestExceptionDetails = {},
    options?: ErrorOptions,
  ) {
    const status = statusOf(kind);
    const body = { code, message, data: { status, ...details.data }, ...details.extra };
    super(body, status, options);
    if (kind === 'busy') setErrorHeaders(body, { 'Retry-After': '1' });
  }
}

/** The caller may not do this: 401 for nobody, 403 for somebody. */
export function forbidden(message: string, code = 'rest_forbidden'): RestException {
  return new RestException('forbidden', code, message);
}

/** One failed parameter. */
export interface ParameterFailure {
  name: string;
  message: string;
  /** Set when the failure carries a code of its own, which `data.details` shows. */
  code?: string;
}

/** `rest_invalid_param` for one parameter; the message names it. */
export function invalidParameter(name: string, message: string): RestException {
  return invalidParameters([{ name, message }]);
}

/** `rest_invalid_param` with every failed parameter. */
export function invalidParameters(failures: readonly ParameterFailure[]): RestException {
  const details = Object.fromEntries(
    failures.flatMap(({ name, message, code }) =>
      code
        ? [[name, { code, message, data: code === 'rest_invalid_type' ? { param: name } : { status: 400 } }]]
        : [],
    ),
  );
  const data = {
    params: Object.fromEntries(failures.map(({ name, message }) => [name, message])),
    details: Object.keys(details).length > 0 ? details : [],
  };
  const names = failures.map(({ name }) => name).join(', ');
  return new RestException('invalid', 'rest_invalid_param', `Invalid parameter(s): ${names}`, { data });
}
