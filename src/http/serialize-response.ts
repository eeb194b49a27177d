import type { Request } from 'express';
import { NO_CACHE_HEADERS } from '../auth/auth-error.js';
import type { Environment } from '../config/env.js';
import { selectFields } from './params/fields.js';
import { phpJson, phpJsonChunks } from './php-json.js';
import { restOf } from './rest-request.js';
import type { ResponseParts } from './rest-response.js';
import { SerializedResponse } from './serialized-response.js';

const IGNORED = 'X-Almanac-Ignored';
const EXPOSED = `X-WP-Total, X-WP-TotalPages, Link, ${IGNORED}, X-TEC-Total, X-TEC-TotalPages, ETag, Retry-After, Idempotency-Replayed`;
const ALLOWED =
  'Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type, If-None-Match, If-Match, If-Unmodified-Since, Idempotency-Key';
/**
 * Serializes a response by `_fields`, `_envelope`, `_jsonp`, `_pretty`, CORS and caching (docs/behaviour/responses.md). A text
 * that is no JSON stays unchanged.
 */
export async function serializeResponse(
  request: Request,
  { body, status, headers, chunks }: ResponseParts,
  env: Pick<Environment, 'restBaseUrl' | 'corsOrigins'>,
): Promise<SerializedResponse> {
  const rest = restOf(request);
  const query = rest?.query ?? {};
  const loggedIn = Boolean(rest?.user);
  const { Expires: _expires, 'Cache-Control': uncached, ...given } = headers;
  const own = rest?.ignored ? { ...given, [IGNORED]: rest.ignored.join(', ') } : given;
  if (chunks) {
    const { Vary: further, ...others } = own;
    const sent = headersOf(request, String(own['Content-Type']), others, loggedIn, env);
    const Vary = [sent['Vary'], further].filter(Boolean).join(', ');
    return new SerializedResponse(status, { ...sent, Vary }, chunks);
  }
  const callback = query['_jsonp'] || undefined;
  const type = `application/${callback === undefined ? 'json' : 'javascript'}; charset=UTF-8`;
  if (!isValidCallback(callback)) {
    const error = { code: 'rest_callback_invalid', message: 'Invalid JSONP callback function.' };
    return new SerializedResponse(400, { 'Content-Type': type, ...commonHeaders(env.restBaseUrl) }, [
      phpJson(error),
    ]);
  }
  const failed = status >= 400;
  const always = rest?.path === '/' ? ['_links'] : [];
  const selected = failed ? body : selectFields(body, query['_fields'], always);
  const hasEnvelope = query['_envelope'] !== undefined;
  const envelope = { body: selected, status, headers: Object.keys(own).length > 0 ? own : [] };
  const json = await phpJsonChunks(hasEnvelope ? envelope : selected, query['_pretty'] !== undefined);
  const isUncached = loggedIn || uncached !== undefined || Boolean(failed && rest?.methodOverridden);
  return new SerializedResponse(
    hasEnvelope ? 200 : status,
    headersOf(request, type, hasEnvelope ? {} : own, isUncached, env),
    callback === undefined ? json : [`/**/${callback}(`, ...json, ')'],
  );
}

/** The headers of every response, and those of this one. */
function headersOf(
  request: Request,
  type: string,
  own: ResponseParts['headers'],
  isUncached: boolean,
  env: Pick<Environment, 'restBaseUrl' | 'corsOrigins'>,
): Record<string, string> {
  return {
    'Content-Type': type,
    ...responseHeaders(request, own, env, isUncached),
  };
}

/** The headers of every response of the interface besides its type, and those of this one. */
export function responseHeaders(
  request: Request,
  { Link: further, ...own }: ResponseParts['headers'],
  { restBaseUrl, corsOrigins }: Pick<Environment, 'restBaseUrl' | 'corsOrigins'>,
  isUncached = Boolean(restOf(request)?.user),
): Record<string, string> {
  const { user, freshNonce, sentAs, login } = restOf(request) ?? {};
  const isGet = request.method === 'GET' || sentAs === 'GET';
  const common = commonHeaders(restBaseUrl);
  const texts = Object.entries(own).map(([name, value]) => [name, String(value)]);
  return {
    ...common,
    ...(further && { Link: `${common.Link}, ${further}` }),
    'Access-Control-Expose-Headers': EXPOSED,
    'Access-Control-Allow-Headers': [ALLOWED, ...(login?.ownHeaders ?? [])].join(', '),
    ...varying(corsHeaders(corsOrigins, request.headers.origin, isGet && !user), login?.varyingHeaders),
    ...(isUncached ? NO_CACHE_HEADERS : {}),
    ...(freshNonce ? { 'X-WP-Nonce': freshNonce } : {}),
    ...Object.fromEntries(texts),
  };
}

/** Adds the headers of logins to `Vary`: shared caches do not know them. */
function varying(cors: Record<string, string>, login: readonly string[] = []): Record<string, string> {
  if (login.length === 0) return cors;
  return { ...cors, Vary: [...(cors['Vary'] === undefined ? [] : [cors['Vary']]), ...login].join(', ') };
}

const commonHeaders = (restBaseUrl: string) => ({
  'X-Robots-Tag': 'noindex',
  Link: `<${restBaseUrl}/>; rel="https://api.w.org/"`,
  'X-Content-Type-Options': 'nosniff',
});

/** Whether `_jsonp` is absent, empty or the name of a function. */
export function isValidCallback(callback: unknown): boolean {
  return (
    callback === undefined || callback === '' || (typeof callback === 'string' && /^[\w.]+$/.test(callback))
  );
}

/** An origin with a host; any sandboxed frame has `null`, any local file `file://`. */
const NAMES_A_HOST = /^[a-z][a-z\d+.-]*:\/\/[^/,\s]+$/i;

/** CORS headers for these allowed origins (null: all); `isShared` for an anonymous GET. */
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
