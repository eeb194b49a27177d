/** The style that WordPress itself brings CSS of its own for, whatever the theme. */
export const CORE_STYLED_BLOCKS: ReadonlyMap<string | null, RegExp> = new Map([['core/button', /^outline$/]]);

/** The styles that block themes bring CSS of their own for, as far as recorded. */
export const STYLED_BLOCKS: ReadonlyMap<string | null, RegExp> = new Map([
  ...CORE_STYLED_BLOCKS,
  ['core/group', /^section-[1-5]$/],
  ['core/separator', /^wide$/],
]);

/** The declarations of a background: property, attribute of the block and what holds without one. */
export const BACKGROUND_PROPERTIES = [
  ['background-position', 'backgroundPosition', ''],
  ['background-repeat', 'backgroundRepeat', ''],
  ['background-size', 'backgroundSize', 'cover'],
  ['background-attachment', 'backgroundAttachment', ''],
] as const;
