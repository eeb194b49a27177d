import { addClasses, findTag } from './html-tag.js';
import { type JsonObject, jsonAt, serializedMd5 } from './json.js';
import type { ParsedBlock } from './parse-blocks.js';

const ELEMENTS = ['link', 'button', 'heading', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'];
const COLORS = ['text', 'background', 'gradient'];

/** Adds `wp-elements-<md5 of the block>` to the first tag of a block with colours for links, buttons or headings. */
export function addElementsClass(html: string, block: ParsedBlock): string {
  if (!hasElementColor(block)) return html;
  const tag = findTag(html);
  return tag ? addClasses(html, tag, [`wp-elements-${serializedMd5(asJson(block))}`]) : html;
}

function hasElementColor(block: ParsedBlock): boolean {
  const elements = jsonAt(block.attrs, 'style', 'elements');
  if (elements === undefined) return false;
  return (
    Boolean(jsonAt(elements, 'link', ':hover', 'color', 'text')) ||
    ELEMENTS.some((element) => COLORS.some((color) => Boolean(jsonAt(elements, element, 'color', color))))
  );
}

/** The hash depends on the order of these keys. */
function asJson({ blockName, attrs, innerBlocks, innerHTML, innerContent }: ParsedBlock): JsonObject {
  return { blockName, attrs, innerBlocks: innerBlocks.map(asJson), innerHTML, innerContent };
}
