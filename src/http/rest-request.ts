import type { Request } from 'express';
import type { AuthStrategies } from '../auth/auth-strategies.service.js';
import type { RestException } from '../common/errors/rest-exception.js';
import { CORE_NAMESPACE } from '../config/env.js';
import type { CapabilityUser } from '../wordpress/users/capabilities.js';
import type { Parameters } from './params/php-parameters.js';
import type { Body, UploadedFile } from './server/read-body.js';

/** Base of the controller of the REST root, whose URL differs by site. */
export const ROOT_BASE = 'wp';
/** Path of the page for browsers that is served at `/`. */
export const HOME_BASE = 'wp/home';

/** Base of the controllers of calendar files, feeds and changes, which the recorded documents omit. */
export const FEEDS_BASE = 'wp/feeds';

/** Base of the controller of batches. */
export const BATCH_BASE = 'wp/batch';
/** Their namespace in WordPress. */
export const BATCH_NAMESPACE = 'batch/v1';

/** A request of the interface, read once before routing. */
export interface RestRequest {
  /**
   * The requested namespace: one of `API_NAMESPACES`, used for links in the response, or WordPress's own; empty for the REST
   * root.
   */
  namespace: string;
  /** Base of the controllers: `OWN_NAMESPACE`, `CORE_NAMESPACE`, `ROOT_BASE`, `FEEDS_BASE` or `BATCH_BASE`. */
  routeBase: string;
  /** Path below the namespace as sent, without trailing slashes, such as `/events/53`; `/` for the index. */
  path: string;
  query: Parameters;
  /** Whether its URL was rewritten, or may also be a page, so that no response is cached by URL. */
  isRewritten: boolean;
  /** Request headers of logins that WordPress does not have. */
  login: Pick<AuthStrategies, 'ownHeaders' | 'varyingHeaders' | 'uncachedHeaders'>;
  /** The method before any override. */
  sentAs: string;
  /** The body; undefined until `BodyReader` reads it. */
  body?: Promise<Body>;
  /** The file in the body, once it is read. */
  upload?: UploadedFile;
  /** A fault of the request whatever its route and user, thrown before authentication. */
  rejection?: RestException;
  /** Whether `X-HTTP-Method-Override` changed the method. */
  methodOverridden: boolean;
  /** Null for anonymous requests, undefined before authentication. */
  user?: CapabilityUser | null;
  /** The name of the strategy that determined the user. */
  via?: string | null;
  /** Parameters that were ignored as invalid, for `X-Almanac-Ignored` (R20). */
  ignored?: readonly string[];
  /** Sent back as `X-WP-Nonce`. */
  freshNonce?: string;
}

/** The raw slug at the end of a path; undefined for other paths. */
export function slugOf(path: string): string | undefined {
  return /^\/\w+\/by-slug\/([^/]+)$/i.exec(path)?.[1];
}

const REST = Symbol('rest');
type WithRest = Request & { [REST]?: RestRequest };

export function attachRest(request: Request, rest: RestRequest): void {
  (request as WithRest)[REST] = rest;
  Object.defineProperty(request, 'query', { value: rest.query });
}

/** Whether a request creates a file from its body. */
export function isUpload({ routeBase, path }: RestRequest, method: string): boolean {
  return method === 'POST' && routeBase === CORE_NAMESPACE && path.toLowerCase() === '/media';
}

export function isRest(request: object): boolean {
  return REST in request;
}

/** The `RestRequest` of a request; undefined outside the interface (`/docs`, `/openapi.json`). */
export function restOf(request: Request): RestRequest | undefined {
  return (request as WithRest)[REST];
}

/** The base of links: `REST_BASE_URL` and the requested namespace. */
export interface RestBase {
  /** `https://example.org/wp-json`. */
  root: string;
  /** `cal/events/v1`. */
  namespace: string;
}

/** `https://example.org/wp-json/cal/events/v1` plus a path. */
export function restUrl({ root, namespace }: RestBase, path: string): string {
  return `${root}/${namespace}${path}`;
}
