import { addElementsClass } from './blocks/elements.js';
import { hasBlocks, innerBlocksOf, type ParsedBlock, parseBlocks } from './blocks/parse-blocks.js';
import { renderList } from './blocks/text-blocks.js';
import { EXCERPT_ELEMENTS, TEXT_BLOCKS, WRAPPER_BLOCKS } from './data/excerpt-markup.js';
import { ksesAllowlist } from './kses-allowlist.js';
import { removeSpans } from './remove-spans.js';
import { wpKses } from './wp-kses.js';
import { wpTrimWords } from './wp-trim-words.js';
import { wpautop } from './wpautop.js';

const WORDS = 30;
const MORE = ' [&hellip;]';

const ALLOWED = ksesAllowlist(EXCERPT_ELEMENTS);

/** The text of a post that an excerpt is made of, as stored. */
export interface ExcerptSource {
  text: string;
  /** Whether it is an excerpt already, else words are taken from it. */
  isExcerpt: boolean;
}

/** The short HTML for a post's structured data: its excerpt, else the first 30 words of its content. */
export function tribePostExcerpt({ text, isExcerpt }: ExcerptSource, locale: string): string {
  const textual = hasBlocks(text) ? textOfBlocks(parseBlocks(text)) : text;
  // What is in brackets looks like a shortcode.
  const clean = wpKses(removeSpans(textual, '[', ']'), ALLOWED);
  return wpautop(isExcerpt ? clean : wpTrimWords(clean, WORDS, MORE, locale));
}

/** The HTML of the blocks that hold text; a block with anything else inside is left out as a whole. */
function textOfBlocks(blocks: readonly ParsedBlock[]): string {
  return blocks.map(textOfBlock).join('');
}

function textOfBlock(block: ParsedBlock): string {
  const isWrapper = WRAPPER_BLOCKS.has(block.blockName);
  const inner = innerBlocksOf(block);
  if (isWrapper && inner.length > 0) return textOfBlocks(inner);
  const isText = (one: ParsedBlock) => TEXT_BLOCKS.has(one.blockName) && innerBlocksOf(one).length === 0;
  const isTextual = isWrapper || TEXT_BLOCKS.has(block.blockName);
  return isTextual && inner.every(isText) ? htmlOf(block) : '';
}

/** Of what rendering adds to these blocks, only the classes of lists are left by the filter that comes next. */
function htmlOf(block: ParsedBlock): string {
  const html = block.content.map((piece) => (typeof piece === 'string' ? piece : htmlOf(piece))).join('');
  return block.blockName === 'core/list' ? addElementsClass(renderList(html), block) : html;
}
