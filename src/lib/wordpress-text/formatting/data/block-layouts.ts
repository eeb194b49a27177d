/** How a block lays out what stands in it. */
interface LayoutSupport {
  /** The layout of a block without one. */
  usual?: Readonly<Record<string, string>>;
  fallbackGap?: string;
  /** Whether the block writes its gap itself, so that the layout has none. */
  ownGap?: boolean;
}

/** The blocks that get layout classes. */
export const LAYOUT_SUPPORTS: ReadonlyMap<string | null, LayoutSupport> = new Map<string, LayoutSupport>([
  ['core/buttons', { usual: { type: 'flex' } }],
  ['core/column', {}],
  ['core/columns', { usual: { type: 'flex', flexWrap: 'nowrap' }, fallbackGap: '2em' }],
  ['core/cover', {}],
  ['core/details', {}],
  ['core/gallery', { usual: { type: 'flex' }, ownGap: true }],
  ['core/group', {}],
  ['core/quote', {}],
  ['core/social-links', { usual: { type: 'flex' } }],
]);

/** The class of each type of layout. */
export const LAYOUT_CLASSES: ReadonlyMap<string, string> = new Map([
  ['default', 'is-layout-flow'],
  ['constrained', 'is-layout-constrained'],
  ['flex', 'is-layout-flex'],
  ['grid', 'is-layout-grid'],
]);

/** How a flexible layout may place its blocks along the line, other than by default. */
export const JUSTIFICATIONS = ['left', 'right', 'center', 'space-between'];
/** How it may place them across the line. */
export const ALIGNMENTS = ['top', 'center', 'bottom', 'stretch', 'space-between'];
