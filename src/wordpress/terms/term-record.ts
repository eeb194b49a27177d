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
  /** Published objects that carry it. */
  count: number;
}
