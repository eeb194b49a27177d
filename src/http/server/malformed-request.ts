import type { IncomingMessage, ServerResponse } from 'node:http';
import { phpJson } from '../php-json.js';
import { drainRequestBody } from './read-body.js';

/** Visible ASCII without `#`, and without the backslash, which browsers read as a slash. */
const TARGET = /^[!"$-[\]-~]+$/;
const ABSOLUTE = /^https?:\/\/[^/?@]+(?:\/|(?=\?)|$)/i;
/** Headers with a single value; proxies and servers differ in which of two they use. */
const SINGLE = new Set([
  'host',
  'authorization',
  'content-type',
  'content-length',
  'origin',
  'x-wp-nonce',
  'x-http-method-override',
]);
const HOST = /^[^\s,/\\?#@]*$/;

/**
 * Path and query of a request target (RFC 9112, 3.2), also of one in absolute form; undefined for one that parsers, such as
 * Express's, read differently.
 */
export function originForm(target = ''): string | undefined {
  if (!TARGET.test(target)) return undefined;
  const form = target.replace(ABSOLUTE, '/');
  return form.startsWith('/') ? form : undefined;
}

/** The fault of a request's headers, if any; `ofLogins`: further headers with a single value. */
export function headerFault(
  { headers, rawHeaders }: IncomingMessage,
  ofLogins: readonly string[],
): string | undefined {
  if (!HOST.test(headers.host ?? '')) return 'The header Host is not valid.';
  // Equal counts: no header was sent twice.
  if (Object.keys(headers).length * 2 === rawHeaders.length) return undefined;
  const names = rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase());
  const repeated = names.find(
    (name, at) => (SINGLE.has(name) || ofLogins.includes(name)) && names.indexOf(name) < at,
  );
  return repeated && `The header ${repeated} was sent more than once.`;
}

/** Responds 400 in the format of all errors; the connection stays usable. */
export function rejectMalformed(
  request: IncomingMessage,
  response: ServerResponse,
  message: string,
  own: Readonly<Record<string, string>>,
): void {
  drainRequestBody(request, response);
  const text = phpJson({ code: 'rest_bad_request', message, data: { status: 400 } });
  const length = Buffer.byteLength(text);
  const headers = { 'Content-Type': 'application/json; charset=UTF-8', 'Content-Length': length, ...own };
  response.writeHead(400, headers).end(text);
}
