import { addClasses, findTag } from './html-tag.js';
import { type JsonObject, jsonAt, serializedMd5 } from './json.js';
import { innerBlocksOf, type ParsedBlock } from './parse-blocks.js';

const ELEMENTS = ['link', 'button', 'heading', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'];
const COLORS = ['text', 'background', 'gradient'];

/** Adds `wp-elements-<md5 of the block>` to the first tag of a block with colours for links, buttons or headings. */
export function addElementsClass(html: string, block: ParsedBlock): string {
  if (!hasElementColor(block)) return html;
  return addClasses(html, findTag(html), [`wp-elements-${serializedMd5(asJson(block))}`]);
}

function hasElementColor(block: ParsedBlock): boolean {
  const elements = jsonAt(block.attrs, 'style', 'elements');
  if (elements === undefined) return false;
  return (
    Boolean(jsonAt(elements, 'link', ':hover', 'color', 'text')) ||
    ELEMENTS.some((element) => COLORS.some((color) => Boolean(jsonAt(elements, element, 'color', color))))
  );
}

/** WordPress's parsed block, the input of the hash: the order of keys matters, null stands for an inner block. */
function asJson(block: ParsedBlock): JsonObject {
  const { blockName, attrs, content } = block;
  const innerContent = content.map((piece) => (typeof piece === 'string' ? piece : null));
  const innerBlocks = innerBlocksOf(block).map(asJson);
  return { blockName, attrs, innerBlocks, innerHTML: innerContent.join(''), innerContent };
}
