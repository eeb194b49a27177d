import { STATUS_CODES } from 'node:http';
import { HttpException } from '@nestjs/common';
import { RestError } from './rest-error.js';

/** An error that any Nest code may throw, in the recorded shape; undefined for what only the log may tell. */
export function plainError(thrown: unknown): RestError | undefined {
  if (thrown instanceof HttpException && thrown.getStatus() < 500) {
    const [status, said] = [thrown.getStatus(), thrown.getResponse()];
    return typeof said === 'string' ? restError(status, said) : withMembers(status, said);
  }
  // What Express's own middleware refuses, such as a body that is no JSON.
  const { status, expose, message } = (thrown ?? {}) as Record<string, unknown>;
  return expose === true && typeof status === 'number' && status >= 400 && status < 500
    ? restError(status, String(message))
    : undefined;
}

/** `code` and `data` are kept where they were given; a list of messages, as of pipes, goes into `data.details` too. */
function withMembers(status: number, said: object): RestError {
  const { code, message, data } = said as Record<string, unknown>;
  const details = Array.isArray(message) ? { details: message } : {};
  const text = Array.isArray(message) ? message.join(' ') : message;
  return restError(status, typeof text === 'string' ? text : undefined, code, {
    ...(typeof data === 'object' ? data : {}),
    ...details,
  });
}

function restError(status: number, message?: string, code?: unknown, data?: object): RestError {
  const name = STATUS_CODES[status] ?? 'error';
  const own = `rest_${status === 401 ? 'forbidden' : name.toLowerCase().replace(/\W+/g, '_')}`;
  return new RestError(typeof code === 'string' ? code : own, status, message ?? name, { ...data });
}
