import { STATUS_CODES } from 'node:http';
import { HttpException } from '@nestjs/common';
import type { RestResponse } from '../rest-response.js';
import { errorResponse } from './error-response.js';

/** An error that any Nest code may throw, in the recorded shape; undefined for what only the log may tell. */
export function plainError(thrown: unknown): RestResponse | undefined {
  if (thrown instanceof HttpException) return ofNest(thrown.getStatus(), thrown.getResponse());
  // What Express's own middleware refuses, such as a body that is no JSON.
  const { status, expose, message } = (thrown ?? {}) as Record<string, unknown>;
  return expose === true && typeof status === 'number' && status >= 400 && status < 500
    ? plain(status, String(message))
    : undefined;
}

function ofNest(status: number, said: string | object | null): RestResponse | undefined {
  // Whoever passes on a status that never came has none.
  if (!Number.isInteger(status) || status === 500) return undefined;
  if (typeof said === 'string') return plain(status, said);
  // An error, as of a request to somebody else, holds what it was sent with.
  return said instanceof Error ? plain(status) : withMembers(status, said ?? {});
}

/** Members that say the status in other words: Nest's own, and those of a health check. */
const SAY_STATUS = new Set(['statusCode', 'status', 'error']);

/**
 * `code` and `data` are kept where they were given, whatever else there is stands in `data`; a list of messages, as of pipes,
 * goes into `data.details` too.
 */
function withMembers(status: number, said: object): RestResponse {
  const { code, message, data, ...others } = said as Record<string, unknown>;
  const further = Object.entries(others).filter(([name]) => !SAY_STATUS.has(name));
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
