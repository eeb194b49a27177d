import type { Type } from '@nestjs/common';
import type { SiteSettings } from '../options/site-settings.js';
import type { TermTaxonomy } from '../terms/term-taxonomy.entity.js';

/** A taxonomy: what the base needs to know of it to read, write, link and guard its terms. */
export interface Taxonomy {
  /** `taxonomy`. */
  taxonomy: string;
  /** Whether terms have parents; WordPress then keeps the tree in the option `<name>_children`. */
  hierarchical: boolean;
  capabilities: {
    /** What must all be held to create, change or delete a term. */
    manage: readonly string[];
    /** What must be held to give a post a term. */
    assign: string;
  };
  /** Query parameter of plain links. */
  queryVariable: string;
  /** What stands before the slugs in the path of pretty links. */
  linkBase(site: SiteSettings): string;
  /** The `@ChildEntity` through which its terms are written. */
  entity: Type<TermTaxonomy>;
}
