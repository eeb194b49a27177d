/** A term in a taxonomy, as stored: the name entity-escaped, the description raw. */
export interface TermRecord {
  id: number;
  name: string;
  slug: string;
  termGroup: number;
  termTaxonomyId: number;
  taxonomy: string;
  description: string;
  /** Term id of the parent, 0 for none. */
  parent: number;
  /** The number of published posts with this term. */
  count: number;
}
