import { HttpException } from '@nestjs/common';
import { getStore } from '../context/request-store.js';

/** The kinds of errors with their statuses. */
const STATUSES = {
  /** No error: the request is valid, and ends before it writes. */
  validated: 202,
  invalid: 400,
  /** The user lacks a capability: 403, or 401 when not signed in. */
  forbidden: 403,
  /** Forbidden for everyone: always 403. */
  forbidden_for_all: 403,
  not_found: 404,
  /** Another record or request, or the state of this record, forbids it. */
  conflict: 409,
  /** Already in the trash. */
  gone: 410,
  /** The record is not in the state that the request's conditions name. */
  precondition_failed: 412,
  too_large: 413,
  /** Well-formed, but it contradicts an earlier request. */
  unprocessable: 422,
  too_many: 429,
  /** Another system that the request needs rejects it; retrying is in vain. */
  upstream: 502,
  /** The request did not arrive in time. */
  timeout: 408,
  /** Temporarily unavailable; retrying may help. */
  busy: 503,
  /** The write may have been committed; retrying could duplicate it. */
  unconfirmed: 503,
  unexpected: 500,
} as const;

export type ErrorKind = keyof typeof STATUSES;

/** Members of an error response besides code and message. */
interface RestExceptionDetails {
  data?: Readonly<Record<string, unknown>>;
  /** Members beside `data`, such as `additional_data`. */
  extra?: Readonly<Record<string, unknown>>;
}

function statusOf(kind: ErrorKind): number {
  const isSignedIn = getStore()?.request?.signedIn === true;
  return kind === 'forbidden' && !isSignedIn ? 401 : STATUSES[kind];
}

/** An error response `{code, message, data: {status, …}}`; nothing was written unless its kind says otherwise. */
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

/** Ends a request that is only checked, where it would write. */
export function validated(): RestException {
  return new RestException('validated', 'validated', 'The request is valid. It was only checked.');
}

/** The user lacks a capability: 403, or 401 when not signed in. */
export function forbidden(message: string, code = 'rest_forbidden'): RestException {
  return new RestException('forbidden', code, message);
}

/** 409: another record, or the state of this one, forbids the write. */
export function conflict(message: string, code = 'rest_conflict'): RestException {
  return new RestException('conflict', code, message);
}

/** 404: there is no such record, or none that the caller may know of. */
export function notFound(message: string, code = 'rest_not_found'): RestException {
  return new RestException('not_found', code, message);
}

export interface ParameterFailure {
  name: string;
  message: string;
  /** An own code of the failure, for `data.details`. */
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

type Headers = Readonly<Record<string, string>>;

const headersOf = new WeakMap<object, Headers>();

/** Attaches headers to the body of an error response, the only part that third-party filters pass on. */
export function setErrorHeaders(body: object, headers: Headers): void {
  headersOf.set(body, headers);
}

export function errorHeaders(body: unknown): Headers {
  return headersOf.get(Object(body)) ?? {};
}
