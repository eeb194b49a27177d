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

/** The stored text that an excerpt is taken from. */
export interface ExcerptSource {
  text: string;
  /** Whether the text is an excerpt; else its first words are used. */
  isExcerpt: boolean;
}

/** The description in a post's structured data, as HTML: its excerpt, else the first 30 words of its content. */
export function tribePostExcerpt({ text, isExcerpt }: ExcerptSource, locale: string): string {
  const textual = hasBlocks(text) ? textOfBlocks(parseBlocks(text)) : text;
  // WordPress removes everything in brackets as a shortcode.
  const clean = wpKses(removeSpans(textual, '[', ']'), ALLOWED);
  return wpautop(isExcerpt ? clean : wpTrimWords(clean, WORDS, MORE, locale));
}

/** The HTML of text blocks; a block with other inner blocks is omitted as a whole. */
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

/** The HTML of a block; of all rendered additions only the classes of lists survive the filter. */
function htmlOf(block: ParsedBlock): string {
  const html = block.content.map((piece) => (typeof piece === 'string' ? piece : htmlOf(piece))).join('');
  return block.blockName === 'core/list' ? addElementsClass(renderList(html), block) : html;
}
