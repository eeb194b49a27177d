import { renderList } from './blocks/core-blocks.js';
import { hasBlocks, innerBlocksOf, type ParsedBlock, parseBlocks } from './blocks/parse-blocks.js';
import { addElementsClass } from './blocks/supports.js';
import { ksesAllowlist } from './data/kses-allowlist.js';
import { typographyOf } from './data/typography.js';
import { wpStripAllTags } from './php-strings.js';
import { removeSpans } from './sanitize-title.js';
import { wpKses } from './wp-kses.js';
import { wpautop } from './wpautop.js';

/** The blocks that only contain others. */
const WRAPPER_BLOCKS: ReadonlySet<string | null> = new Set(['core/columns', 'core/column', 'core/group']);

/** The blocks whose text an excerpt contains; null stands for text outside of blocks. */
const TEXT_BLOCKS: ReadonlySet<string | null> = new Set([
  null,
  ...'freeform heading html list media-text paragraph preformatted pullquote quote table verse'
    .split(' ')
    .map((name) => `core/${name}`),
]);

const WORDS = 30;
const MORE = ' [&hellip;]';

const ALLOWED = ksesAllowlist([
  ['a', 'class id style href rel target'],
  ['b strong em span ul li ol', 'class id style'],
]);

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

const SPACES = /[\n\r\t ]+/g;

/** The first `count` words (in some locales characters) of the text without tags, followed by `more` when truncated. */
export function wpTrimWords(text: string, count: number, more: string, locale: string): string {
  const plain = wpStripAllTags(text);
  const byCharacter = typographyOf(locale).wordCountType !== 'words';
  // One more word than returned tells whether the text is truncated.
  const words = byCharacter ? [...plain.replace(SPACES, ' ')] : plain.split(SPACES, count + 1);
  const excerpt = words.slice(0, count).join(byCharacter ? '' : ' ');
  return words.length > count ? excerpt + more : excerpt;
}
