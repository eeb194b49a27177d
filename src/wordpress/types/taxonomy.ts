import type { Type } from '@nestjs/common';
import type { SiteSettings } from '../options/site-settings.js';
import type { TermTaxonomy } from '../terms/term-taxonomy.entity.js';

/** The definition of a taxonomy. */
export interface Taxonomy {
  /** `taxonomy`. */
  taxonomy: string;
  /** Whether terms have parents; WordPress then caches the tree in the option `<name>_children`. */
  hierarchical: boolean;
  capabilities: {
    /** All are needed to create, change or delete a term. */
    manage: readonly string[];
    /** Needed to assign a term to a post. */
    assign: string;
  };
  /** The query parameter of plain links. */
  queryVariable: string;
  /** The path before the slugs in pretty links. */
  linkBase(site: SiteSettings): string;
  /** The `@ChildEntity` of its terms. */
  entity: Type<TermTaxonomy>;
}
