/** What writing terms needs to know of a taxonomy. */
export interface Taxonomy {
  /** Whether terms have parents; WordPress then keeps the tree in the option `<name>_children`. */
  hierarchical: boolean;
}

/** The taxonomies whose terms are written (docs/behaviour/terms.md). */
export const TAXONOMIES: Readonly<Record<string, Taxonomy>> = {
  tribe_events_cat: { hierarchical: true },
  post_tag: { hierarchical: false },
};
