import type { ElementGroups } from './kses-allowlist.js';

/** The elements allowed in an excerpt, with their attributes. */
export const EXCERPT_ELEMENTS: ElementGroups = [
  ['a', 'class id style href rel target'],
  ['b strong em span ul li ol', 'class id style'],
];

/** The blocks that only contain others. */
export const WRAPPER_BLOCKS: ReadonlySet<string | null> = new Set([
  'core/columns',
  'core/column',
  'core/group',
]);

/** The blocks whose text an excerpt contains; null stands for text outside of blocks. */
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
