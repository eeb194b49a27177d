import { NotFoundException } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { noRoute } from '../../http/errors/error-response.js';
import { prefersPage } from '../../http/params/accept.js';
import { isRest } from '../../http/rest-request.js';
import type { Pipeline } from '../../http/server/pipeline.service.js';
import { splitOnce } from '../../lib/wordpress-text/formatting/uri-parts.js';
import type { PublicPages } from './public-pages.service.js';
import { isPlainAddress } from './site-address.js';

type Serve = (request: Request, response: Response, next: NextFunction) => Promise<void>;

/** Serves the site's own addresses that have no route. */
export function servePublicPages(pages: PublicPages): Serve {
  return async (request, response, next) => {
    if (isRest(request) || !/^(GET|HEAD)$/.test(request.method)) return next();
    if (!(await pages.serve(request, response))) next();
  };
}

/**
 * Serves plain addresses such as `/?tribe_events=<slug>`, unless a plugin has a page at `/`. Unknown ones are 404 for
 * browsers, and the REST root for programs.
 */
export function servePlainAddresses(serve: Serve, pipeline: Pipeline) {
  return (request: Request, response: Response, next: NextFunction): unknown => {
    const [path, query] = splitOnce(request.url, '?');
    const isPlain = /^\/(?:index\.php\/?)?$/i.test(path) && isPlainAddress(query);
    const isOther = query.includes('rest_route=') || pipeline.hasOwnHome;
    if (!isPlain || isOther) return next();
    const unknown = prefersPage(request) ? new NotFoundException(noRoute().getResponse()) : undefined;
    return serve(request, response, (error) => next(error ?? unknown));
  };
}
