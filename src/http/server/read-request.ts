import type { NextFunction, Request, Response } from 'express';
import { currentCaller, runFor } from '../../common/context/abort.js';
import type { Caller } from '../../common/context/request-store.js';
import { RestException } from '../../common/errors/rest-exception.js';
import { CORE_NAMESPACE, type Environment, OWN_NAMESPACE } from '../../config/env.js';
import { splitOnce } from '../../lib/wordpress-text/formatting/uri-parts.js';
import { prefersPage } from '../params/accept.js';
import { decodePercent, type Parameters, parsePhpParameters } from '../params/php-parameters.js';
import {
  attachRest,
  BATCH_BASE,
  BATCH_NAMESPACE,
  FEEDS_BASE,
  HOME_BASE,
  type RestRequest,
  ROOT_BASE,
  slugOf,
} from '../rest-request.js';
import { isValidCallback } from '../serialize-response.js';
import type { Pipeline } from './pipeline.service.js';
import { drainRequestBody } from './read-body.js';

// The look-behind prevents quadratic time on long runs of slashes.
const TRAILING_SLASHES = /(?<!\/)\/+$/;

const ROOT = { name: '', base: ROOT_BASE, lower: '' };
/** Bases of controllers that are not reachable by these paths. */
const INTERNAL_BASES = [OWN_NAMESPACE, ROOT_BASE, FEEDS_BASE];

/** The path of the calendar file or feed for a request below the namespaces; undefined for other requests. */
type FeedPath = (path: string, request: Request) => string | undefined;

/**
 * Reads path, query and method override by the rules of the recorded interface (docs/behaviour/parameters.md) and rewrites
 * the URL to the one form of the controllers. Everything outside the namespaces and the REST root passes unchanged. `/` is
 * the REST root for programs and a page for browsers, unless a plugin has a route there.
 */
export function readRequest(
  env: Environment,
  feedPath: FeedPath,
  pipeline: Pipeline,
  login: RestRequest['login'],
) {
  const namespaces = [
    ...env.apiNamespaces.map((name) => ({ name, base: OWN_NAMESPACE, lower: `/${name.toLowerCase()}` })),
    { name: CORE_NAMESPACE, base: CORE_NAMESPACE, lower: `/${CORE_NAMESPACE}` },
    { name: BATCH_NAMESPACE, base: BATCH_BASE, lower: `/${BATCH_NAMESPACE}` },
  ];
  const prefix = env.pathPrefix.toLowerCase();

  return (request: Request, response: Response, next: NextFunction): void => {
    drainRequestBody(request, response);
    const [rawPath, rawQuery] = splitOnce(request.url, '?');
    const query = parsePhpParameters(rawQuery);
    const bare = rawPath.replace(/^\/index\.php(?=\/|$)/i, '');
    const isHome = isRoot(bare);
    const namespaceOf = (path: string) =>
      isRoot(path) ? ROOT : namespaces.find(({ lower }) => isBelow(path, lower));
    const sent = isHome ? '/' : belowPrefix(bare, prefix);
    // It overrides a path of the interface; elsewhere, or empty, it is ignored.
    const route = namespaceOf(sent) ? query['rest_route'] || undefined : undefined;
    const path = typeof route === 'string' ? pathOf(route) : sent;
    const found = typeof route === 'object' ? undefined : namespaceOf(path);
    const isOutside = !found && !INTERNAL_BASES.some((base) => isBelow(rawPath, `/${base}`));
    if (route === undefined && (isOutside || (isHome && pipeline.hasOwnHome))) {
      next();
      return;
    }
    // An unknown namespace gets the same 404 as an unknown route.
    const requested = (found ? path.slice(found.lower.length) : `/unknown${path}`).replace(
      TRAILING_SLASHES,
      '',
    );
    const sentAs = request.method;
    const methodOverridden = overrideMethod(request, query);
    const feed = found?.base === OWN_NAMESPACE ? feedPath(requested, request) : undefined;
    const base = feed === undefined ? (found?.base ?? OWN_NAMESPACE) : FEEDS_BASE;
    const below = feed ?? requested;
    const isPlainHome = isHome && route === undefined;
    attachRest(request, {
      namespace: found?.name ?? OWN_NAMESPACE,
      routeBase: base,
      path: below === '' ? '/' : below,
      query,
      login,
      isRewritten: isPlainHome || below !== requested || request.url !== request.originalUrl,
      sentAs,
      rejection: rejectionOf(query, route),
      methodOverridden,
    });
    const isPage = isPlainHome && prefersPage(request);
    request.url = isPage ? `/${HOME_BASE}` : `/${base}${routedPath(below)}`;
    const caller: Caller = { aborted: false, budget: currentCaller()?.budget };
    response.once('close', () => {
      caller.aborted = !response.writableFinished;
    });
    runFor(caller, next);
  };
}

/** Whether a path is the home of the site, or the REST root below its prefix. */
const isRoot = (path: string): boolean => path === '' || path === '/';

function isBelow(path: string, lowerBase: string): boolean {
  const lower = path.toLowerCase();
  return lower === lowerBase || lower.startsWith(`${lowerBase}/`);
}

/**
 * The path as Express routes it. Only the slug is decoded, once; everything else stays encoded, so that an encoded letter,
 * digit or slash matches no route (R17).
 */
function routedPath(below: string): string {
  const slug = slugOf(below);
  const parts = below.slice(0, below.length - (slug?.length ?? 0)).split('/');
  return parts.map(encodeURIComponent).join('/') + encodeURIComponent(decodePercent(slug ?? ''));
}

/** The path of a `rest_route`, which is decoded with the query and encoded again here. */
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

function rejectionOf(query: Parameters, route: unknown): RestException | undefined {
  if (!isValidCallback(query['_jsonp']))
    return new RestException('invalid', 'rest_callback_invalid', 'Invalid JSONP callback function.');
  return typeof route === 'object'
    ? new RestException('invalid', 'rest_path_invalid_type', 'rest_route must be a text.')
    : undefined;
}

function overrideMethod(request: Request, query: Parameters): boolean {
  const override = query['_method'] ?? request.headers['x-http-method-override'];
  if (typeof override !== 'string' || override === '') return false;
  const method = override.toUpperCase();
  // As HEAD the response to a GET would announce a body that never comes.
  request.method = method === 'HEAD' ? 'GET' : method;
  return query['_method'] === undefined;
}
