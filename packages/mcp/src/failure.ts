import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { AlmanacError } from 'almanac-client';

const DOUBT = 'A write may have been done: read before you repeat it.';

/** A call that this server rejects itself, in the form of the calendar's own errors. */
export const rejected = (code: string, message: string, params: Readonly<Record<string, string>> = {}) =>
  new AlmanacError(message, 400, code, params);

/** The result of a failed call: code, status, message and parameters for the model, which may correct itself. */
export function toFailure(error: unknown): CallToolResult {
  const { code, status, message, params } = error instanceof AlmanacError ? error : notAnswered(error);
  const lines = Object.entries(params).map(([name, text]) => `${name}: ${text}`);
  return {
    isError: true,
    content: [{ type: 'text', text: [`${code} (${status}): ${message}`, ...lines].join('\n') }],
    structuredContent: { code, status, message, params },
  };
}

/** What went wrong on the way; causes name addresses of the network, so only the system's code is passed on. */
function notAnswered(error: unknown): AlmanacError {
  const isTimeout = error instanceof DOMException && error.name === 'TimeoutError';
  if (isTimeout) return new AlmanacError(`The calendar did not answer in time. ${DOUBT}`, 504, 'timeout');
  // What fetch throws has a cause; openapi-fetch rejects objects in lists of a query.
  const cause = error instanceof Error ? error.cause : undefined;
  if (error instanceof Error && cause === undefined) return rejected('invalid_arguments', error.message);
  const reason = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
  return new AlmanacError(`The calendar was not reached${reason}. ${DOUBT}`, 502, 'unreachable');
}
