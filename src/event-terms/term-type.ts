import type { TermResource } from '../resources/define-resource.js';
import type { TermJson } from './term.response.js';

/** What tells categories and tags apart wherever they are handled alike. */
export interface TermType<Fields = unknown> extends TermResource<Fields, TermJson> {
  /** Its singular, for messages. */
  one: 'category' | 'tag';
  /** Its plural: path segment and list member. */
  many: 'categories' | 'tags';
  /** Whether terms have parents: `parent` is a parameter and a member. */
  hierarchical: boolean;
  /** Path of the terms in WordPress's own REST namespace, which `_links` point into. */
  corePath: string;
  /** Query parameter of WordPress's own post routes, and those routes. */
  coreParameter: string;
  corePostTypes: readonly string[];
}
