import type { TermResource } from '../base/resource.js';

/** The definition of a category or tag resource. */
export interface TermType extends TermResource {
  /** Path of the terms in `wp/v2`, for `_links`. */
  corePath: string;
  /** Query parameter of the post routes in `wp/v2`, and those routes. */
  coreParameter: string;
  corePostTypes: readonly string[];
  /** Capability that `wp/v2` requires to write terms. */
  coreCapability: string;
}
