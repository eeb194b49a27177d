import { addElementsClass } from './blocks/elements.js';
import { hasBlocks, parseBlocks, type ParsedBlock } from './blocks/parse-blocks.js';
import { renderList } from './blocks/text-blocks.js';
import { ksesAllowlist } from './kses-allowlist.js';
import { removeSpans } from './remove-spans.js';
import { wpKses } from './wp-kses.js';
import { wpTrimWords } from './wp-trim-words.js';
import { wpautop } from './wpautop.js';

const WORDS = 30;
const MORE = ' [&hellip;]';

const INLINE = ksesAllowlist({
  a: 'class id style href rel target',
  b: 'class id style',
  strong: 'class id style',
  em: 'class id style',
  span: 'class id style',
  ul: 'class id style',
  li: 'class id style',
  ol: 'class id style',
});

const WRAPPERS: ReadonlySet<string | null> = new Set(['core/columns', 'core/column', 'core/group']);
/** Text outside of blocks has no name. */
const TEXTUAL: ReadonlySet<string | null> = new Set([
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

/** The texts of a post that an excerpt is made of, as stored. */
export interface ExcerptSource {
  postExcerpt: string;
  postContent: string;
}

/** The short HTML for a post's structured data: its excerpt, else the first 30 words of its content. */
export function tribePostExcerpt({ postExcerpt, postContent }: ExcerptSource, locale = 'en_US'): string {
  const isExplicit = postExcerpt !== '' && postExcerpt !== '0';
  const source = isExplicit ? postExcerpt : postContent;
  const textual = hasBlocks(source) ? textOfBlocks(parseBlocks(source)) : source;
  // What is in brackets looks like a shortcode.
  const clean = wpKses(removeSpans(textual, '[', ']'), INLINE);
  return wpautop(isExplicit ? clean : wpTrimWords(clean, WORDS, MORE, locale));
}

/** The HTML of the blocks that hold text; a block with anything else inside is left out as a whole. */
function textOfBlocks(blocks: readonly ParsedBlock[]): string {
  return blocks.map(textOfBlock).join('');
}

function textOfBlock(block: ParsedBlock): string {
  const isWrapper = WRAPPERS.has(block.blockName);
  if (isWrapper && block.innerBlocks.length > 0) return textOfBlocks(block.innerBlocks);
  const isTextual =
    (isWrapper || TEXTUAL.has(block.blockName)) &&
    block.innerBlocks.every((inner) => TEXTUAL.has(inner.blockName) && inner.innerBlocks.length === 0);
  return isTextual ? htmlOf(block) : '';
}

/** Of what rendering adds to these blocks, only the classes of lists are left by the filter that comes next. */
function htmlOf(block: ParsedBlock): string {
  let next = 0;
  const html = block.innerContent
    .map((piece) => {
      if (piece !== null) return piece;
      const inner = block.innerBlocks[next++];
      return inner === undefined ? '' : htmlOf(inner);
    })
    .join('');
  return block.blockName === 'core/list' ? addElementsClass(renderList(html), block) : html;
}
