import type { RenderContext } from '../render-context.js';
import { wpautop } from '../wpautop.js';
import { addElementsClass } from './elements.js';
import { makeFontFluid } from './fluid-font-size.js';
import { addLayout } from './layout.js';
import { renderGallery, renderImage } from './media-blocks.js';
import { type ParsedBlock, parseBlocks } from './parse-blocks.js';
import { renderLoginout, renderSearch, renderSocialLink } from './site-blocks.js';
import { renderButton, renderHeading, renderList } from './text-blocks.js';
import { renderTribeBlock } from './tribe-blocks.js';

/** Turns a block's own HTML, inner blocks rendered in place, into what it prints. */
type Renderer = (html: string, block: ParsedBlock, ctx: RenderContext, parent?: ParsedBlock) => string;

const nothing: Renderer = () => '';

/** The blocks that do not print their HTML as it stands. Those that need a current post or query print nothing. */
const RENDERERS: Readonly<Record<string, Renderer>> = {
  'core/button': renderButton,
  'core/comment-template': nothing,
  'core/comments': nothing,
  'core/gallery': renderGallery,
  'core/heading': renderHeading,
  'core/image': renderImage,
  'core/list': renderList,
  'core/loginout': renderLoginout,
  'core/post-template': nothing,
  'core/query-no-results': nothing,
  'core/query-pagination': nothing,
  'core/search': renderSearch,
  'core/shortcode': (html) => wpautop(html),
  'core/social-link': renderSocialLink,
};

/** Renders the blocks of a text; a text without any comes back as it is. Counts galleries in the request's state. */
export function doBlocks(content: string, ctx: RenderContext): string {
  if (!content.includes('<!--')) return content;
  return parseBlocks(content)
    .map((block) => renderBlock(block, ctx))
    .join('');
}

function renderBlock(block: ParsedBlock, ctx: RenderContext, parent?: ParsedBlock): string {
  if (block.blockName === null) return block.innerHTML;
  let next = 0;
  let html = '';
  for (const piece of block.innerContent) {
    const inner = piece === null ? block.innerBlocks[next++] : undefined;
    html += inner ? renderBlock(inner, ctx, block) : (piece ?? '');
  }
  if (block.blockName.startsWith('tribe/')) return renderTribeBlock(html, block, ctx.site.theme);
  if (!block.blockName.startsWith('core/')) return html;
  const rendered = RENDERERS[block.blockName]?.(html, block, ctx, parent) ?? html;
  return addSupports(rendered, block, ctx);
}

function addSupports(html: string, block: ParsedBlock, { site }: RenderContext): string {
  if (html === '') return html;
  const colored = addElementsClass(html, block);
  const sized = site.theme === 'block' ? makeFontFluid(colored, block) : colored;
  return addLayout(sized, block, site.theme);
}
