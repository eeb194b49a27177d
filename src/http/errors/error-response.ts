import { STATUS_CODES } from 'node:http';
import { HttpException } from '@nestjs/common';
import { RestException } from '../../common/errors/rest-exception.js';
import { RestResponse } from '../rest-response.js';

/** An error in the recorded shape: the status is repeated in `data`. */
function errorResponse(status: number, code: string, message: string, data: object = {}): RestResponse {
  return new RestResponse({ code, message, data: { status, ...data } }, status);
}

/** An unexpected error, whose cause is only in the log. */
export function unexpected(): RestResponse {
  return errorResponse(500, 'internal_server_error', 'Something went wrong on the server.');
}

/** No route for this path and method; also for a known path with a wrong method, as recorded. */
export function noRoute(): RestException {
  return new RestException(
    'not_found',
    'rest_no_route',
    'No route was found matching the URL and request method.',
  );
}

/** An error of other Nest code in the recorded format; undefined for one that only the log may show. */
export function plainError(thrown: unknown): RestResponse | undefined {
  if (thrown instanceof HttpException) return ofNest(thrown.getStatus(), thrown.getResponse());
  // Errors of Express's own middleware, such as of a body that is no JSON.
  const { status, expose, message } = (thrown ?? {}) as Record<string, unknown>;
  return expose === true && typeof status === 'number' && status >= 400 && status < 500
    ? plain(status, String(message))
    : undefined;
}

function ofNest(status: number, body: string | object | null): RestResponse | undefined {
  // The status of an upstream response that never arrived is undefined.
  if (!Number.isInteger(status) || status === 500) return undefined;
  if (typeof body === 'string') return plain(status, body);
  // An `Error`, such as of a request to another server, may contain credentials.
  return body instanceof Error ? plain(status) : withMembers(status, body ?? {});
}

/** Members that repeat the status: Nest's own, and those of a health check. */
const STATUS_MEMBERS = new Set(['statusCode', 'status', 'error']);

/**
 * `code` and `data` stay, other members move into `data`; a list of messages, as of pipes, is repeated in `data.details`.
 */
function withMembers(status: number, body: object): RestResponse {
  const { code, message, data, ...others } = body as Record<string, unknown>;
  const further = Object.entries(others).filter(([name]) => !STATUS_MEMBERS.has(name));
  const details = Array.isArray(message) ? { details: message } : {};
  const text = Array.isArray(message) ? message.join(' ') : message;
  return plain(status, typeof text === 'string' ? text : undefined, code, {
    ...Object.fromEntries(further),
    ...(typeof data === 'object' ? data : {}),
    ...details,
  });
}

function plain(status: number, message?: string, code?: unknown, data?: object): RestResponse {
  const name = STATUS_CODES[status] ?? 'error';
  const own = `rest_${status === 401 ? 'forbidden' : name.toLowerCase().replace(/\W+/g, '_')}`;
  return errorResponse(status, typeof code === 'string' ? code : own, message ?? name, data);
}
