import type { NextFunction, Request, Response } from 'express';
import { type Environment, OWN_NAMESPACE } from '../config/env.js';
import { type Caller, workFor } from '../database/caller.js';
import { isSoundCallback } from './answer.js';
import { linger } from './linger.js';
import { decodePercent, type Parameters, parsePhpParameters } from './php-parameters.js';
import { Refusal } from '../errors/refusal.js';
import { attachRest, slugOf } from './rest-request.js';

// The look-behind keeps long runs of slashes from being tried again at each of them.
const TRAILING_SLASHES = /(?<!\/)\/+$/;

/** Where `rest_route` counts, after `index.php` was dropped. */
const FRONT_PAGE = /^\/?$/;

/**
 * Reads path, query and method override by the rules of the recorded interface (docs/behaviour/parameters.md) and
 * rewrites the URL to the one form that the controllers know; the body waits until a route wants it. Everything outside
 * the namespaces passes untouched.
 */
export function readRequest(env: Environment) {
  const namespaces = env.apiNamespaces.map((name) => ({ name, lower: `/${name.toLowerCase()}` }));
  const prefix = env.pathPrefix.toLowerCase();

  return (request: Request, response: Response, next: NextFunction): void => {
    linger(request, response);
    const [rawPath = '/', rawQuery = ''] = splitOnce(request.url, '?');
    const query = parsePhpParameters(rawQuery);
    const path = restPath(rawPath, query, prefix);
    const found = namespaces.find(({ lower }) => isBelow(path, lower));
    if (!found && !isFrontRoute(rawPath, query) && !isBelow(rawPath, `/${OWN_NAMESPACE}`)) {
      next();
      return;
    }
    // An unknown namespace is answered by the same 404 as an unknown route of ours.
    const below = (found ? path.slice(found.lower.length) : `/unknown${path}`).replace(TRAILING_SLASHES, '');
    const sentAs = request.method;
    const methodOverridden = overrideMethod(request, query);
    attachRest(request, {
      namespace: found?.name ?? OWN_NAMESPACE,
      path: below === '' ? '/' : below,
      query,
      sentAs,
      refusal: refusal(query, rawPath),
      methodOverridden,
    });
    request.url = `/${OWN_NAMESPACE}${routedPath(below)}`;
    const caller: Caller = { gone: false };
    response.once('close', () => {
      caller.gone = !response.writableFinished;
    });
    workFor(caller, next);
  };
}

function isBelow(path: string, lowerBase: string): boolean {
  const lower = path.toLowerCase();
  return lower === lowerBase || lower.startsWith(`${lowerBase}/`);
}

/** Whether `rest_route` says what is asked for. */
function isFrontRoute(path: string, query: Parameters): boolean {
  return (
    query['rest_route'] !== undefined && query['rest_route'] !== '' && FRONT_PAGE.test(withoutIndexPhp(path))
  );
}

/**
 * The path as Express routes it. Only the slug is decoded, once; everything else is encoded as it was sent, so that an
 * encoded letter, digit or slash matches no route (R17).
 */
function routedPath(below: string): string {
  const slug = slugOf(below);
  const parts = below.slice(0, below.length - (slug?.length ?? 0)).split('/');
  return parts.map(encodeURIComponent).join('/') + encodeURIComponent(decodePercent(slug ?? ''));
}

/**
 * The path below the REST root, as sent. What `rest_route` holds was
 * decoded with the query: it is encoded again, so that it is read like any other path.
 */
function restPath(path: string, query: Parameters, prefix: string): string {
  const bare = withoutIndexPhp(path);
  const route = query['rest_route'];
  if (isFrontRoute(path, query) && typeof route === 'string')
    return route
      .replace(/^(?!\/)/, '/')
      .split('/')
      .map(encodeURIComponent)
      .join('/');
  if (prefix !== '' && bare.toLowerCase().startsWith(`${prefix}/`)) return bare.slice(prefix.length);
  return prefix === '' ? bare : `/unknown${bare}`;
}

function withoutIndexPhp(path: string): string {
  return path.replace(/^\/index\.php(?=\/|$)/i, '');
}

function refusal(query: Parameters, path: string): Refusal | undefined {
  if (!isSoundCallback(query['_jsonp']))
    return new Refusal('invalid', 'rest_callback_invalid', 'Invalid JSONP callback function.');
  return typeof query['rest_route'] === 'object' && FRONT_PAGE.test(withoutIndexPhp(path))
    ? new Refusal('invalid', 'rest_path_invalid_type', 'rest_route must be a text.')
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
