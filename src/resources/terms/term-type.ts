import type { TermResource } from '../base/resource.js';

/** What tells categories and tags apart wherever they are handled alike. */
export interface TermType extends TermResource {
  /** Path of the terms in WordPress's own REST namespace, which `_links` point into. */
  corePath: string;
  /** Query parameter of WordPress's own post routes, and those routes. */
  coreParameter: string;
  corePostTypes: readonly string[];
  /** What WordPress's own routes ask of who writes terms. */
  coreCapability: string;
}
