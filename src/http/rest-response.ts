import { StreamableFile } from '@nestjs/common';
import type { Request } from 'express';
import { NO_CACHE_HEADERS } from '../auth/auth.service.js';
import type { Environment } from '../config/env.js';
import { getStore } from '../common/context/request-store.js';
import { selectFields } from './params/fields.js';
import { phpJson, phpJsonChunks } from './php-json.js';
import { restOf } from './rest-request.js';
import { RawBody, ResponseBody } from './response-body.js';

/** What a handler answers: the body, its status and the headers that are its own. */
export class RestResponse {
  constructor(
    readonly body: unknown,
    readonly status = 200,
    readonly headers: Readonly<Record<string, string | number>> = {},
  ) {}
}

// To interceptors of anybody it is a file, which they leave alone; the constructor of one would open a stream.
Object.setPrototypeOf(RestResponse.prototype, StreamableFile.prototype);

/** A body whose headers are noted with the request: interceptors of anybody see the body alone, and may make another of it. */
export function withHeaders<T>(body: T, headers: RestResponse['headers']): T {
  const request = getStore()?.request;
  if (request) request.headers = headers;
  return body;
}

/** What a handler answered, whichever way it says so. */
export function toRestResponse(value: unknown, status: number): RestResponse {
  if (value instanceof RestResponse) return value;
  return new RestResponse(value, status, getStore()?.request?.headers);
}

/** An answer as it leaves: the one form that everything is sent in. */
export interface SerializedResponse {
  status: number;
  headers: Record<string, string>;
  text: ResponseBody;
}

const IGNORED = 'X-Almanac-Ignored';
const EXPOSED = `X-WP-Total, X-WP-TotalPages, Link, ${IGNORED}, X-TEC-Total, X-TEC-TotalPages, ETag, Retry-After`;
const ALLOWED = 'Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type, If-None-Match';
/**
 * The one place where an answer becomes text and headers: `_fields`, `_envelope`, `_jsonp`, `_pretty`, CORS and
 * no-cache headers, by docs/behaviour/answers.md.
 */
export async function serializeResponse(
  request: Request,
  { body, status, headers }: RestResponse,
  env: Pick<Environment, 'restBaseUrl' | 'corsOrigins'>,
): Promise<SerializedResponse> {
  const rest = restOf(request);
  const query = rest?.query ?? {};
  const loggedIn = Boolean(rest?.user);
  const { Expires: _expires, 'Cache-Control': uncached, ...given } = headers;
  const own = rest?.ignored ? { ...given, [IGNORED]: rest.ignored.join(', ') } : given;
  if (body instanceof RawBody) {
    // What is no JSON goes out as it is: nothing of it can be chosen, wrapped or called back.
    const { Vary: further, ...others } = own;
    const sent = headersOf(request, body.type, others, loggedIn, env);
    const Vary = [sent['Vary'], further].filter(Boolean).join(', ');
    return { status, headers: { ...sent, Vary }, text: body };
  }
  const callback = query['_jsonp'] || undefined;
  const type = `application/${callback === undefined ? 'json' : 'javascript'}; charset=UTF-8`;
  if (!isSoundCallback(callback))
    return {
      status: 400,
      headers: { 'Content-Type': type, ...commonHeaders(env.restBaseUrl) },
      text: new ResponseBody([
        phpJson({ code: 'rest_callback_invalid', message: 'Invalid JSONP callback function.' }),
      ]),
    };
  const failed = status >= 400;
  const always = rest?.path === '/' ? ['_links'] : [];
  const chosen = failed ? body : selectFields(body, query['_fields'], always);
  const isWrapped = query['_envelope'] !== undefined;
  const wrapped = { body: chosen, status, headers: Object.keys(own).length > 0 ? own : [] };
  const json = await phpJsonChunks(isWrapped ? wrapped : chosen, query['_pretty'] !== undefined);
  const isUncached = loggedIn || uncached !== undefined || Boolean(failed && rest?.methodOverridden);
  return {
    status: isWrapped ? 200 : status,
    headers: headersOf(request, type, isWrapped ? {} : own, isUncached, env),
    text: new ResponseBody(callback === undefined ? json : [`/**/${callback}(`, ...json, ')']),
  };
}

/** The headers of all answers, and an answer's own. */
function headersOf(
  request: Request,
  type: string,
  { Link: further, ...own }: RestResponse['headers'],
  isUncached: boolean,
  { restBaseUrl, corsOrigins }: Pick<Environment, 'restBaseUrl' | 'corsOrigins'>,
): Record<string, string> {
  const { user, freshNonce, sentAs } = restOf(request) ?? {};
  const isGet = request.method === 'GET' || sentAs === 'GET';
  const common = commonHeaders(restBaseUrl);
  const texts = Object.entries(own).map(([name, value]) => [name, String(value)]);
  return {
    'Content-Type': type,
    ...common,
    ...(further && { Link: `${common.Link}, ${further}` }),
    'Access-Control-Expose-Headers': EXPOSED,
    'Access-Control-Allow-Headers': ALLOWED,
    ...corsHeaders(corsOrigins, request.headers.origin, isGet && !user),
    ...(isUncached ? NO_CACHE_HEADERS : {}),
    ...(freshNonce ? { 'X-WP-Nonce': freshNonce } : {}),
    ...Object.fromEntries(texts),
  };
}

const commonHeaders = (restBaseUrl: string) => ({
  'X-Robots-Tag': 'noindex',
  Link: `<${restBaseUrl}/>; rel="https://api.w.org/"`,
  'X-Content-Type-Options': 'nosniff',
});

/** Whether `_jsonp` is absent, empty or the name of a function. */
export function isSoundCallback(callback: unknown): boolean {
  return (
    callback === undefined || callback === '' || (typeof callback === 'string' && /^[\w.]+$/.test(callback))
  );
}

/** `null` and `file://` name nobody: any page can be given such an origin, by a frame that is sandboxed or a file. */
const NAMES_A_HOST = /^[a-z][a-z\d+.-]*:\/\/[^/,\s]+$/i;

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
    ...(NAMES_A_HOST.test(origin) && { 'Access-Control-Allow-Credentials': 'true' }),
    Vary: 'Origin',
  };
}
