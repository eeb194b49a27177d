import type { Request } from 'express';
import type { RestException } from '../common/errors/rest-exception.js';
import type { CapabilityUser } from '../wordpress/users/capabilities.js';
import type { Parameters } from './params/php-parameters.js';
import type { Body } from './server/read-body.js';

/** Where the controller of the REST root stands: its address is another one on every site, and may be that of a page. */
export const ROOT_BASE = 'wp';
/** Where the page for browsers stands, which `/` leads to. */
export const HOME_BASE = 'wp/home';

/** Where lists and records stand that are no JSON: calendar files and feeds. */
export const FEEDS_BASE = 'wp/feeds';

/** What a request asks of the interface, read once before routing. */
export interface RestRequest {
  /**
   * The namespace that was asked: one of `API_NAMESPACES`, with which links in the answer are built, or WordPress's own;
   * empty for the REST root.
   */
  namespace: string;
  /** Where the controllers of what was asked stand: `OWN_NAMESPACE`, `CORE_NAMESPACE`, `ROOT_PLACE` or `FEEDS_PLACE`. */
  routeBase: string;
  /** Path below the namespace as sent, without trailing slashes, such as `/events/53`; `/` for the index. */
  path: string;
  query: Parameters;
  /** Whether it was sent to another address than that of what is answered, or to one that browsers find a page at: nothing is kept by that. */
  isRewritten: boolean;
  /** The method as it was sent, before any override. */
  sentAs: string;
  /** What `BodyReader` read; undefined as long as nobody asked for it. */
  body?: Promise<Body>;
  /** What is wrong with the request whatever its route and sender; thrown before anything is done. */
  refusal?: RestException;
  /** Whether `X-HTTP-Method-Override` changed the method. */
  methodOverridden: boolean;
  /** Who asks; null for anonymous, undefined until the authentication middleware found out. */
  user?: CapabilityUser | null;
  /** Parameters that were ignored because they were not understood, for `X-Almanac-Ignored` (R20). */
  ignored?: readonly string[];
  /** Sent back as `X-WP-Nonce`. */
  freshNonce?: string;
}

/** The slug at the end of a path, as sent; undefined where the path is none of a slug. */
export function slugOf(path: string): string | undefined {
  return /^\/\w+\/by-slug\/([^/]+)$/i.exec(path)?.[1];
}

const REST = Symbol('rest');
type WithRest = Request & { [REST]?: RestRequest };

/** Attaches what was read to Express's request. */
export function attachRest(request: Request, rest: RestRequest): void {
  (request as WithRest)[REST] = rest;
  Object.defineProperty(request, 'query', { value: rest.query });
}

/** Whether a request is one of the interface. */
export function isRest(request: object): boolean {
  return REST in request;
}

/** What was read of this request; undefined outside the interface (`/docs`, `/openapi.json`). */
export function restOf(request: Request): RestRequest | undefined {
  return (request as WithRest)[REST];
}

/** Where links of this request point: `REST_BASE_URL` and the namespace that was asked. */
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
