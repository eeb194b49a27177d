/** The elements that stay in the text of an excerpt, with their attributes. */
export const EXCERPT_ELEMENTS: Readonly<Record<string, string>> = {
  a: 'class id style href rel target',
  b: 'class id style',
  strong: 'class id style',
  em: 'class id style',
  span: 'class id style',
  ul: 'class id style',
  li: 'class id style',
  ol: 'class id style',
};

/** The blocks that only hold others. */
export const WRAPPER_BLOCKS: ReadonlySet<string | null> = new Set([
  'core/columns',
  'core/column',
  'core/group',
]);

/** The blocks whose text an excerpt shows; text outside of blocks has no name. */
export const TEXT_BLOCKS: ReadonlySet<string | null> = new Set([
  null,
  'core/freeform',
  'core/heading',
  'core/html',
  'core/list',
  'core/media-text',
  'core/paragraph',
  'core/preformatted',
  'core/pullquote',
  'core/quote',
  'core/table',
  'core/verse',
]);
