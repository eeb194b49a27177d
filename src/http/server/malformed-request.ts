import type { IncomingMessage, ServerResponse } from 'node:http';
import { phpJson } from '../php-json.js';
import { drainRequestBody } from './drain-request-body.js';

/** Visible ASCII without what begins a fragment, and without what browsers read as a slash. */
const READ_ALIKE = /^[!"$-[\]-~]+$/;
const ABSOLUTE = /^https?:\/\/[^/?@]+(?:\/|(?=\?)|$)/i;
/** Headers that say one thing; proxies and servers differ in which of two they take. */
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
 * Path and query of a request target (RFC 9112, 3.2), also of one that was sent as a whole address; undefined for one that parsers
 * read differently. Whatever reads the target later, Express included, sees these characters only, which all of them split alike.
 */
export function originForm(target = ''): string | undefined {
  if (!READ_ALIKE.test(target)) return undefined;
  const form = target.replace(ABSOLUTE, '/');
  return form.startsWith('/') ? form : undefined;
}

/** What is wrong with the headers of a request, if anything is. */
export function headerFault({ headers, rawHeaders }: IncomingMessage): string | undefined {
  if (!HOST.test(headers.host ?? '')) return 'The header Host is not valid.';
  // Names are looked at only where some were sent twice.
  if (Object.keys(headers).length * 2 === rawHeaders.length) return undefined;
  const names = rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase());
  const repeated = names.find((name, at) => SINGLE.has(name) && names.indexOf(name) < at);
  return repeated && `The header ${repeated} was sent more than once.`;
}

/** Answers 400 in the shape of all errors; the connection stays usable. */
export function refuseMalformed(
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
