import type { NextFunction, Request, Response } from 'express';
import { currentAbortState, runFor } from '../../common/context/abort.js';
import type { AbortState } from '../../common/context/request-store.js';
import { RestException } from '../../common/errors/rest-exception.js';
import { CORE_NAMESPACE, type Environment, OWN_NAMESPACE } from '../../config/env.js';
import { splitOnce } from '../../lib/wordpress-text/formatting/uri-parts.js';
import { decodePercent, type Parameters, parsePhpParameters } from '../params/php-parameters.js';
import { attachRest, FEEDS_BASE, HOME_BASE, ROOT_BASE, slugOf } from '../rest-request.js';
import { isValidCallback } from '../serialize-response.js';
import { drainRequestBody } from './drain-request-body.js';
import type { Pipeline } from './pipeline.service.js';

// The look-behind keeps long runs of slashes from being tried again at each of them.
const TRAILING_SLASHES = /(?<!\/)\/+$/;

const ROOT = { name: '', place: ROOT_BASE, lower: '' };
/** Where controllers stand that answer nothing by these paths. */
const PLACES = [OWN_NAMESPACE, ROOT_BASE, FEEDS_BASE];

/** The path below the namespaces of the calendar file or feed that a request asks for, if it asks for one. */
type FeedPath = (path: string, request: Request) => string | undefined;

/**
 * Reads path, query and method override by the rules of the recorded interface (docs/behaviour/parameters.md) and
 * rewrites the URL to the one form that the controllers know; the body waits until a route wants it. Everything outside
 * the namespaces and the REST root passes untouched. `/` is the REST root for programs and a page for browsers, unless a
 * plugin has something else there. What `feedPath` knows is answered by the controllers of feeds.
 */
export function readRequest(env: Environment, feedPath: FeedPath, pipeline: Pipeline) {
  const namespaces = [
    ...env.apiNamespaces.map((name) => ({ name, place: OWN_NAMESPACE, lower: `/${name.toLowerCase()}` })),
    { name: CORE_NAMESPACE, place: CORE_NAMESPACE, lower: `/${CORE_NAMESPACE}` },
  ];
  const prefix = env.pathPrefix.toLowerCase();

  return (request: Request, response: Response, next: NextFunction): void => {
    drainRequestBody(request, response);
    const [rawPath, rawQuery] = splitOnce(request.url, '?');
    const query = parsePhpParameters(rawQuery);
    const bare = rawPath.replace(/^\/index\.php(?=\/|$)/i, '');
    const isHome = isRoot(bare);
    const placeOf = (path: string) =>
      isRoot(path) ? ROOT : namespaces.find(({ lower }) => isBelow(path, lower));
    const sent = isHome ? '/' : belowPrefix(bare, prefix);
    // It wins over a path of the interface; elsewhere it says nothing, nor does an empty one.
    const route = placeOf(sent) ? query['rest_route'] || undefined : undefined;
    const path = typeof route === 'string' ? pathOf(route) : sent;
    const found = typeof route === 'object' ? undefined : placeOf(path);
    const isOutside = !found && !PLACES.some((place) => isBelow(rawPath, `/${place}`));
    if (route === undefined && (isOutside || (isHome && pipeline.hasOwnHome))) {
      next();
      return;
    }
    // An unknown namespace is answered by the same 404 as an unknown route of ours.
    const asked = (found ? path.slice(found.lower.length) : `/unknown${path}`).replace(TRAILING_SLASHES, '');
    const sentAs = request.method;
    const methodOverridden = overrideMethod(request, query);
    const feed = found?.place === OWN_NAMESPACE ? feedPath(asked, request) : undefined;
    const place = feed === undefined ? (found?.place ?? OWN_NAMESPACE) : FEEDS_BASE;
    const below = feed ?? asked;
    const isPlainHome = isHome && route === undefined;
    attachRest(request, {
      namespace: found?.name ?? OWN_NAMESPACE,
      routeBase: place,
      path: below === '' ? '/' : below,
      query,
      isRewritten: isPlainHome || below !== asked || request.url !== request.originalUrl,
      sentAs,
      refusal: refusal(query, route),
      methodOverridden,
    });
    const isPage = isPlainHome && wantsPage(request);
    request.url = isPage ? `/${HOME_BASE}` : `/${place}${routedPath(below)}`;
    const caller: AbortState = { aborted: false, budget: currentAbortState()?.budget };
    response.once('close', () => {
      caller.aborted = !response.writableFinished;
    });
    runFor(caller, next);
  };
}

/** Whether a path is the home of the site, or the REST root below its prefix. */
const isRoot = (path: string): boolean => path === '' || path === '/';

/** Whether a page is asked for: browsers name HTML before everything else, programs take anything. */
const wantsPage = (request: Request): boolean =>
  /^(GET|HEAD)$/.test(request.method) && request.accepts(['json', 'html']) === 'html';

function isBelow(path: string, lowerBase: string): boolean {
  const lower = path.toLowerCase();
  return lower === lowerBase || lower.startsWith(`${lowerBase}/`);
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

/** The path that a `rest_route` stands for: decoded with the query, it is encoded again to be read like any other path. */
function pathOf(route: string): string {
  return route
    .replace(/^(?!\/)/, '/')
    .split('/')
    .map(encodeURIComponent)
    .join('/');
}

/** The path below the REST root, as sent. */
function belowPrefix(path: string, prefix: string): string {
  if (prefix === '') return path;
  if (path.toLowerCase() === prefix) return '/';
  return path.toLowerCase().startsWith(`${prefix}/`) ? path.slice(prefix.length) : `/unknown${path}`;
}

function refusal(query: Parameters, route: unknown): RestException | undefined {
  if (!isValidCallback(query['_jsonp']))
    return new RestException('invalid', 'rest_callback_invalid', 'Invalid JSONP callback function.');
  return typeof route === 'object'
    ? new RestException('invalid', 'rest_path_invalid_type', 'rest_route must be a text.')
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
