import { SITE_BLOCKS } from '../data/site-block-names.js';
import type { RenderContext } from '../render-context.js';
import { wpautop } from '../wpautop.js';
import { addElementsClass } from './elements.js';
import { makeFontFluid } from './fluid-font-size.js';
import { addLayout } from './layout.js';
import { renderFile, renderGallery, renderImage } from './media-blocks.js';
import { type BlockRenderer, type ParsedBlock, parseBlocks } from './parse-blocks.js';
import { renderLoginout, renderSearch, renderSocialLink } from './site-blocks.js';
import { addSupports, styleVariation } from './supports.js';
import { renderButton, renderHeading, renderList } from './text-blocks.js';
import { renderTribeBlock } from './tribe-blocks.js';

/** The blocks that do not print their HTML as it stands. */
const RENDERERS: Readonly<Record<string, BlockRenderer>> = {
  'core/button': renderButton,
  'core/file': renderFile,
  'core/gallery': renderGallery,
  'core/heading': renderHeading,
  'core/image': renderImage,
  'core/list': renderList,
  'core/loginout': renderLoginout,
  'core/search': renderSearch,
  'core/shortcode': wpautop,
  'core/social-link': renderSocialLink,
};

/** Renders the blocks of a text; a text without any comes back as it is. Counts galleries in the request's state. */
export function doBlocks(content: string, ctx: RenderContext): string {
  if (!content.includes('<!--')) return content;
  const blocks = parseBlocks(content);
  return blocks.map((block) => renderBlock(block, ctx)).join('');
}

function renderBlock(block: ParsedBlock, ctx: RenderContext, parent?: ParsedBlock): string {
  if (block.blockName === null) return block.content.join('');
  // None of the site's other content is shown here (R16).
  if (SITE_BLOCKS.has(block.blockName)) return '';
  const variation = styleVariation(block, ctx);
  const html = block.content
    .map((piece) => (typeof piece === 'string' ? piece : renderBlock(piece, ctx, block)))
    .join('');
  if (block.blockName.startsWith('tribe/')) return renderTribeBlock(html, block, ctx.site.theme);
  if (!block.blockName.startsWith('core/')) return html;
  const rendered = RENDERERS[block.blockName]?.(html, block, ctx, parent) ?? html;
  if (rendered === '') return '';
  const colored = addElementsClass(rendered, block);
  const sized = ctx.site.theme === 'block' ? makeFontFluid(colored, block) : colored;
  return addSupports(addLayout(sized, block, ctx.site.theme), block, variation, ctx);
}
