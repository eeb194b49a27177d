import { STATUS_CODES } from 'node:http';
import { HttpException } from '@nestjs/common';
import type { Answer } from './answer.js';
import { errorAnswer } from './error-answer.js';

/** An error that any Nest code may throw, in the recorded shape; undefined for what only the log may tell. */
export function plainError(thrown: unknown): Answer | undefined {
  if (thrown instanceof HttpException && thrown.getStatus() !== 500) {
    const [status, said] = [thrown.getStatus(), thrown.getResponse()];
    return typeof said === 'string' ? plain(status, said) : withMembers(status, said);
  }
  // What Express's own middleware refuses, such as a body that is no JSON.
  const { status, expose, message } = (thrown ?? {}) as Record<string, unknown>;
  return expose === true && typeof status === 'number' && status >= 400 && status < 500
    ? plain(status, String(message))
    : undefined;
}

/** Members that say the status in other words: Nest's own, and those of a health check. */
const SAY_STATUS = new Set(['statusCode', 'status', 'error']);

/**
 * `code` and `data` are kept where they were given, whatever else there is stands in `data`; a list of messages, as of pipes,
 * goes into `data.details` too.
 */
function withMembers(status: number, said: object): Answer {
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

function plain(status: number, message?: string, code?: unknown, data?: object): Answer {
  const name = STATUS_CODES[status] ?? 'error';
  const own = `rest_${status === 401 ? 'forbidden' : name.toLowerCase().replace(/\W+/g, '_')}`;
  return errorAnswer(status, typeof code === 'string' ? code : own, message ?? name, data);
}
