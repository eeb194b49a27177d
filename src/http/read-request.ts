import type { NextFunction, Request, Response } from 'express';
import { type Environment, OWN_NAMESPACE } from '../config/env.js';
import { isSoundCallback } from './answer.js';
import { readBody } from './read-body.js';
import { decodePercent, type Parameters, parsePhpParameters } from './php-parameters.js';
import { RestError } from './rest-error.js';
import { attachRest } from './rest-request.js';

// The look-behind keeps long runs of slashes from being tried again at each of them.
const TRAILING_SLASHES = /(?<!\/)\/+$/;

/** Where `rest_route` counts, after `index.php` was dropped. */
const FRONT_PAGE = /^\/?$/;

/**
 * Reads path, query, method override and body by the rules of the recorded interface (records.md 7.1–7.3) and rewrites
 * the URL to the one form that the controllers know. Everything outside the namespaces passes untouched.
 */
export function readRequest(env: Environment) {
  const namespaces = env.apiNamespaces.map((name) => ({ name, lower: `/${name.toLowerCase()}` }));
  const prefix = env.pathPrefix.toLowerCase();

  return async (request: Request, _response: Response, next: NextFunction): Promise<void> => {
    const [rawPath = '/', rawQuery = ''] = splitOnce(request.url, '?');
    const query = parsePhpParameters(rawQuery);
    const path = restPath(decodePercent(rawPath), query, prefix);
    if (path === undefined) return next();
    const lower = path.toLowerCase();
    const found = namespaces.find((n) => lower === n.lower || lower.startsWith(`${n.lower}/`));
    // An unknown namespace is answered by the same 404 as an unknown route of ours.
    const below = (found ? path.slice(found.lower.length) : `/unknown${path}`).replace(TRAILING_SLASHES, '');
    const sentAs = request.method;
    const methodOverridden = overrideMethod(request, query);
    const body = await readBody(request, sentAs);
    if (!body) return;
    attachRest(request, {
      namespace: found?.name ?? OWN_NAMESPACE,
      path: below === '' ? '/' : below,
      query,
      ...body,
      refusal: refusal(query, decodePercent(rawPath)),
      methodOverridden,
      user: null,
    });
    request.url = `/${OWN_NAMESPACE}${below.split('/').map(encodeURIComponent).join('/')}`;
    next();
  };
}

/** The path below the REST root; undefined when the request is not for the interface. */
function restPath(path: string, query: Parameters, prefix: string): string | undefined {
  const bare = withoutIndexPhp(path);
  const route = query['rest_route'];
  if (FRONT_PAGE.test(bare) && typeof route === 'string' && route !== '')
    return route.startsWith('/') ? route : `/${route}`;
  if (/^\/(docs|openapi\.json|health|ready|metrics)(\/|$)/i.test(bare)) return undefined;
  if (prefix !== '' && bare.toLowerCase().startsWith(`${prefix}/`)) return bare.slice(prefix.length);
  return prefix === '' ? bare : `/unknown${bare}`;
}

function withoutIndexPhp(path: string): string {
  return path.replace(/^\/index\.php(?=\/|$)/i, '');
}

function refusal(query: Parameters, path: string): RestError | undefined {
  if (!isSoundCallback(query['_jsonp']))
    return new RestError('rest_callback_invalid', 400, 'Invalid JSONP callback function.');
  return typeof query['rest_route'] === 'object' && FRONT_PAGE.test(withoutIndexPhp(path))
    ? new RestError('rest_path_invalid_type', 400, 'rest_route must be a text.')
    : undefined;
}

function overrideMethod(request: Request, query: Parameters): boolean {
  const wanted = query['_method'] ?? request.headers['x-http-method-override'];
  if (typeof wanted !== 'string' || wanted === '') return false;
  const method = wanted.toUpperCase();
  // As HEAD the answer to a GET would announce a body that never comes.
  request.method = method === 'HEAD' ? 'GET' : method;
  return query['_method'] === undefined;
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}
