import { StreamableFile } from '@nestjs/common';
import type { Request } from 'express';
import type { Environment } from '../config/env.js';
import { NO_CACHE_HEADERS } from '../auth/auth.service.js';
import { currentWork } from '../work/current-work.js';
import { selectFields } from './fields.js';
import { phpJson, phpJsonPieces } from './php-json.js';
import { OtherBody, WrittenText } from './written-text.js';
import { restOf } from './rest-request.js';

/** What a handler answers: the body, its status and the headers that are its own. */
export class Answer {
  constructor(
    readonly body: unknown,
    readonly status = 200,
    readonly headers: Readonly<Record<string, string | number>> = {},
  ) {}
}

// To interceptors of anybody it is a file, which they leave alone; the constructor of one would open a stream.
Object.setPrototypeOf(Answer.prototype, StreamableFile.prototype);

/** A body whose headers are noted with the request: interceptors of anybody see the body alone, and may make another of it. */
export function withHeaders<T>(body: T, headers: Answer['headers']): T {
  const request = currentWork()?.request;
  if (request) request.headers = headers;
  return body;
}

/** What a handler answered, whichever way it says so. */
export function toAnswer(value: unknown, status: number): Answer {
  if (value instanceof Answer) return value;
  return new Answer(value, status, currentWork()?.request?.headers);
}

/** An answer as it leaves: the one form that everything is sent in. */
export interface Outgoing {
  status: number;
  headers: Record<string, string>;
  text: WrittenText;
}

const EXPOSED = 'X-WP-Total, X-WP-TotalPages, Link';
const ALLOWED = 'Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type';
/**
 * The one place where an answer becomes text and headers: `_fields`, `_envelope`, `_jsonp`, `_pretty`, CORS and
 * no-cache headers, by docs/behaviour/answers.md.
 */
export async function outgoing(
  request: Request,
  answer: Answer,
  { restBaseUrl, corsOrigins }: Pick<Environment, 'restBaseUrl' | 'corsOrigins'>,
): Promise<Outgoing> {
  const rest = restOf(request);
  const query = rest?.query ?? {};
  if (answer.body instanceof OtherBody)
    return whole(request, answer.body, answer, { restBaseUrl, corsOrigins });
  const failed = answer.status >= 400;
  const always = rest?.path === '/' ? ['_links'] : [];
  let body = failed ? answer.body : selectFields(answer.body, query['_fields'], always);
  let status = answer.status;
  const { Expires: _expires, 'Cache-Control': uncached, ...own } = answer.headers;
  let headers = Object.fromEntries(Object.entries(own).map(([name, value]) => [name, String(value)]));
  if (query['_envelope'] !== undefined) {
    body = { body, status, headers: Object.keys(own).length > 0 ? own : [] };
    status = 200;
    headers = {};
  }
  const callback = query['_jsonp'];
  const common = commonHeaders(restBaseUrl);
  if (!isSoundCallback(callback))
    return {
      status: 400,
      headers: { 'Content-Type': 'application/json; charset=UTF-8', ...common },
      text: new WrittenText([
        phpJson({ code: 'rest_callback_invalid', message: 'Invalid JSONP callback function.' }),
      ]),
    };
  const json = await phpJsonPieces(body, query['_pretty'] !== undefined);
  const loggedIn = Boolean(rest?.user);
  const noCache = loggedIn || uncached !== undefined || (failed && rest?.methodOverridden);
  return {
    status,
    headers: {
      'Content-Type': `application/${callback === undefined ? 'json' : 'javascript'}; charset=UTF-8`,
      ...common,
      'Access-Control-Expose-Headers': EXPOSED,
      'Access-Control-Allow-Headers': ALLOWED,
      ...corsHeaders(corsOrigins, request.headers.origin, request.method === 'GET' && !loggedIn),
      ...(noCache ? NO_CACHE_HEADERS : {}),
      ...(rest?.freshNonce ? { 'X-WP-Nonce': rest.freshNonce } : {}),
      ...headers,
      ...(headers['Link'] && { Link: `${common.Link}, ${headers['Link']}` }),
    },
    text: new WrittenText(callback === undefined ? json : [`/**/${callback}(`, ...json, ')']),
  };
}

/** What is no JSON goes out as it is: nothing of it can be chosen, wrapped or called back. */
function whole(
  request: Request,
  { type, written }: OtherBody,
  { status, headers: { Link: further, ...headers } }: Answer,
  { restBaseUrl, corsOrigins }: Pick<Environment, 'restBaseUrl' | 'corsOrigins'>,
): Outgoing {
  const { user, freshNonce } = restOf(request) ?? {};
  const common = commonHeaders(restBaseUrl);
  const cors = corsHeaders(corsOrigins, request.headers.origin, request.method === 'GET' && !user);
  const texts = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return {
    status,
    headers: {
      'Content-Type': type,
      ...common,
      ...(further !== undefined && { Link: `${common.Link}, ${further}` }),
      'Access-Control-Expose-Headers': EXPOSED,
      'Access-Control-Allow-Headers': ALLOWED,
      ...cors,
      ...(user ? NO_CACHE_HEADERS : {}),
      ...(freshNonce ? { 'X-WP-Nonce': freshNonce } : {}),
      ...Object.fromEntries(texts),
      Vary: [cors['Vary'], headers['Vary']].filter(Boolean).join(', '),
    },
    text: written,
  };
}

const commonHeaders = (restBaseUrl: string) => ({
  'X-Robots-Tag': 'noindex',
  Link: `<${restBaseUrl}/>; rel="https://api.w.org/"`,
  'X-Content-Type-Options': 'nosniff',
});

/** Whether `_jsonp` is absent or the name of a function. */
export function isSoundCallback(callback: unknown): boolean {
  return callback === undefined || (typeof callback === 'string' && /^[\w.]+$/.test(callback));
}

/**
 * What lets pages of these origins (null: of all) read an answer; `isShared` for a GET by somebody who is not signed in.
 */
export function corsHeaders(
  allowed: Environment['corsOrigins'],
  origin: string | undefined,
  isShared: boolean,
): Record<string, string> {
  if (origin === undefined) return isShared ? { Vary: 'Origin' } : {};
  if (allowed && !allowed.has(origin)) return { Vary: 'Origin' };
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Methods': 'OPTIONS, GET, POST, PUT, PATCH, DELETE',
    'Access-Control-Allow-Credentials': 'true',
    Vary: 'Origin',
  };
}
